"""`bias-tasks grade`: unread answers judged after a run, as by a grader in its role."""

import shutil
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.results.find import read_runs
from bias_tasks.tasks import instruction_boundary as tasks
from bias_tasks.tasks.binary_qa import binaryqa_qa
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.commands.asking import Asked, read
from tests.bias_tasks.commands.asking import run as command
from tests.bias_tasks.harness_runs import log, run
from tests.bias_tasks.mocks import mock

TASK = "ib_vanilla_judging"
VERDICT = "__UNKNOWN__"
PARAMETERS = {"data": "synthetic", "n": 9}
SAID = {True: "Final Answer: 1", False: "The statement is upheld by what is said."}
"""Three of nine answers are read by rules."""


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logged")

    def said(doc):
        return SAID[doc["gold"] == "True"] + f" ({doc['id']})"

    log(run([TASK], said, **PARAMETERS), TASK, folder)
    return folder


def grade(logged, out, *more, grader="m"):
    return command("grade", logged, "--grader", grader, "--out", out, *more)


def figures(folder):
    [found] = read_runs([folder])
    return found.metrics


def test_figures_are_those_of_inspect_with_a_grader(logged, tmp_path, monkeypatch):
    Asked(monkeypatch, lambda prompt: VERDICT)
    out = tmp_path / "judged"
    done = grade(logged, out)
    assert done.exit_code == 0, done.output
    assert "9 answers, of which 6 were not read by rules: 6 judged" in done.output
    found = figures(out)
    assert found["judge_usage"].value == 6 / 9
    assert found["or/True"].value == 3 / 9
    assert found["or/Unknown"].value == 6 / 9
    assert (found["unread"].value, figures(logged)["unread"].value) == (0, 6 / 9)

    task = tasks.vanilla(form="judging", **PARAMETERS)
    golds = {sample.input: sample.target for sample in task.dataset}
    [host_log] = inspect_eval(
        task,
        model=mock(lambda prompt: SAID[golds[prompt] == "True"]),
        model_roles={"grader": mock(lambda prompt: VERDICT)},
        log_dir=str(tmp_path / "inspect"),
        display="none",
    )
    ours = inspect_runs.values(host_log)
    for name, figure in found.items():
        if name != "outcome":
            assert figure.value == pytest.approx(ours[name], abs=1e-9, nan_ok=True), name
    [run_found] = read_runs([out])
    assert run_found.record["notes"] == ["answers that rules could not read: judged by mockllm/m"]
    [samples] = out.glob("samples_*.jsonl")
    assert sum(row["doc"]["outcome"]["own"]["judged"] for row in read(samples)) == 6


def test_a_log_of_inspect_is_scored_again_with_a_grader(tmp_path, monkeypatch):
    task = binaryqa_qa(data="core", n=4)
    logs, out = tmp_path / "logs", tmp_path / "judged"
    model = mock(lambda prompt: "As the passage has it.")
    inspect_eval(task, model=model, log_dir=str(logs), display="none")
    asked = Asked(monkeypatch, lambda prompt: '{"verdict": "Yes"}')
    done = grade(logs, out)
    assert done.exit_code == 0, done.output
    assert len(asked) == len(task.dataset)
    shown = [each for each in asked.prompts if task.dataset[0].input in each]
    assert len(shown) == 1
    assert "As the passage has it." in shown[0]
    assert f"{len(task.dataset)} judged by mockllm/m, 0 without a verdict" in done.output
    before, after = (figures(folder) for folder in (logs, out))
    assert (before["unread"].value, after["unread"].value) == (1, 0)
    asked.answer = lambda prompt: "I'd rather not."
    assert "the grader gave no verdict on any of 4 answers" in grade(logs, tmp_path / "no").output


def test_a_failed_judge_goes_on_and_an_answer_without_a_verdict_is_left_out(
    logged, tmp_path, monkeypatch
):
    asked = Asked(monkeypatch, lambda prompt: VERDICT if len(asked) <= 2 else 1 / 0)
    out = tmp_path / "judged"
    done = grade(logged, out, "--max-connections", 1)
    assert (done.exit_code, "run the same again to go on" in done.output) == (1, True)
    assert not out.exists()
    silent = asked.prompts[2]
    asked.answer = lambda prompt: "I'd rather not." if prompt == silent else VERDICT
    asked.clear()
    assert "5 judged, 1 without a verdict" in grade(logged, out).output
    assert len(asked) == 3 + 3
    [samples] = out.glob("samples_*.jsonl")
    assert len(read(samples)) == 8


def test_what_cannot_be_judged_is_said_and_nothing_written(logged, tmp_path, monkeypatch):
    Asked(monkeypatch, lambda prompt: "I'd rather not.")
    copy, broken, out = tmp_path / "copy", tmp_path / "results_x.json", tmp_path / "out"
    shutil.copytree(logged, copy)
    next(copy.rglob("samples_*.jsonl")).unlink()
    broken.write_text("{", encoding="utf-8")
    for runs, to, told in (
        (logged, out, "the grader gave no verdict on any of 6 answers"),
        (Path(__file__), out, "no run of bias-tasks"),
        (copy, out, "run lm-eval with --log_samples"),
        (copy, copy / "judged", "lies in PATH"),
        (broken, out, "cannot be read as results of lm-eval"),
    ):
        done = grade(runs, to)
        assert done.exit_code != 0, told
        assert told in done.output
        assert not to.exists()
