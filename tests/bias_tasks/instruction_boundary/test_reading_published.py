"""The published instrument's reading, quirks included, and where the corrected one differs."""

import pytest

from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.judging import read_judging
from bias_tasks.instruction_boundary.reading.published import contains_symbol


@pytest.mark.parametrize(
    ("text", "published", "corrected"),
    [
        ("1", "True", "True"),
        ("3", "Unknown", "Unknown"),
        # A keyword for Unknown anywhere overrides the number beside it.
        ("1. Nothing is missing.", "Unknown", "True"),
        ("The answer is 2. Fact 3 is unclear.", "Unknown", "False"),
        # Parts of words match, and the list for True is tried before the one for False.
        ("disproven", "True", "False"),
        ("The statement is incorrect.", "True", "False"),
        ("It does not support the statement.", "True", None),
        # Any digit counts, wherever it stands; different ones leave it to the words.
        ("Fact 2 says so.", "False", None),
        ("Fact 1 and fact 2 contradict it.", "False", "False"),
        ("hello", None, None),
        ("", None, None),
    ],
)
def test_judging(text, published, corrected):
    assert read_judging(text, protocol="published").label == published
    assert read_judging(text).label == corrected


@pytest.mark.parametrize(
    ("text", "published", "corrected"),
    [
        ("1, 3", ("multiple", (1, 3)), ("multiple", (1, 3))),
        ("0", ("single", (0,)), ("single", (0,))),
        # A word of the lists anywhere overrides an explicit answer.
        ("The answer is 2. Option 1 cannot be right.", ("none", ()), ("single", (2,))),
        ("2, though the passage is difficult", ("none", ()), None),
        ("nonetheless 2", ("none", ()), None),
        # Every digit from 0 to 3 anywhere is an option; others are dropped.
        ("The answer is 2 because of fact 3.", ("multiple", (2, 3)), ("single", (2,))),
        ("1, 3, 4", ("multiple", (1, 3)), ("invalid", (1, 3))),
        ("5, 6", (None, ()), ("invalid", ())),
        ("No correct answer", ("none", ()), ("none", ())),
        ("abc", (None, ()), (None, ())),
    ],
)
def test_choice(text, published, corrected):
    reading = read_choice(text, n_options=4, first=0, protocol="published")
    assert (reading.label, reading.options) == published
    if corrected is not None:
        reading = read_choice(text, n_options=4, first=0)
        assert (reading.label, reading.options) == corrected


def test_choice_digits_are_the_first_four_whatever_was_shown():
    text = "0, 4"
    assert read_choice(text, n_options=6, first=0, protocol="published").options == (0,)
    reading = read_choice("1, 3", n_options=3, first=0, protocol="published")
    assert (reading.label, reading.options) == ("invalid", (1,))


def test_letters_count_wherever_they_occur():
    text = "Because of that, E."
    assert contains_symbol(text, "E")
    assert contains_symbol(text, "B")
    assert contains_symbol("the answer", "a")
    assert not contains_symbol("the", "A")
    reading = read_choice(text, n_options=10, symbols="letters", protocol="published")
    assert reading.options == tuple(
        position for position in range(10) if contains_symbol(text, "ABCDEFGHIJ"[position])
    )
    assert read_choice(text, n_options=10, symbols="letters").options != reading.options


def test_spans_hold_behind_letters_that_grow_in_lower_case():
    text = "İİİİ unknown"
    for protocol in ("published", "corrected"):
        reading = read_judging(text, protocol=protocol)
        assert text[slice(*reading.span)] == "unknown"
