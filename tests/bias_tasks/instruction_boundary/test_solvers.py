"""The settings as solvers on a task that is not ours."""

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice

from bias_tasks.solvers.any_task import polish, suggest, terse
from tests.bias_tasks.mocks import mock


def any_task():
    """A multiple choice task of another package, in the form of `inspect_evals/mmlu_0_shot`."""
    samples = [
        Sample(id=i, input=f"What is {i} + 1?", choices=["0", str(i + 1), "9", "8"], target="B")
        for i in range(1, 4)
    ]
    return Task(dataset=samples, solver=multiple_choice(), scorer=choice())


def run(task, solver, answers, tmp_path, **options):
    run_options = {
        "log_dir": str(tmp_path),
        "display": "none",
        "log_realtime": False,
        "max_samples": 1,
    }
    [log] = inspect_eval(task, model=mock(answers), solver=solver, **run_options, **options)
    return log


def test_what_a_suggestion_lacks_is_said_for_python_too(tmp_path):
    sample = Sample(id=1, input="Which?", choices=["a", "b"], target=["A", "B"])
    task = Task(dataset=[sample], solver=multiple_choice(multiple_correct=True), scorer=choice())
    log = run(task, suggest(), ["ANSWER: A"], tmp_path)
    assert (
        "set one by the argument `answer` (-S answer=... on the command line)" in log.error.message
    )


def test_prompts_of_any_task_are_changed(tmp_path):
    log = run(any_task(), suggest(), ["ANSWER: B"] * 3, tmp_path)
    assert log.results.scores[0].metrics["accuracy"].value == 1
    for sample in log.samples:
        sentence = sample.messages[0].text.rsplit("\n\n", 1)[1]
        assert sentence.startswith("The answer to this problem is ")
        assert sentence[-2] in "ACD"  # a wrong one
    log = run(any_task(), terse(), ["ANSWER: B"] * 3, tmp_path)
    assert log.results.scores[0].metrics["accuracy"].value == 1
    assert log.samples[0].messages[0].text.startswith("What is 1 + 1?\nA) 0\nB) 2")
    roles = {"polisher": mock([f"Polished {i}" for i in range(3)])}
    log = run(any_task(), polish(), ["ANSWER: B"] * 3, tmp_path, model_roles=roles)
    assert [s.messages[0].text for s in log.samples] == ["Polished 0", "Polished 1", "Polished 2"]
