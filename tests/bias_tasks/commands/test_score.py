"""Logged answers parsed again without a model: `inspect score`, and `bias-tasks score` of lm-eval.

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
from bias_tasks.instruction_boundary_tasks import vanilla
from bias_tasks.results.answers import load_all_metrics
from bias_tasks.results.find import read_runs
from bias_tasks.scorers.outcome import outcome
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.commands.rows import read, write
from tests.bias_tasks.harness_runs import Answering, log, run
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.probing import harness_tasks
from tests.bias_tasks.results.runs import edit_log

LOGS = Path(__file__).parents[1] / "results" / "recorded_logs"
[INSPECT_LOG] = LOGS.glob("inspect/*.eval")
[RESULTS] = LOGS.glob("lm_eval/results_*.json")
SUMS = f"{Path(__file__).parents[3] / 'examples' / 'sums.py'}@sums"
NOTE = f"answers parsed again by bias-tasks {version('bias-tasks')}"
PARAMETERS = {"data": "core", "n": 4}
CHOICE = "The list leaves little doubt.\n\nCHOICE: 3"


def score_again(*paths, out):
    return typed("score", *paths, "--out", out, columns=300)


def inspect_score(path, out, *words):
    """Score a log with Inspect's command, and return the new log."""
    options = ["--model", "none/none", "--action", "overwrite", "--output-file", str(out)]
    done = CliRunner().invoke(inspect_command, ["score", str(path), *words, *options])
    assert done.exit_code == 0, done.output
    return read_eval_log(str(out))


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


def test_inspect_parses_answers_that_an_earlier_version_left_unparsed(tmp_path):
    old = metric_values(INSPECT_LOG)
    scored = inspect_score(INSPECT_LOG, tmp_path / "a.eval")
    new = metric_values(tmp_path / "a.eval")
    assert (old["unparsed"], new["unparsed"]) == (0.5, 0)
    assert (old["vanilla/rs"], new["vanilla/rs"]) == (0, pytest.approx(2 / 3))
    outcomes = inspect_runs.outcomes(scored)
    assert unparsed(outcomes) == {"core-0d7e34d877/vanilla"}
    assert outcomes["core-f78adaf504/vanilla"]["answer"] == "3"
    assert outcomes["core-f78adaf504/vanilla"]["level"] is not None
    # A run from a file names its metrics without the package.
    logged = read_eval_log(str(INSPECT_LOG))
    for definition in (*logged.eval.metrics, *logged.eval.scorers[0].metrics):
        definition.name = definition.name.removeprefix("bias_tasks/")
    write_eval_log(logged, str(tmp_path / "from_file.eval"))
    from_file = inspect_score(tmp_path / "from_file.eval", tmp_path / "b.eval")
    named = inspect_score(
        *(INSPECT_LOG, tmp_path / "c.eval", "--scorer", "bias_tasks/outcome"),
        *("-S", "family=instruction_boundary"),
    )
    for other in (from_file, named):
        assert inspect_runs.outcomes(other) == outcomes
        values = inspect_runs.values(scored)
        assert inspect_runs.values(other) == pytest.approx(values, nan_ok=True)


def test_answers_of_lm_eval_are_parsed_again(tmp_path):
    before = {path: path.read_bytes() for path in LOGS.rglob("lm_eval/*.*")}
    out = tmp_path / "again"
    done = score_again(RESULTS, out=out)
    assert done.exit_code == 0, done.output
    assert "4 answers, 0 with another value, 2 newly parsed, 0 no longer parsed" in done.output
    assert {path.name for path in out.iterdir()} == {path.name for path in before}
    assert {path: path.read_bytes() for path in before} == before
    old, new = (metric_values(path) for path in (RESULTS, out / RESULTS.name))
    assert (old["unparsed"], new["unparsed"]) == (0.75, 0.25)
    assert (old["choice/acc"], new["choice/acc"]) == (0.25, 0.5)
    table = json.loads((out / RESULTS.name).read_text(encoding="utf-8"))
    results = table["results"]["ib_vanilla_choice"]
    assert results["unparsed,none"] == 0.25
    logged = json.loads(RESULTS.read_text(encoding="utf-8"))["results"]["ib_vanilla_choice"]
    assert results["rs_stderr,none"] != logged["rs_stderr,none"]
    assert len(unparsed(outcomes(out))) == 1
    assert [finished.record.notes[-1] for finished in read_runs([out])] == [NOTE]
    assert NOTE in typed("results", out, columns=200).output
    for path, folder in ((LOGS, LOGS / "again"), (RESULTS, RESULTS.parent)):
        assert "is in PATH" in score_again(path, out=folder).output


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


def test_verdicts_and_failed_samples_stay(tmp_path):
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
    assert inspect_runs.values(graded)["judge_usage"] == 0.5
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
    harness_tasks.write(tmp_path, "mmlu", 4)
    model = harness_tasks.Scripted(lambda *_: 0)
    results = harness_tasks.run(tmp_path, "mmlu", model, n="all", probes="order")
    log(results, "bias_probe", tmp_path / "lm_eval")
    done = score_again(tmp_path / "lm_eval", out=tmp_path / "again")
    assert "copied unchanged" in done.output
    assert outcomes(tmp_path / "again") == outcomes(tmp_path / "lm_eval")
    [table] = (tmp_path / "again").glob("results_*.json")
    assert metric_values(table) == pytest.approx(metric_values(tmp_path / "lm_eval"), nan_ok=True)


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
    same = shutil.copytree(LOGS / "lm_eval", tmp_path / "same")
    [samples] = same.glob("samples_*.jsonl")
    rows = read(samples)
    rows[0]["doc"]["outcome"]["answer"] = "1"
    write(samples, rows)
    assert "files of the same name" in score_again(LOGS / "lm_eval", same, out=out).output
    done = score_again(broken, LOGS, out=out)
    assert (done.exit_code, "2 newly parsed" in done.output) == (1, True)
    assert f"{INSPECT_LOG.name}: is a log of Inspect: score it with `inspect score" in done.output
    assert len(list(out.iterdir())) == 2
