"""The solver `format_instruction` on another package's task and on ours."""

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

from bias_tasks import output_format_tasks as tasks
from bias_tasks.solvers.format_instruction import format_instruction
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.output_format.runs import evaluated

BOLD = "Wrap your final answer in bold by enclosing it with double asterisks."
CHOICES = {"choices": ["6", "7"], "target": "B"}


def any_task(solver, **sample):
    """Return another package's task with one sample."""
    sample = {"id": 7, "input": "What is 3 + 4?", "target": "7"} | sample
    return Task(dataset=[Sample(**sample)], solver=[solver, generate()], scorer=includes())


def run(task, tmp_path):
    """Return the log of a run, and its prompt."""
    log = evaluated(task, tmp_path, mock(lambda prompt: "7"))
    return log, log.samples[0].messages[0].text if log.samples else ""


def test_the_instruction_ends_the_prompt_and_is_repeated(tmp_path):
    log, prompt = run(any_task(format_instruction("bolding", repeat=3)), tmp_path)
    assert log.status == "success", log.error
    assert prompt == "What is 3 + 4?\n\n" + "\n".join([BOLD] * 3)
    assert len(log.samples[0].messages) == 2
    wrapped = "Wrap your final list by <ANSWER> and </ANSWER>."
    _, prompt = run(any_task(format_instruction("python", prompting="zs_cot")), tmp_path)
    assert prompt.endswith(wrapped)


def test_a_sample_that_the_format_does_not_fit_is_an_error(tmp_path):
    ours = tasks.format_wrapping(data="synthetic", n=1, formats="bolding")
    ours.solver = format_instruction("bolding")
    for task, message in (
        (any_task(format_instruction("json")), "needs keys: set keys="),
        (any_task(format_instruction("bolding", keys="Name")), "takes no keys: remove keys="),
        (any_task(format_instruction("text")), "does not support a free answer"),
        (
            any_task(format_instruction("python"), **CHOICES),
            "does not support an answer to a question with options",
        ),
        (ours, "set repeat= and demos= of its task"),
    ):
        log, _ = run(task, tmp_path)
        assert log.status == "error"
        assert message in log.error.message


def test_demonstrations_precede_the_question_in_the_format(tmp_path):
    first, second = (
        run(any_task(format_instruction("brackets", demos=3, seed=seed)), tmp_path)[1]
        for seed in (0, 1)
    )
    examples, _, request = first.partition("What is 3 + 4?")
    assert examples.count("\n[[") == 3
    assert "double square brackets" in request
    assert second.endswith(request)
    assert not second.startswith(examples)


def test_a_demonstration_is_never_the_question_itself(tmp_path):
    """By its id, by its text, and by its text with more around it."""
    inputs = "what IS  3 + 4?", "Sum up. What is 3 + 4? Be brief.", "What?", "Who is it?"
    rows = [
        {"id": f"t{n}", "input": text, "answer": f"gold {n}", "answer_type": "text"}
        for n, text in enumerate(inputs)
    ]
    path = write_jsonl(tmp_path / "training.jsonl", rows)
    one, two = (format_instruction("bolding", demos=n, demos_from=str(path)) for n in (1, 2))
    assert "**gold 3**" in run(any_task(one, id="t2"), tmp_path)[1]
    log, _ = run(any_task(two, id="t2"), tmp_path)
    assert (
        "2 demonstrations are required, but only 1 training items have an answer of type text"
        in log.error.message
    )
