"""Which planted flaws the quotes of reports show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.complex_eval.flaws_found import located
from bias_tasks.complex_eval.quotes import matched
from bias_tasks.complex_eval.reading.score_values import MOST_FLAWS, ReportedFlaw
from tests.bias_tasks.effort import cpu_limit

TURNS = [
    "Mara: (weeps) The ship is gone. I am happy to help.",
    "Otis: (nods) Who would trade a ship for so little? I am happy to help.",
    "Mara: (nods) We never had a lantern.",
    "Otis: (smiles) They ask for bread. We never had a lantern.",
    "Mara: (nods) The well is dry, the well is dry.",
]
PLANTED = [
    {"dimension": "Story", "turn": 0, "words": "(weeps)"},
    {"dimension": "Voice", "turn": 0, "words": "I am happy to help."},
    {"dimension": "Voice", "turn": 1, "words": "I am happy to help."},
    {"dimension": "Plot", "turn": 3, "words": "We never had a lantern."},
]


def found(*reports):
    return located([ReportedFlaw(name, 1, quote) for name, quote in reports], PLANTED, TURNS)


@pytest.mark.parametrize(
    ("dimension", "quote"),
    [
        ("Voice", "(weeps) The ship is gone. I am happy to help."),  # its whole turn
        ("Voice", "Mara: (weeps) The ship is gone. I am happy to help."),
        ("Voice", "I am happy to help."),
        ("Voice", "i AM  happy\nto help"),
        ("Voice", "“I am happy to help”"),
        ("Voice", "*I am happy* to help..."),
        ("Voice", "happy to help"),
        ("Voice", "The ship ... I am happy to help"),
        ("Voice", "Who would trade a ship … happy to help."),
        ("Story", "(weeps)"),  # one word, which is the whole flaw
        ("Story", "*weeps* The ship is gone."),
        ("Story", "Mara: (weeps)"),
        ("Plot", "We never had a lantern."),  # the flaw is that the turn repeats the one before
        ("Plot", "They ask for bread. We never had a lantern."),
    ],
)
def test_a_quote_of_the_flaw_locates_it(dimension, quote):
    assert found((dimension, quote)) == 1


@pytest.mark.parametrize(
    ("dimension", "quote", "why"),
    [
        ("Voice", "ppy", "part of a word"),
        ("Voice", "happy", "one word of several"),
        ("Voice", "to help", "too short"),
        ("Voice", "", "nothing"),
        ("Voice", "...", "nothing"),
        ("Voice", "!?", "nothing"),
        ("Voice", "The ship is gone.", "of the turn, but not of the flaw"),
        ("Voice", "The ship is gone. I", "hardly of the flaw"),
        ("Voice", "I am happy to help ... The ship is gone", "not in this order"),
        ("Voice", "We never had a lantern", "another flaw's words"),
        ("Story", "I am happy to help.", "another dimension's words"),
        ("Plot", "Mara: (nods) We never had a lantern.", "only in the turn that is repeated"),
        ("Voice", "\n".join(TURNS), "the whole dialogue"),
        ("Style", "I am happy to help.", "a dimension without a flaw"),
    ],
)
def test_other_quotes_locate_nothing(dimension, quote, why):
    assert found((dimension, quote)) == 0, why


def test_a_quote_that_stands_in_turns_without_the_flaw_pins_nothing():
    planted = [{"dimension": "Story", "turn": 4, "words": "the well is dry, the well is dry"}]
    assert located([ReportedFlaw("Story", 1, "The well is dry")], planted, TURNS) == 1
    said_before = [*TURNS[:3], "Otis: The well is dry.", TURNS[4]]
    assert located([ReportedFlaw("Story", 1, "The well is dry")], planted, said_before) == 0


def test_no_two_reports_stand_for_the_same_flaw():
    same = ("Voice", "I am happy to help.")
    assert found(same, same, same) == 2
    assert found(same, ("Voice", "is gone. I am happy to help.")) == 2
    turn = ("Voice", "(weeps) The ship is gone. I am happy to help.")
    assert found(turn, turn, turn) == 1


def test_as_many_are_located_as_there_can_be():
    # Greedy by fewest choices would take 0 for the first and leave the third nothing.
    assert matched([[0, 1], [1, 2], [0, 2], [0]]) == 3
    assert matched([[0, 1], [0]]) == 2
    assert matched([[], [3], [3]]) == 1


@given(st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=6))
def test_matching_is_symmetric(choices):
    flaws = [[r for r, chosen in enumerate(choices) if flaw in chosen] for flaw in range(6)]
    assert matched(choices) == matched(flaws) <= min(len(choices), 6)


def test_the_longest_list_of_hostile_quotes_takes_bounded_time():
    for quote in ("the " * 500, "a ... " * 60, "i am happy to help", "…" * 5_000, "\u202e" * 5_000):
        with cpu_limit(20, quote[:12]):
            assert 0 <= found(*[("Voice", quote)] * MOST_FLAWS) <= 2
