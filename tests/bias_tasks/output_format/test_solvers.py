"""The format solvers on a task that is not ours, and on ours."""

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes

from bias_tasks.solvers.format_instruction import format_instruction
from bias_tasks.tasks import output_format as tasks
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.output_format.runs import evaluated

BOLD = "Wrap your final answer in bold by enclosing it with double asterisks."
CHOICES = {"choices": ["6", "7"], "target": "B"}


def foreign(solver, **sample):
    """A task of somebody else with one sample."""
    sample = {"id": 7, "input": "What is 3 + 4?", "target": "7"} | sample
    return Task(dataset=[Sample(**sample)], solver=solver, scorer=includes())


def ask(task, tmp_path):
    """The log of a run, and the prompt that was asked."""
    log = evaluated(task, tmp_path, mock(lambda prompt: "7"))
    return log, log.samples[0].messages[0].text if log.samples else ""


def test_the_instruction_ends_the_prompt_as_often_as_asked(tmp_path):
    log, prompt = ask(foreign(format_instruction("bolding", repeat=3)), tmp_path)
    assert log.status == "success", log.error
    assert prompt == "What is 3 + 4?\n\n" + "\n".join([BOLD] * 3)
    assert len(log.samples[0].messages) == 2
    wrapped = "Wrap your final list by <ANSWER> and </ANSWER>."
    _, prompt = ask(foreign(format_instruction("python", prompting="zs_cot")), tmp_path)
    assert prompt.endswith(wrapped)


def test_a_sample_that_the_format_does_not_fit_is_an_error(tmp_path):
    ours = tasks.format_wrapping(data="synthetic", n=1, formats="bolding")
    ours.solver = format_instruction("bolding")
    for task, said in (
        (foreign(format_instruction("json")), "needs keys to ask for"),
        (foreign(format_instruction("bolding", keys="Name")), "asks for no keys"),
        (foreign(format_instruction("text")), "can't hold an answer without options"),
        (foreign(format_instruction("python"), **CHOICES), "can't hold an option of several"),
        (ours, "takes repeat= and demos="),
    ):
        log, _ = ask(task, tmp_path)
        assert log.status == "error"
        assert said in log.error.message


def test_demonstrations_stand_before_the_question_in_the_format(tmp_path):
    one, other = (
        ask(foreign(format_instruction("brackets", demos=3, seed=seed)), tmp_path)[1]
        for seed in (0, 1)
    )
    shown, _, request = one.partition("What is 3 + 4?")
    assert shown.count("\n[[") == 3
    assert "double square brackets" in request
    assert other.endswith(request)
    assert not other.startswith(shown)


def test_a_demonstration_is_never_the_question_itself(tmp_path):
    """By its id, by its words, and by its words with more around them."""
    inputs = "what IS  3 + 4?", "Sum up. What is 3 + 4? Be brief.", "What?", "Who is it?"
    rows = [
        {"id": f"t{n}", "input": text, "answer": f"gold {n}", "answer_type": "text"}
        for n, text in enumerate(inputs)
    ]
    path = write_jsonl(tmp_path / "training.jsonl", rows)
    one, two = (format_instruction("bolding", demos=n, demos_from=str(path)) for n in (1, 2))
    assert "**gold 3**" in ask(foreign(one, id="t2"), tmp_path)[1]
    log, _ = ask(foreign(two, id="t2"), tmp_path)
    assert "wanted: 2, training items with an answer of type text: 1" in log.error.message
