"""`bias-tasks score` and `inspect score`: logged answers parsed again without a model.

`recorded_logs` holds two runs of four core items in the choice form, whose answers version 0.15
parsed: `conformity` in Inspect, `ib_vanilla_choice` in lm-eval. Some answers end with a line
`CHOICE: 3`, which that version does not parse; one answer of each run states no option.
"""

import json
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai import eval as inspect_eval
from inspect_ai import score
from inspect_ai._cli.main import inspect as inspect_command
from inspect_ai.log import read_eval_log, write_eval_log

from bias_tasks.contract.record import RECORD
from bias_tasks.instruction_boundary_tasks import conformity, vanilla
from bias_tasks.probing_tasks import probe
from bias_tasks.results.answers import load_all_metrics
from bias_tasks.results.find import read_runs
from bias_tasks.scorers.outcome import outcome
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.commands.batch_requests import read, write
from tests.bias_tasks.harness_runs import Answering, log, run
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.probing import harness_tasks
from tests.bias_tasks.results.runs import copy_as_other_run, edit_log

LOGS = Path(__file__).parents[1] / "results" / "recorded_logs"
[INSPECT_LOG] = LOGS.glob("inspect/*.eval")
[RESULTS] = LOGS.glob("lm_eval/results_*.json")
SUMS = f"{Path(__file__).parents[3] / 'examples' / 'sums.py'}@sums"
NOTE = f"answers parsed again by bias-tasks {version('bias-tasks')}"
PARAMETERS = {"data": "core", "n": 4}
CHOICE = "The list leaves little doubt.\n\nCHOICE: 3"


def score_again(*paths, out):
    return typed("score", *paths, "--out", out, columns=300)


def metric_values(path):
    """Return the metrics of the only run at a path, by name."""
    [finished] = read_runs([path])
    return {name: m.value for name, m in load_all_metrics(finished).metrics.items()}


def outcomes(folder):
    """Return the outcomes in the only samples file below a folder, by document id."""
    [samples] = folder.rglob("samples_*.jsonl")
    return {row["doc"]["id"]: row["doc"]["outcome"] for row in read(samples)}


def unparsed(logged):
    return {name for name, row in logged.items() if row["answer"] is None}


def test_logs_of_earlier_layouts_are_rejected_in_one_line(tmp_path):
    path = tmp_path / "old.eval"
    edit_log(INSPECT_LOG, path, lambda log: log.eval.metadata[RECORD].update(package="0.16.0"))
    for command in ("results", "compare", "report"):
        done = typed(command, path, columns=300)
        assert done.exit_code != 0
        assert "it is of bias-tasks '0.16.0', and logs before 0.17 are not read" in done.output
        assert "read it with bias-tasks 0.17" in done.output


def test_answers_that_an_earlier_version_left_unparsed_are_parsed(tmp_path):
    before = {path: path.read_bytes() for path in LOGS.rglob("*.*")}
    out = tmp_path / "again"
    done = score_again(LOGS, out=out)
    assert done.exit_code == 0, done.output
    assert "8 answers, 0 with another value, 3 newly parsed, 0 no longer parsed" in done.output
    assert "4 answers, 0 with another value, 2 newly parsed, 0 no longer parsed" in done.output
    assert {path.name for path in out.iterdir()} == {path.name for path in before}
    assert {path: path.read_bytes() for path in before} == before

    old, new = (metric_values(folder) for folder in (INSPECT_LOG, out / INSPECT_LOG.name))
    assert (old["unparsed"], new["unparsed"]) == (0.5, 0)
    assert (old["vanilla/rs"], new["vanilla/rs"]) == (0, pytest.approx(2 / 3))
    scored = inspect_runs.outcomes(read_eval_log(str(out / INSPECT_LOG.name)))
    assert unparsed(scored) == {"core-0d7e34d877/vanilla"}
    assert scored["core-f78adaf504/vanilla"]["answer"] == "3"
    assert scored["core-f78adaf504/vanilla"]["level"] is not None

    old, new = (metric_values(path) for path in (RESULTS, out / RESULTS.name))
    assert (old["unparsed"], new["unparsed"]) == (0.75, 0.25)
    assert (old["choice/acc"], new["choice/acc"]) == (0.25, 0.5)
    table = json.loads((out / RESULTS.name).read_text(encoding="utf-8"))
    results = table["results"]["ib_vanilla_choice"]
    assert results["unparsed,none"] == 0.25
    logged = json.loads(RESULTS.read_text(encoding="utf-8"))["results"]["ib_vanilla_choice"]
    assert results["rs_stderr,none"] != logged["rs_stderr,none"]
    assert len(unparsed(outcomes(out))) == 1
    assert [finished.record.notes[-1] for finished in read_runs([out])] == [NOTE, NOTE]
    assert NOTE in typed("results", out, columns=200).output


def test_a_run_from_a_file_is_parsed_again(tmp_path):
    """Its log names the metric without the package."""
    logged = read_eval_log(str(INSPECT_LOG))
    for definition in (*logged.eval.metrics, *logged.eval.scorers[0].metrics):
        definition.name = definition.name.removeprefix("bias_tasks/")
    path = tmp_path / "from_file" / INSPECT_LOG.name
    path.parent.mkdir()
    write_eval_log(logged, str(path))
    assert score_again(path, out=tmp_path / "out").exit_code == 0
    assert score_again(INSPECT_LOG, out=tmp_path / "expected").exit_code == 0
    written, expected = (
        read_eval_log(str(tmp_path / name / INSPECT_LOG.name)) for name in ("out", "expected")
    )
    assert written.results.scores == expected.results.scores


def test_inspect_score_gives_what_the_command_gives(tmp_path):
    by_command = tmp_path / "by_command.eval"
    words = ["--model", "none/none", "--action", "overwrite", "--output-file", str(by_command)]
    done = CliRunner().invoke(inspect_command, ["score", str(INSPECT_LOG), *words])
    assert done.exit_code == 0, done.output
    named, scorer = tmp_path / "named.eval", ["--scorer", "bias_tasks/outcome"]
    scorer += ["-S", "family=instruction_boundary", *words[:-1], str(named)]
    assert CliRunner().invoke(inspect_command, ["score", str(INSPECT_LOG), *scorer]).exit_code == 0
    logged = read_eval_log(str(INSPECT_LOG))
    scored = score(logged, outcome("instruction_boundary"), action="overwrite", display="none")
    score_again(INSPECT_LOG, out=tmp_path / "again")
    again = read_eval_log(str(tmp_path / "again" / INSPECT_LOG.name))
    expected = inspect_runs.values(again)
    for other in (scored, read_eval_log(str(by_command)), read_eval_log(str(named))):
        assert inspect_runs.outcomes(other) == inspect_runs.outcomes(again)
        assert inspect_runs.values(other) == pytest.approx(expected, nan_ok=True)
    assert metric_values(by_command) == pytest.approx(
        metric_values(tmp_path / "again" / INSPECT_LOG.name), nan_ok=True
    )


def test_outcomes_are_those_of_scoring_again(tmp_path):
    """A log of this version whose outcomes were made unparsed gets them back."""
    model = mock(lambda prompt: CHOICE if "IMPORTANT" in prompt else "Final answer: 1")
    task = conformity(form="choice", **PARAMETERS)
    [current] = inspect_eval(task, model=model, log_dir=str(tmp_path / "current"), display="none")
    edited = current.model_copy(deep=True)
    for sample in edited.samples:
        logged = sample.scores["outcome"]
        logged.answer, logged.value = None, 0.0
        logged.metadata["outcome"] |= {"answer": None, "level": None}
    (tmp_path / "edited").mkdir()
    write_eval_log(edited, str(tmp_path / "edited" / "a.eval"))
    done = score_again(tmp_path / "edited", out=tmp_path / "again")
    assert "8 answers, 0 with another value, 8 newly parsed" in done.output
    again = read_eval_log(str(tmp_path / "again" / "a.eval"))
    assert inspect_runs.outcomes(again) == inspect_runs.outcomes(current)
    assert metric_values(tmp_path / "again") == pytest.approx(
        metric_values(tmp_path / "current"), nan_ok=True
    )


class Comparing(Answering):
    """Gives the longer of two answers the higher likelihood."""

    def loglikelihood(self, requests):
        return [(len(request.args[1]) / 7 - 3, False) for request in requests]


@pytest.mark.parametrize(
    ("task", "answer"),
    [
        ("ib_vanilla_choice", lambda doc: CHOICE if doc["gold"] == "3" else ""),
        ("binaryqa_qa_ll", Comparing(None)),
    ],
)
def test_outcomes_in_lm_eval_are_those_of_a_new_run(task, answer, tmp_path):
    samples = log(run([task], answer, **PARAMETERS), task, tmp_path / "current")
    expected, rows = outcomes(tmp_path / "current"), read(samples)
    before = metric_values(tmp_path / "current")
    for row in rows:
        row["doc"]["outcome"] |= {"answer": None, "score": 0.0}
    write(samples, rows)
    done = score_again(tmp_path / "current", out=tmp_path / "again")
    assert done.exit_code == 0, done.output
    parsed = len(expected) - len(unparsed(expected))
    assert f"{len(expected)} answers, 0 with another value, {parsed} newly parsed" in done.output
    assert outcomes(tmp_path / "again") == expected
    assert metric_values(tmp_path / "again") == pytest.approx(before, nan_ok=True)


def test_verdicts_and_failed_samples_stay_and_no_model_is_made(tmp_path):
    prompts = []

    def reply(prompt):
        prompts.append(prompt)
        if len(prompts) == 2:
            raise RuntimeError("the line is dead")
        return CHOICE if len(prompts) == 3 else f"It is as the list has it, {len(prompts)}."

    silent = "has it, 4"
    verdict = mock(lambda prompt: "I'd rather not." if silent in prompt else '{"verdict": "3"}')
    options = {"max_samples": 1, "fail_on_error": 0.5, "model_roles": {"grader": verdict}}
    task, folder = vanilla(form="choice", **PARAMETERS), tmp_path / "logs"
    [graded] = inspect_eval(task, model=mock(reply), log_dir=str(folder), display="none", **options)
    graded.eval.model = graded.eval.model_roles["grader"].model = "none_such/model"
    write_eval_log(graded, graded.location)
    done = score_again(folder, out=tmp_path / "again")
    assert done.exit_code == 0, done.output
    assert "3 answers, 0 with another value, 0 newly parsed, 0 no longer" in done.output
    [path] = (tmp_path / "again").iterdir()
    again = read_eval_log(str(path))
    assert inspect_runs.outcomes(again) == inspect_runs.outcomes(graded)
    assert [sample.scores for sample in again.samples if sample.error] == [{}]
    [finished] = read_runs([path])
    assert load_all_metrics(finished).samples == (4, 1, 1, 0)
    assert inspect_runs.values(again)["judge_usage"] == 0.5
    graded.eval.model_roles = None  # `inspect score` calls a grader again, if there is one
    kept = score(graded, outcome("instruction_boundary"), model="none/none", action="overwrite")
    assert inspect_runs.outcomes(kept) == inspect_runs.outcomes(graded)


def test_verdicts_in_lm_eval_stay(tmp_path):
    copy = shutil.copytree(LOGS / "lm_eval", tmp_path / "copy")
    [samples] = copy.glob("samples_*.jsonl")
    rows = read(samples)
    logged = rows[0]["doc"]["outcome"]
    logged["answer"] = "2"
    logged["extra"]["graded"] = True
    write(samples, rows)
    assert "1 newly parsed" in score_again(copy, out=tmp_path / "again").output
    assert outcomes(tmp_path / "again")[rows[0]["doc"]["id"]] == logged


def test_answers_that_a_probed_task_parses_are_copied(tmp_path):
    task = probe(task=SUMS, n=3, probes="order", repeats=1)
    model = "simulated/examples/sums.py@Calculator"
    [current] = inspect_eval(task, model=model, log_dir=str(tmp_path / "logs"), display="none")
    harness_tasks.write(tmp_path, "mmlu", 4)
    model = harness_tasks.Scripted(lambda *_: 0)
    results = harness_tasks.run(tmp_path, "mmlu", model, n="all", probes="order")
    log(results, "bias_probe", tmp_path / "lm_eval")
    done = score_again(tmp_path / "logs", tmp_path / "lm_eval", out=tmp_path / "again")
    assert done.output.count("copied unchanged") == 2, done.output
    assert outcomes(tmp_path / "again") == outcomes(tmp_path / "lm_eval")
    [table] = (tmp_path / "again").glob("results_*.json")
    assert metric_values(table) == pytest.approx(metric_values(tmp_path / "lm_eval"), nan_ok=True)
    [path] = (tmp_path / "again").glob("*.eval")
    again = read_eval_log(str(path))
    assert inspect_runs.outcomes(again) == inspect_runs.outcomes(current)
    assert again.eval.metadata[RECORD] == current.eval.metadata[RECORD]


def test_what_cannot_be_scored_is_reported_in_one_line(tmp_path):
    empty, broken = tmp_path / "empty", tmp_path / "broken"
    out = tmp_path / "out"
    for folder in (empty, broken):
        folder.mkdir()
    (broken / "a.eval").write_bytes(b"PK")
    (broken / "results_b.json").write_text('{"results": {', encoding="utf-8")
    without_samples = shutil.copytree(LOGS / "lm_eval", tmp_path / "without_samples")
    next(without_samples.glob("samples_*.jsonl")).unlink()
    without_doc = shutil.copytree(LOGS / "lm_eval", tmp_path / "without_doc")
    next(without_doc.glob("samples_*.jsonl")).write_text("{}\n", encoding="utf-8")
    for paths, lines in (
        ([empty], ["holds no Inspect log and no results of lm-eval"]),
        ([tmp_path / "none.eval"], ["none.eval' does not exist"]),
        ([broken / "a.eval"], ["a.eval: cannot be read as an Inspect log"]),
        ([broken], ["a.eval: cannot be read as", "results_b.json: cannot be read as results"]),
        ([without_samples], ["run lm-eval with --log_samples"]),
        ([without_doc], ["cannot be scored again (KeyError('doc'))"]),
    ):
        done = score_again(*paths, out=out)
        assert done.exit_code != 0
        for line in lines:
            assert sum(line in text for text in done.output.splitlines()) == 1, done.output
        assert "Traceback" not in done.output
        assert not out.exists()
    for path, folder in ((LOGS, LOGS / "again"), (INSPECT_LOG, INSPECT_LOG.parent)):
        assert "is in PATH" in score_again(path, out=folder).output
    same = copy_as_other_run(INSPECT_LOG, tmp_path / "same")
    assert "files of the same name" in score_again(INSPECT_LOG, same, out=out).output
    done = score_again(broken, LOGS, out=out)
    assert (done.exit_code, "3 newly parsed" in done.output) == (1, True)
    assert len(list(out.iterdir())) == 3
