"""`bias-tasks score --grader`: unparsed answers graded after a run, as by a grader in its role."""

import shutil
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks import instruction_boundary_tasks as tasks
from bias_tasks.binary_qa_tasks import binaryqa_qa
from bias_tasks.results.answers import load_all_metrics
from bias_tasks.results.find import read_runs
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.commands.batch_requests import Requests, read
from tests.bias_tasks.commands.batch_requests import run as command
from tests.bias_tasks.harness_runs import log, run
from tests.bias_tasks.mocks import mock

TASK = "ib_vanilla_judging"
VERDICT = "__UNKNOWN__"
PARAMETERS = {"data": "synthetic", "n": 9}
ANSWERS = {True: "Final Answer: 1", False: "The statement is upheld by what is said."}
"""Three of nine answers are parsed by rules."""


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logged")

    def answer(doc):
        return ANSWERS[doc["gold"] == "True"] + f" ({doc['id']})"

    log(run([TASK], answer, **PARAMETERS), TASK, folder)
    return folder


def grade(logged, out, *options, grader="m"):
    return command("score", logged, "--grader", grader, "--out", out, *options)


def read_metrics(folder):
    [graded_run] = read_runs([folder])
    return load_all_metrics(graded_run).metrics


def test_metrics_are_those_of_inspect_with_a_grader(logged, tmp_path, monkeypatch):
    Requests(monkeypatch, lambda prompt: VERDICT)
    out = tmp_path / "graded"
    done = grade(logged, out)
    assert done.exit_code == 0, done.output
    assert (
        "9 answers, 0 with another value, 6 newly parsed, 0 no longer parsed, 6 graded, 0 without"
        in (" ".join(done.output.split()))
    )
    metrics = read_metrics(out)
    assert metrics["judge_usage"].value == 6 / 9
    assert metrics["or/True"].value == 3 / 9
    assert metrics["or/Unknown"].value == 6 / 9
    assert (metrics["unparsed"].value, read_metrics(logged)["unparsed"].value) == (0, 6 / 9)

    task = tasks.vanilla(form="judging", **PARAMETERS)
    golds = {sample.input: sample.target for sample in task.dataset}
    [inspect_log] = inspect_eval(
        task,
        model=mock(lambda prompt: ANSWERS[golds[prompt] == "True"]),
        model_roles={"grader": mock(lambda prompt: VERDICT)},
        log_dir=str(tmp_path / "inspect"),
        display="none",
    )
    inspect_values = inspect_runs.values(inspect_log)
    for name, metric in metrics.items():
        if name != "outcome":
            assert metric.value == pytest.approx(inspect_values[name], abs=1e-9, nan_ok=True), name
    [graded_run] = read_runs([out])
    assert graded_run.record.notes[1:] == ("unparsed answers: graded by mockllm/m",)
    [samples] = out.glob("samples_*.jsonl")
    assert sum(row["doc"]["outcome"]["extra"]["graded"] for row in read(samples)) == 6
    assert {row["unparsed"] for row in read(samples)} == {0}


def test_a_log_of_inspect_is_scored_again_with_a_grader(tmp_path, monkeypatch):
    task = binaryqa_qa(data="core", n=4)
    logs, out = tmp_path / "logs", tmp_path / "graded"
    model = mock(lambda prompt: "As the passage has it.")
    inspect_eval(task, model=model, log_dir=str(logs), display="none")
    requests = Requests(monkeypatch, lambda prompt: '{"verdict": "Yes"}')
    done = grade(logs, out)
    assert done.exit_code == 0, done.output
    assert len(requests) == len(task.dataset)
    prompts = [prompt for prompt in requests.prompts if task.dataset[0].input in prompt]
    assert len(prompts) == 1
    assert "As the passage has it." in prompts[0]
    assert f"{len(task.dataset)} graded, 0 without a verdict" in " ".join(done.output.split())
    before, after = (read_metrics(folder) for folder in (logs, out))
    assert (before["unparsed"].value, after["unparsed"].value) == (1, 0)
    requests.answer = lambda prompt: "I'd rather not."
    assert "the grader gave no verdict on any of 4 answers" in grade(logs, tmp_path / "no").output


def test_a_failed_run_resumes_and_an_answer_without_a_verdict_is_excluded(
    logged, tmp_path, monkeypatch
):
    requests = Requests(monkeypatch, lambda prompt: VERDICT if len(requests) <= 2 else 1 / 0)
    out = tmp_path / "graded"
    done = grade(logged, out, "--max-connections", 1)
    assert (done.exit_code, "repeat the command to resume" in " ".join(done.output.split())) == (
        1,
        True,
    )
    assert not out.exists()
    silent = requests.prompts[2]
    requests.answer = lambda prompt: "I'd rather not." if prompt == silent else VERDICT
    requests.clear()
    assert "5 graded, 1 without a verdict" in " ".join(grade(logged, out).output.split())
    assert len(requests) == 3 + 3
    [samples] = out.glob("samples_*.jsonl")
    assert len(read(samples)) == 8


def test_what_cannot_be_graded_is_reported_and_nothing_written(logged, tmp_path, monkeypatch):
    Requests(monkeypatch, lambda prompt: "I'd rather not.")
    copy, broken, out = tmp_path / "copy", tmp_path / "results_x.json", tmp_path / "out"
    shutil.copytree(logged, copy)
    next(copy.rglob("samples_*.jsonl")).unlink()
    broken.write_text("{", encoding="utf-8")
    for runs, target, message in (
        (logged, out, "the grader gave no verdict on any of 6 answers"),
        (Path(__file__), out, "no finished run of bias-tasks was found; give Inspect logs"),
        (copy, out, "run lm-eval with --log_samples"),
        (copy, copy / "graded", "is in PATH"),
        (broken, out, "neither an Inspect log nor results of lm-eval"),
    ):
        done = grade(runs, target)
        assert done.exit_code != 0, message
        assert message in done.output
        assert not target.exists()
