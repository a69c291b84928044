"""`bias-tasks score --grader`: unparsed answers graded after a run, as by a grader in its role."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import score

from bias_tasks import instruction_boundary_tasks as tasks
from bias_tasks.binary_qa_tasks import binaryqa_qa
from bias_tasks.results.answers import load_all_metrics
from bias_tasks.results.find import read_runs
from bias_tasks.scorers.outcome import outcome
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.commands.rows import read
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


@pytest.fixture
def grader(monkeypatch, tmp_path):
    """A grader whose `answer` a test sets; `prompts` are those that reached it."""
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    prompts = []
    used = SimpleNamespace(answer=lambda prompt: VERDICT, prompts=prompts)

    def reply(prompt):
        prompts.append(prompt)
        return used.answer(prompt)

    def open_model(name, *, config, **options):
        model = mock(reply, name)
        model.config = config
        return model

    monkeypatch.setattr("bias_tasks.commands.score.get_model", open_model)
    return used


def grade(logged, out, *options):
    return typed("score", logged, "--grader", "m", "--out", out, *options, columns=200)


def read_metrics(folder):
    [graded_run] = read_runs([folder])
    return load_all_metrics(graded_run).metrics


@pytest.mark.usefixtures("grader")
def test_metrics_are_those_of_inspect_with_a_grader(logged, tmp_path):
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


def test_inspect_scores_a_log_again_with_a_grader(tmp_path):
    task, logs = binaryqa_qa(data="core", n=4), tmp_path / "logs"
    model = mock(lambda prompt: "As the passage has it.")
    [run_log] = inspect_eval(task, model=model, log_dir=str(logs), display="none")
    verdicts = mock(lambda prompt: '{"verdict": "Yes"}')
    options = {"model_roles": {"grader": verdicts}, "action": "overwrite", "display": "none"}
    scored = score(run_log, outcome("binary_qa"), model="none/none", **options)
    assert inspect_runs.values(run_log)["unparsed"] == 1
    assert inspect_runs.values(scored)["unparsed"] == 0


def test_a_failed_run_resumes_and_an_answer_without_a_verdict_is_excluded(logged, tmp_path, grader):
    out = tmp_path / "graded"
    grader.answer = lambda prompt: VERDICT if len(grader.prompts) <= 2 else 1 / 0
    done = grade(logged, out)
    assert done.exit_code == 1
    assert "the grader mockllm/m failed: " in done.output
    assert "repeat the command to resume" in done.output
    assert not out.exists()
    silent = grader.prompts[2]
    grader.answer = lambda prompt: "I'd rather not." if prompt == silent else VERDICT
    grader.prompts.clear()
    assert "5 graded, 1 without a verdict" in " ".join(grade(logged, out).output.split())
    assert len(grader.prompts) == 3 + 3
    [samples] = out.glob("samples_*.jsonl")
    assert len(read(samples)) == 8


def test_what_cannot_be_graded_is_reported_and_nothing_written(logged, tmp_path, grader):
    grader.answer = lambda prompt: "I'd rather not."
    broken, out = tmp_path / "results_x.json", tmp_path / "out"
    broken.write_text("{", encoding="utf-8")
    for runs, message in (
        (logged, "the grader gave no verdict on any of 6 answers"),
        (Path(__file__), "no finished run of bias-tasks was found; give Inspect logs"),
        (broken, "neither an Inspect log nor results of lm-eval"),
    ):
        done = grade(runs, out)
        assert done.exit_code != 0, message
        assert message in done.output
        assert not out.exists()


def test_a_grader_that_does_not_exist_is_one_line(logged, tmp_path):
    done = typed("score", logged, "--grader", "nobody/knows", "--out", tmp_path / "out")
    assert done.output.splitlines()[-1].startswith("Error: ")
    assert "nobody" in done.output
