"""The formats of any task's final answer: what is asked for, and what the task then reads."""

import random

import pytest

from bias_tasks.output_format.formats.base import load_instruction
from bias_tasks.output_format.formats.wrappings import WRAPPINGS
from bias_tasks.probing.answers import restore_task_form
from bias_tasks.probing.formats import FINAL_FORMATS, FormattedAnswer
from bias_tasks.probing.items import Perturbation, ProbedItem
from bias_tasks.probing.probes import PROBES
from bias_tasks.probing.probes.base import ProbeInput
from bias_tasks.probing.skip_reasons import ProbeNotApplicableError
from tests.bias_tasks.effort import cpu_limit

LETTERS = ("A", "B")
PETS = ProbedItem("p", "Which barks?", ("the cat", "The dog."), (1,), target="B")
FREE = ProbedItem("f", "How many?", target="18")


def read(name, text, item=PETS, lead="ANSWER:"):
    return restore_task_form(item.to_data("format", Perturbation(format=name)), text, LETTERS, lead)


READ = [
        ("json", '{"answer": "B"}', "ANSWER: B"),
        ("json", "{'Answer': ['B'],}", "ANSWER: B"),
        ("json", "Not A.\n```json\n{'answer': 'B'}\n```\nDone.", "Not A.\nANSWER: B\nDone."),
        ("json", 'ANSWER: {"answer": "B"}', "ANSWER: B"),
        ("json", 'So my output: {"answer": "B"}', "So my output: ANSWER: B"),
        ("json", '{"answer": ["A", "B"]}', "ANSWER: A, B"),
        ("json", '{"answer": "A"} or {"answer": "B"}', '{"answer": "A"} or ANSWER: B'),
        ("yaml", "answer: 'B'", "ANSWER: B"),
        ("yaml", "Sure:\n```yaml\nanswer:\n  - B\n```", "Sure:\nANSWER: B"),
        ("python", "['B']", "ANSWER: B"),
        ("bullet", "- B", "ANSWER: B"),
        ("bullet", "- mews\n- barks\n\nSo:\n* B", "- mews\n- barks\n\nSo:\nANSWER: B"),
        ("character", "(b).", "ANSWER: B"),
        ("character", "Dogs bark.\nANSWER: **B**", "Dogs bark.\nANSWER: B"),
        ("text", "the dog", "ANSWER: B"),
        ("text", "Dogs bark.\nANSWER: The dog", "Dogs bark.\nANSWER: B"),
        ("bolding", "ANSWER: **B**", "ANSWER: B"),
]  # fmt: skip


UNPARSED = {
    "json": ['{"choice": "B"}', '{"answer": {"is": "B"}}', '{"answer": ""}', '{"answer": "B"',
             "f{'answer': 'B'}"],
    "yaml": ["ANSWER: B", "answer: [B"],
    "python": ["as [1] says", "[]"],
    "bullet": ["- A\n- B"],
    "character": ["B or A", "Z"],
    "text": ["a dog", ""],
    "bolding": ["ANSWER: B"],
}  # fmt: skip


def test_the_answer_replaces_its_format_and_the_rest_stays():
    cases = [*READ, *((name, said, said) for name, all_ in UNPARSED.items() for said in all_)]
    assert [(name, said, read(name, said)) for name, said, _ in cases] == cases


def test_the_tokens_of_each_wrapping_of_the_paper_are_removed():
    wrappings = [form for form in WRAPPINGS if form.source == "paper"]
    assert {form.name for form in wrappings} < {*FINAL_FORMATS}
    for form in wrappings:
        assert read(form.name, f"So {form.opening}B{form.closing}") == "So B", form.name
        assert FINAL_FORMATS[form.name].instruction == load_instruction(form.name)


def test_without_a_lead_the_answer_has_no_lead():
    assert read("json", '{"answer": 18}', FREE, "") == "18"
    assert (
        read("json", 'The answer is {"answer": 18}.', FREE, "The answer is") == "The answer is 18."
    )
    assert read("text", "the cat", lead="") == "A"


def test_formats_of_choices_are_only_for_items_with_choices():
    ask = PROBES["format"].perturb
    drawn = {ask(FREE, random.Random(seed), ProbeInput()).format for seed in range(200)}
    assert drawn == set(FINAL_FORMATS) - {"character", "text"}
    given = ProbeInput(formats=("text", "character"))
    assert ask(PETS, random.Random(0), given).format in ("character", "text")
    with pytest.raises(ProbeNotApplicableError, match="it has no choices"):
        ask(FREE, random.Random(0), given)


@pytest.mark.parametrize("piece", ["{", "[", "answer: ", "answer:\n- ", "- a\n", "ANSWER: ", "`"])
def test_long_answers_are_bounded(piece):
    with cpu_limit(20):
        for each in FINAL_FORMATS.values():
            each.unwrap(FormattedAnswer(piece * 1_000_000, "ANSWER:", LETTERS, ("x", "y"), LETTERS))
