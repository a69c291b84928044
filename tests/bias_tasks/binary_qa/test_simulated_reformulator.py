"""The simulated model for the role `reformulator`."""

import pytest

from bias_tasks.binary_qa.items import BINARY_LABELS, REFORMULATIONS
from bias_tasks.binary_qa.prompts.ask import (
    NUMBER_STYLES,
    number_question_request,
    reformulation_request,
)
from bias_tasks.binary_qa.reformulation.checks import check
from bias_tasks.binary_qa.reformulation.grammar import reformulate
from bias_tasks.binary_qa.reformulation.numeric import check_number_question, number_question
from bias_tasks.respondents.completion import NOTHING
from bias_tasks.respondents.personas import make_respondent

EASY = "Is Paris the capital of France?"
HARD = "And yet the dog that {nobody} saw, was it barking at 3 men?"
COUNT = "How many {odd} yards longer than the shortest was the longest of the kicks, all in all?"


def answer(request):
    return make_respondent("reformulator").respond(request, NOTHING)


@pytest.mark.parametrize("kind", REFORMULATIONS)
def test_what_the_grammar_knows_is_reworded_by_it(kind):
    assert reformulate(EASY, kind) is not None
    assert answer(reformulation_request(EASY, kind)) == reformulate(EASY, kind)


@pytest.mark.parametrize("kind", REFORMULATIONS)
def test_any_other_question_is_framed_exactly_and_passes_the_checks(kind):
    assert reformulate(HARD, kind) is None
    text = answer(f"You are helpful.\n\n{reformulation_request(HARD, kind)}\nTry again.")
    assert text.endswith(f"affirmed: {HARD}")
    assert check(HARD, kind, text) is None


def test_frames_differ_by_kind():
    texts = {answer(reformulation_request(HARD, kind)) for kind in REFORMULATIONS}
    assert len(texts) == len(REFORMULATIONS)


@pytest.mark.parametrize("label", BINARY_LABELS)
@pytest.mark.parametrize(
    ("style", "value", "shown"),
    [
        ("threshold", "14", {"Yes": "over 13?", "No": "over 15?"}),
        ("exact", "14", {"Yes": "14?", "No": "15?"}),
        ("threshold", "2.5", {"Yes": "over 1.5?", "No": "over 3.5?"}),
    ],
)
def test_a_question_for_a_number_is_turned_so_that_the_answer_is_the_one_asked(
    style, value, shown, label
):
    number = float(value) if "." in value else int(value)
    assert number_question(COUNT, number, style, label, 0) is None
    text = answer(number_question_request(COUNT, value, style, label))
    assert text.endswith(f'"{COUNT}" {shown[label]}')
    assert check_number_question(COUNT, number, style, label, text) is None


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "Question: Is it?",
        "Question:\n" * 100_000,
        reformulation_request(EASY, "polite").replace("Reword the", "Translate the"),
        number_question_request(COUNT, "many", NUMBER_STYLES[0], "Yes"),
        number_question_request(COUNT, "9" * 30, NUMBER_STYLES[0], "Yes"),
    ],
    ids=["nothing", "bare", "hostile", "another request", "no number", "long number"],
)
def test_other_prompts_get_no_question(prompt):
    assert not answer(prompt).endswith("?")
