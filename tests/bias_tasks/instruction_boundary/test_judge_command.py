"""`bias-tasks judge`: unread answers of lm-eval judged afterwards, as by Inspect's grader."""

import json
import shutil

import pytest
from click.testing import CliRunner
from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model

from bias_tasks.cli import main
from bias_tasks.commands.judge.run import VERDICTS
from bias_tasks.respondents.harness_model import SimulatedLM
from bias_tasks.results.answers import read_answers
from bias_tasks.results.find import read_runs
from bias_tasks.tasks import instruction_boundary as tasks
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.harness_runs import log, run
from tests.bias_tasks.mocks import mock

TASK = "ib_conformity_choice"
PARAMETERS = {"data": "synthetic", "n": 12}
RESPONDENT = {"accuracy": 0.7, "adopt": 0.5, "seed": 2}
"""Puts all of its answers so that only a judge reads them."""


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logged")
    log(run([TASK], SimulatedLM("oblique", **RESPONDENT), **PARAMETERS), TASK, folder)
    return folder


def judge(*arguments):
    return CliRunner().invoke(main, ["judge", *map(str, arguments)], env={"COLUMNS": "200"})


def figures(folder):
    [found] = read_runs([folder])
    return {figure.name: figure for figure in found.metrics}


def test_figures_are_those_of_inspect_with_a_grader(logged, tmp_path):
    done = judge(logged, "--grader", "simulated/judge", "--out", tmp_path / "judged")
    assert done.exit_code == 0, done.output
    assert "24 answers, of which 24 were not read by rules: 24 judged" in done.output
    [host_log] = inspect_eval(
        tasks.conformity(form="choice", **PARAMETERS),
        model="simulated/oblique",
        model_args=RESPONDENT,
        model_roles={"grader": get_model("simulated/judge")},
        log_dir=str(tmp_path / "inspect"),
        display="none",
        log_realtime=False,
    )
    assert host_log.status == "success", host_log.error
    ours = inspect_runs.values(host_log)
    theirs = figures(tmp_path / "judged")
    for name, figure in theirs.items():
        if name != "outcome":
            assert figure.value == pytest.approx(ours[name], abs=1e-9, nan_ok=True), name
            assert figure.n == ours[f"{name}_n"], name
    assert theirs["judge_usage"].value == 1
    assert theirs["unread"].value == 0
    assert figures(logged)["unread"].value == 1


def test_what_is_written_is_a_run_like_any_other(logged, tmp_path):
    judge(logged, "--grader", "simulated/judge", "--out", tmp_path)
    [results] = tmp_path.glob("results_*.json")
    [found] = read_answers(results)
    assert len(found.answers) == 24
    assert all(answer.outcome.own["judged"] for answer in found.answers)
    assert found.run.note == "answers that rules could not read: judged by simulated/judge"
    [samples] = tmp_path.glob("samples_*.jsonl")
    row = json.loads(samples.read_text(encoding="utf-8").splitlines()[0])
    assert row["delta_acc"] == row["outcome"]["score"]


def test_answers_that_rules_read_stay_as_they_are(tmp_path):
    task = "ib_vanilla_judging"
    answers = {True: "Final Answer: 1", False: "The statement is upheld by what is said."}
    results = run([task], lambda doc: answers[doc["gold"] == "True"], data="synthetic", n=8)
    log(results, task, tmp_path / "logged")
    grader = mock(["__UNKNOWN__"] * 6, name="unknown")
    done = judge_with(grader, tmp_path / "logged", tmp_path / "judged")
    assert "8 answers, of which 6 were not read by rules: 6 judged" in done.output
    found = figures(tmp_path / "judged")
    assert found["judge_usage"].value == 6 / 8
    assert found["or/True"].value == 2 / 8
    assert found["or/Unknown"].value == 6 / 8


def judge_with(grader, logged, out, *options):
    """The command with a model of ours as the judge."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bias_tasks.commands.judge.commands.open_model", lambda *_: grader)
        return judge(logged, "--grader", "ours", "--out", out, *options)


def test_an_answer_without_a_verdict_is_left_out(logged, tmp_path):
    asked = []

    def silent_on_one(prompt):
        asked.append(prompt)
        return "I'd rather not." if prompt == asked[0] else "1"

    done = judge_with(mock(silent_on_one), logged, tmp_path, "--max-connections", "1")
    assert done.exit_code == 0, done.output
    silent = asked.count(asked[0]) // 3
    assert f"{24 - silent} judged, {silent} without a verdict" in done.output
    [samples] = tmp_path.glob("samples_*.jsonl")
    assert len(samples.read_text(encoding="utf-8").splitlines()) == 24 - silent


def test_a_failed_judge_loses_nothing_and_the_same_again_goes_on(logged, tmp_path):
    calls = []

    def dies_after_five(prompt):
        calls.append(prompt)
        if len(calls) > 5:
            raise RuntimeError("no more")
        return "1"

    done = judge_with(mock(dies_after_five), logged, tmp_path, "--max-connections", "1")
    assert done.exit_code == 1
    assert "What was made is kept: run the same again to go on." in done.output
    kept = (tmp_path / VERDICTS).read_text(encoding="utf-8").splitlines()
    assert len(kept) == 5
    assert not list(tmp_path.glob("results_*.json"))
    again = []
    done = judge_with(mock(lambda prompt: again.append(prompt) or "1"), logged, tmp_path)
    assert done.exit_code == 0, done.output
    assert len(again) == 24 - 5


def test_verdicts_of_another_judge_are_not_taken_up(logged, tmp_path):
    judge_with(mock(lambda prompt: "1", name="one"), logged, tmp_path)
    done = judge_with(mock(lambda prompt: "2", name="other"), logged, tmp_path)
    assert done.exit_code == 1
    assert "holds verdicts of mockllm/one" in done.output


def test_what_cannot_be_judged_is_said(logged, tmp_path):
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    done = judge(nothing, "--grader", "simulated/judge", "--out", tmp_path / "out")
    assert done.exit_code == 1
    assert "--model-role grader=MODEL" in done.output
    copy = tmp_path / "copy"
    shutil.copytree(logged, copy)
    next(copy.rglob("samples_*.jsonl")).unlink()
    done = judge(copy, "--grader", "simulated/judge", "--out", tmp_path / "out")
    assert "run lm-eval with --log_samples" in done.output
    done = judge(copy, "--grader", "simulated/judge", "--out", copy / "judged")
    assert "lies in PATH" in done.output
    broken = tmp_path / "results_x.json"
    broken.write_text("{", encoding="utf-8")
    done = judge(broken, "--grader", "simulated/judge", "--out", tmp_path / "out")
    assert "cannot be read as results of lm-eval" in done.output
