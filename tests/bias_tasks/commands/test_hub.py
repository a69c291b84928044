"""`bias-tasks export hf` and `hf-results`, with Inspect's own loader of data sets of the hub."""

import json
from dataclasses import replace
from pathlib import Path

import datasets
import huggingface_hub
import pandas as pd
import pytest
import yaml
from inspect_ai import score
from inspect_ai._eval.task.hf import HFTask
from inspect_ai.dataset._sources import hf
from inspect_ai.log import EvalError, read_eval_log, write_eval_log

from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.prompts.templates import STOP_SEQUENCES
from bias_tasks.results.answers import load_all_metrics
from bias_tasks.results.find import read_runs, read_usable_runs
from bias_tasks.scorers.outcome import outcome
from bias_tasks.simulated.persona import make_simulated_model
from bias_tasks.statistics.estimate import flatten
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.runs import edit_log, run_inspect

COMMIT = "5503434ddd753f426f4b38109466949a1217c2bb"
PARAMETERS = {"data": "core", "n": 8}
TASK = "conformity"


def export(folder, task=TASK, **parameters):
    settings = (word for pair in parameters.items() for word in ("-T", "{}={}".format(*pair)))
    return typed("export", "hf", folder, "--task", task, *settings, columns=300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return an exported data set."""
    folder = tmp_path_factory.mktemp("hub") / "data_set"
    done = export(folder, **PARAMETERS)
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def logs(folder):
    """Return logs of the same answers to the task, and to the rows as the hub delivers them."""
    persona = make_simulated_model("conformist", {})
    plan = FAMILY.plan(TASK, FAMILY.tasks[TASK].values(PARAMETERS))
    answers = {q.prompt: persona.respond(q.prompt, q) for q in plan.questions}
    model, cache, load = mock(answers.__getitem__), folder.parent, datasets.load_dataset

    def load_local(path, revision, **options):
        assert (path, revision) == ("owner/name", COMMIT)
        return load(str(folder), cache_dir=str(cache / "datasets"), **options)

    def download(repo_id, filename, **_):
        return str(folder / filename)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets, "load_dataset", load_local)
        patch.setattr(hf, "inspect_cache_dir", lambda name: str(cache / name))
        patch.setattr(huggingface_hub, "hf_hub_download", download)
        by_rows = run_inspect(cache / "rows", [f"hf/owner/name@{COMMIT}"], model)
    by_task = run_inspect(cache / "task", f"{FAMILY.name}/{TASK}", model, **PARAMETERS)
    return Path(by_task), Path(by_rows)


def load_run(path):
    [run] = read_usable_runs(path)
    return load_all_metrics(run)


def test_inspect_and_the_hub_read_the_data_set(folder, tmp_path):
    content = yaml.safe_load((folder / "eval.yaml").read_text(encoding="utf-8"))
    [task] = [HFTask.model_validate(task) for task in content["tasks"]]
    assert content["evaluation_framework"] == "inspect-ai"
    assert (task.id, task.config, task.split) == (TASK, "default", "test")
    assert task.field_spec.metadata[:2] == ["item", "variant"]
    card = huggingface_hub.DatasetCard.load(folder / "README.md")
    assert card.data.license == "cc-by-4.0"
    assert "bias-core 3" in card.text
    rows = datasets.load_dataset(str(folder), cache_dir=str(tmp_path))["test"]
    values = FAMILY.tasks[TASK].values(PARAMETERS)
    questions = FAMILY.plan(TASK, values).questions
    expected = [(q.item, q.variant, q.prompt, q.gold) for q in questions]
    columns = (rows[name] for name in ("item", "variant", "input", "target"))
    assert list(zip(*columns, strict=True)) == expected


def test_a_run_on_the_rows_has_the_metrics_of_the_task(logs):
    by_task, by_rows = map(load_run, logs)
    assert flatten(by_rows.metrics) == pytest.approx(flatten(by_task.metrics), nan_ok=True, abs=0)
    assert by_rows.headline == by_task.headline
    assert by_task.metrics[by_task.headline].value > 0.5, "the model follows suggestions"
    assert by_rows.record.digest == by_task.record.digest
    assert by_rows.record.notes == by_task.record.notes
    assert by_rows.settings["temperature"] == 0


def test_results_are_those_that_the_hub_reads(logs, tmp_path):
    words = ["--out", tmp_path, "--source-url", "https://example.org/logs"]
    done = typed("export", "hf-results", logs[1], *words)
    assert done.exit_code == 0, done.output
    file = tmp_path / "mockllm_model" / ".eval_results" / "owner_name.yaml"
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    [entry] = huggingface_hub.parse_eval_result_entries(content)
    run = load_run(logs[1])
    assert entry.value == run.metrics[run.headline].value
    assert (entry.dataset_id, entry.task_id) == ("owner/name", TASK)
    assert entry.dataset_revision == COMMIT
    assert entry.source_url == "https://example.org/logs"
    assert entry.date == run.date
    assert entry.notes.startswith(f"{run.headline} (lower is better), 95 % interval ")
    assert "the model is simulated" in entry.notes
    assert huggingface_hub.eval_result_entries_to_yaml([entry]) == content
    done = typed("export", "hf-results", logs[0], *words, columns=300)
    assert done.exit_code == 1
    assert f"bias_tasks/{TASK} is no run of `inspect eval hf/OWNER/NAME`" in done.output


def test_samples_without_an_answer_are_not_scored(logs, tmp_path):
    def fail(log):
        log.samples[0].error = EvalError(message="no", traceback="", traceback_ansi="")

    run = load_run(edit_log(logs[1], tmp_path / "failed.eval", fail))
    assert run.samples.failed == 1
    assert run.samples.total == len(read_eval_log(str(logs[1])).samples)


def test_inspect_score_reads_the_rows(logs, tmp_path):
    """So that a grader can parse answers: the log then has outcomes, which `results` reads."""
    scored = score(read_eval_log(str(logs[1])), outcome(), action="append", display="none")
    assert all(s.scores["outcome"].metadata["outcome"]["family"] for s in scored.samples)
    write_eval_log(scored, str(tmp_path / "scored.eval"))
    assert load_run(tmp_path / "scored.eval").metrics.keys() == load_run(logs[1]).metrics.keys()


def change_records(first, **fields):
    """Return a change of a log: the records of its rows, from the first of these, get fields."""

    def change(log):
        for sample in log.samples[first:]:
            record = json.loads(sample.metadata["bias_tasks"])
            sample.metadata["bias_tasks"] = json.dumps(record | fields)

    return change


def test_rows_of_another_export_or_version_are_named(logs, tmp_path):
    mixed = edit_log(logs[1], tmp_path / "mixed.eval", change_records(1, digest="other"))
    assert "its rows are of several exports" in typed("results", mixed, columns=300).output
    old = load_run(edit_log(logs[1], tmp_path / "old.eval", change_records(0, version=1)))
    assert old.record.notes[-1].startswith(f"rows of {FAMILY.name} version 1, scored by the rules")


def test_a_log_of_another_data_set_is_no_run_of_ours(logs, tmp_path):
    def change(log):
        for sample in log.samples:
            sample.metadata = {}

    [problem] = read_runs([edit_log(logs[1], tmp_path / "other.eval", change)])
    assert "is not a task of bias-tasks" in problem.reason


def test_a_target_is_the_label_of_the_prompt_and_base_models_stop(tmp_path):
    assert export(tmp_path / "pairs", "judge_pairwise", data="core", n=2).exit_code == 0
    targets = set(pd.read_parquet(tmp_path / "pairs" / "test.parquet")["target"])
    assert targets <= {"A", "B"}
    export(tmp_path / "base", data="core", n=2, base_model="true")
    content = yaml.safe_load((tmp_path / "base" / "eval.yaml").read_text(encoding="utf-8"))
    [solver] = content["tasks"][0]["solvers"]
    assert solver["args"] == {"temperature": 0, "stop_seqs": [*STOP_SEQUENCES]}


def test_a_users_file_needs_a_licence_and_its_folder_stays_private(write_rows, tmp_path):
    path = write_rows(
        {"question": "Is ice cold?", "answer": "yes"}, {"question": "Is fire cold?", "answer": "no"}
    )
    done = export(tmp_path / "out", "binaryqa_qa", data=path)
    assert done.exit_code == 0, done.output
    card = huggingface_hub.DatasetCard.load(tmp_path / "out" / "README.md")
    assert card.data.license == "unknown"
    assert "State their licence" in card.text
    content = b"".join(file.read_bytes() for file in (tmp_path / "out").iterdir())
    assert b"items.jsonl" in content
    assert str(tmp_path).encode() not in content


@pytest.mark.parametrize(
    ("task", "parameters", "message"),
    [
        ("pushback", {"data": "core"}, "takes several calls per question"),
        ("judge_single", {"data": "core"}, "has no correct answers"),
        ("probe", {}, "a framework loads the task that is probed"),
        ("vanilla", {"data": "core", "shard": "1/2"}, "shard= is for runs"),
        ("vanilla", {"data": "core", "m": 1}, "unknown parameter 'm'"),
        ("vanila", {}, "no family has a task 'vanila'"),
    ],
)
def test_what_cannot_be_rows_is_refused(tmp_path, task, parameters, message):
    done = export(tmp_path / "out", task, **parameters)
    assert done.exit_code == 1
    assert message in done.output
    assert not (tmp_path / "out").exists()


def test_items_with_licences_of_their_own_are_refused(tmp_path, monkeypatch):
    plan = FAMILY.plan(TASK, FAMILY.tasks[TASK].values(PARAMETERS))
    others = replace(plan, provenance=({"source": "core"}, {"source": "boolq"}, {"skipped": 0}))
    monkeypatch.setattr(type(FAMILY), "plan", lambda *_: others)
    done = export(tmp_path / "out", **PARAMETERS)
    assert done.exit_code == 1
    assert "the items of boolq have licences of their own and are not exported" in done.output
    assert not (tmp_path / "out").exists()
