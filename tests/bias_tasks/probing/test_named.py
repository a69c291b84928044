"""Which labels an answer names: those that the task would have read of a plain answer."""

import pytest

from bias_tasks.probing.answers import content_of
from bias_tasks.probing.option_style import Dress
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.label_extraction import named_labels
from tests.bias_tasks.effort import cpu_limit

OWN = ("A", "B", "C", "D")
ROMAN = Dress(labels=("I", "II", "III", "IV"))
NUMBERS = Dress(labels=("1", "2", "3", "4"))
LETTERS = Dress(labels=("P", "Q", "R", "S"))
METALS = ProbedItem("m", "Which?", ("iron", "gold", "tin", "lead"), right=(1,), target="B")


@pytest.mark.parametrize(
    ("said", "read"),
    [
        # A list in the reasoning hides no answer behind it.
        (
            "Options I, II and III are wrong.\nANSWER: IV",
            "Options A, B and C are wrong.\nANSWER: D",
        ),
        ("I and II are wrong, so\nANSWER: IV", "I and II are wrong, so\nANSWER: D"),
        # Nor does an option that is spoken of behind the answer.
        ("ANSWER: II\nOption I: too wet.", "ANSWER: B\nOption A: too wet."),
        ("ANSWER: II (Paris)", "ANSWER: B (Paris)"),
        ("ANSWER: II - Paris", "ANSWER: B - Paris"),
        ("The correct answer is **II) Paris**.", "The correct answer is **B) Paris**."),
        ("ANSWER: `II`", "ANSWER: `B`"),
        ("So \\boxed{II}", "So \\boxed{B}"),
        ("The answer is $\\boxed{\\text{II}}$", "The answer is $\\boxed{\\text{B}}$"),
        ("The correct choice would be II", "The correct choice would be B"),
        ("II is correct, for it is dry", "B is correct, for it is dry"),
        ("I would say II", "I would say B"),
        ("It's II.", "It's B."),
        ("ANSWER: II III", "ANSWER: B C"),
        # These name none.
        ("Answer: I'd rather not", "Answer: I'd rather not"),
        ("The answer is I think II and so on", "The answer is I think II and so on"),
        ("Nobody is wiser than I", "Nobody is wiser than I"),
    ],
)
def test_roman_labels(said, read):
    assert ROMAN.answer(said, OWN) == read


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("ANSWER: 13", "ANSWER: AC"),
        ("ANSWER: 1 3", "ANSWER: A C"),
        ("ANSWER: 3) 2 apples", "ANSWER: C) 2 apples"),
        ("answer is 2 apples", "answer is 2 apples"),
        ("ANSWER: 2.5", "ANSWER: 2.5"),
        ("answer: 1,000", "answer: 1,000"),
        ("ANSWER: 15", "ANSWER: 15"),
        ("1. Look.\n2. Think.\nANSWER: 3", "1. Look.\n2. Think.\nANSWER: C"),
    ],
)
def test_numbers(said, read):
    assert NUMBERS.answer(said, OWN) == read


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("ANSWER: II Paris", "ANSWER: B Paris"),
        ("Answer: **ii  new\nyork**", "Answer: **ii  new\nyork**"),
        ("Hm.\nThe answer is III New  York, for sure", "Hm.\nThe answer is C New  York, for sure"),
        ("II Paris", "B Paris"),
        (
            "Option I Rome is no capital.\nANSWER: II Paris",
            "Option A Rome is no capital.\nANSWER: B Paris",
        ),
        ("ANSWER: I think", "ANSWER: I think"),
        ("Answer: I Paris", "Answer: I Paris"),
        ("ANSWER: II Parisian", "ANSWER: II Parisian"),
        ("I think it is Rome", "I think it is Rome"),
        ("ANSWER: IV because of rain", "ANSWER: D because of rain"),
    ],
)
def test_a_label_may_stand_right_before_its_choice(said, read):
    assert ROMAN.answer(said, OWN, ("Rome", "Paris", "New York", "because of rain")) == read


def test_what_was_meant_is_told_by_a_label_before_its_choice():
    assert content_of(METALS, Asked(order=(1, 0, 2, 3)), "ANSWER: A gold", OWN) == "#1"
    assert content_of(METALS, Asked(), "ANSWER: A gold", OWN) == "answer: a gold"


def test_long_free_answers_are_the_same_where_all_of_them_is():
    one, two, three = (
        content_of(ProbedItem("f", "?"), Asked(), text, ())
        for text in ("word " * 9_000, "Word  " * 9_000, "word " * 9_001)
    )
    assert one == two != three
    assert len(one) < 1_100


def test_letters_that_are_joined_are_labels_in_capitals_alone():
    assert LETTERS.answer("ANSWER: PR", OWN) == "ANSWER: AC"
    assert named_labels("The answer is bad.", OWN) == []


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("B", "#0"),
        ("I think.\nANSWER: B", "#0"),
        ("ANSWER: B\nOption A is wrong", "#0"),
        ("B. gold", "#0"),
        ("ANSWER: AC", "#1 #2"),
        ("A, C", "#1 #2"),
        # A choice's words mean that choice wherever it stands.
        ("gold", "#1"),
        ("Gold.", "#1"),
        ("some gold", "some gold"),
    ],
)
def test_an_answer_is_the_choice_that_it_means_in_the_order_shown(said, content):
    assert content_of(METALS, Asked(order=(1, 0, 2, 3)), said, OWN) == content


@pytest.mark.parametrize(
    "piece",
    ["[", "answer", "answer: (((", "A, ", "A and ", "\\boxed{", "\\text{", "AB", "\x00 ", "is "],
)
def test_long_answers_are_bounded(piece):
    with cpu_limit(20):
        named_labels(piece * 1_000_000, OWN)
        ROMAN.answer(f"{piece}{'[' * 3_000_000}", OWN)
