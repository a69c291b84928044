"""A dressed prompt prints the same options otherwise; its answer finds back to the task's own."""

import pytest

from bias_tasks.probing.option_style import Dress
from tests.bias_tasks.effort import cpu_limit

HOST = (
    "Answer with 'ANSWER: $LETTER' where LETTER is one of A,B,C.\n\nWhich?\n\nA) one\nB) two\nC) x"
)
ROMAN = Dress(labels=("I", "II", "III", "IV"))
NUMBERS = Dress(labels=("1", "2", "3", "4"))
OWN = ("A", "B", "C")


def test_labels_and_the_list_of_them_are_renamed():
    assert ROMAN.prompt(HOST) == (
        "Answer with 'ANSWER: $LETTER' where LETTER is one of I, II, III.\n\nWhich?\n\n"
        "I) one\nII) two\nIII) x"
    )


@pytest.mark.parametrize("named", ["A, B, or C", "A/B/C", "A, B and C", "A or B or C"])
def test_other_ways_to_list_the_labels_are_renamed(named):
    dressed = NUMBERS.prompt(f"A) one\nB) two\nC) x\nChoose {named}.")
    assert dressed == "1) one\n2) two\n3) x\nChoose 1, 2, 3."


@pytest.mark.parametrize(("named", "new"), [("A-C", "1-3"), ("A to C", "1 to 3")])
def test_a_range_of_labels_is_renamed(named, new):
    dressed = NUMBERS.prompt(f"A) one\nB) two\nC) x\nChoose {named}.")
    assert dressed.endswith(f"Choose {new}.")


def test_marks_separators_and_capitals_leave_everything_else():
    dressed = Dress(mark="<{label}> ", between=" | ").prompt(HOST)
    assert dressed == HOST.replace("A) one\nB) two\nC) x", "<A> one | <B> two | <C> x")
    assert Dress(capitals="upper").prompt(HOST).endswith("A) ONE\nB) TWO\nC) X")


def test_a_prompt_without_options_is_an_error():
    with pytest.raises(ValueError, match="no options"):
        ROMAN.prompt("Which?")
    assert Dress(labels=("1", "2")).options_of(HOST) is None


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("ANSWER: II", "ANSWER: B"),
        ("I think it is so.\n\nANSWER: iii", "I think it is so.\n\nANSWER: C"),
        ("The answer is (II).", "The answer is (B)."),
        ("**Answer:** II", "**Answer:** B"),
        ("ANSWER: **II**", "ANSWER: **B**"),
        ("The correct option is II because of that.", "The correct option is B because of that."),
        ("II", "B"),
        ("II) two", "B) two"),
        ("(II) two", "(B) two"),
        ("ANSWER: I\nNo wait.\nANSWER: II", "ANSWER: A\nNo wait.\nANSWER: B"),
        # What names no label stays: how it fares is for the task's own reader to say.
        ("My answer: I think so", "My answer: I think so"),
        ("I think so", "I think so"),
        ("ANSWER: B", "ANSWER: B"),
        ("ANSWER: IV", "ANSWER: IV"),
        ("", ""),
    ],
)
def test_an_answer_is_put_under_the_tasks_own_label(said, read):
    assert ROMAN.answer(said, OWN) == read


def test_without_labels_of_its_own_an_answer_stays():
    assert Dress(mark="({label}) ").answer("ANSWER: 2", OWN) == "ANSWER: 2"


@pytest.mark.parametrize("piece", ["answer", "answer: ", "answer is ((((", "ANSWER: I ", " ", "I"])
def test_long_answers_are_bounded(piece):
    with cpu_limit(20):
        ROMAN.answer(piece * 1_000_000, OWN)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("ANSWER: I, III", "ANSWER: A, C"),
        ("ANSWER: I,II,III", "ANSWER: A,B,C"),
        (
            "I think it over.\nThe answers are II and III.",
            "I think it over.\nThe answers are B and C.",
        ),
        ("II & III", "B & C"),
        ("ANSWER: iii, i", "ANSWER: C, A"),
        ("ANSWER: II, since I read it", "ANSWER: B, since I read it"),
    ],
)
def test_several_labels_are_all_brought_back(said, read):
    assert ROMAN.answer(said, OWN) == read
