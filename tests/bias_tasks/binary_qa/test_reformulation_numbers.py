"""Questions for a number, turned into yes/no questions."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.binary_qa.reformulation.grammar import reformulate_all
from bias_tasks.binary_qa.reformulation.numeric import check_number_question, number_question

RUNS = "How many TD runs were there in the game?"
SPAN = "How many years did Dhanraj Pillay's career span?"

MECHANICAL = [
    (RUNS, 2, "Were there 2 TD runs in the game?"),
    (RUNS, 1, "Was there 1 TD run in the game?"),
    (SPAN, 15, "Did Dhanraj Pillay's career span 15 years?"),
    ("How many yards was the longest field goal?", 48, "Was the longest field goal 48 yards?"),
    (
        "How many yards longer was the first field goal than the second?",
        10,
        "Was the first field goal 10 yards longer than the second?",
    ),
    ("How many people were killed in the storm?", 12, "Were 12 people killed in the storm?"),
    ("How many people died in the storm?", 12, "Did 12 people die in the storm?"),
    ("How many yards did Tom throw for?", 312, "Did Tom throw for 312 yards?"),
    ("How many yards did Tom throw for in May?", 312, "Did Tom throw for 312 yards in May?"),
    ("How many goals did Tom kick in the first half?", 1, "Did Tom kick 1 goal in the first half?"),
    (
        "How many more points did the Bears score than the Lions?",
        7,
        "Did the Bears score 7 more points than the Lions?",
    ),
    ("How many years after the war did Tom die?", 5, "Did Tom die 5 years after the war?"),
    ("How many goals over 40 yards did Tom kick?", 2, "Did Tom kick 2 goals over 40 yards?"),
    (
        "how many percent of the population were married",
        12.5,
        "Were 12.5 percent of the population married?",
    ),
]
NOT_MECHANICAL = [
    "Who scored first?",
    "How many?",
    "How many runs and goals were there?",
    "How many runs or goals were there?",
    "How many people were not married?",
    "How many years was he king?",
    "How many points did the Bears and Lions score?",
    "How many more yards was the longest goal than the shortest?",
    "How many yards did Tom give the Bears for?",
    "How many touchdowns did Tom frobnicate?",
    "How many games did Tom win? How many did he lose?",
    "How much time passed?",
]


@pytest.mark.parametrize(("question", "value", "expected"), MECHANICAL)
def test_exact_yes(question, value, expected):
    assert number_question(question, value, "exact", "Yes", seed=0) == expected


@pytest.mark.parametrize("question", NOT_MECHANICAL)
@pytest.mark.parametrize("style", ["exact", "threshold"])
def test_not_mechanical(question, style):
    assert number_question(question, 3, style, "No", seed=0) is None


@pytest.mark.parametrize(("question", "value", "_expected"), MECHANICAL)
@pytest.mark.parametrize("style", ["exact", "threshold"])
@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_each_passes_its_check_and_no_other(question, value, _expected, style, answer):
    other = "No" if answer == "Yes" else "Yes"
    for seed in range(20):
        text = number_question(question, value, style, answer, seed)
        if text is None:
            assert (style, answer, value) == ("threshold", "Yes", 1)
            continue
        assert check_number_question(question, value, style, answer, text) is None
        assert check_number_question(question, value, style, other, text) is not None


@given(value=st.integers(2, 10**9), seed=st.integers(0, 10**6))
def test_bounds_are_positive_near_and_never_the_value(value, seed):
    for answer, sign in (("Yes", -1), ("No", 1)):
        text = number_question(RUNS, value, "threshold", answer, seed)
        bound = int(re.search(r"over (\d+) ", text).group(1))
        assert bound >= 1
        assert (bound - value) * sign > 0
        assert abs(bound - value) <= max(2, 0.3 * value + 1)
    wrong = number_question(RUNS, value, "exact", "No", seed)
    assert int(re.search(r"there (\d+) ", wrong).group(1)) > value


def test_the_seed_decides():
    drawn = {number_question(SPAN, 100, "threshold", "Yes", seed) for seed in range(30)}
    assert len(drawn) > 5
    assert number_question(SPAN, 100, "threshold", "Yes", 7) == number_question(
        SPAN, 100, "threshold", "Yes", 7
    )


def test_decimals_stay_decimals_and_whole_floats_are_whole():
    question = "How many percent of the population were married?"
    assert re.search(r"over \d+\.\d p", number_question(question, 12.5, "threshold", "No", 0))
    assert "12 percent" in number_question(question, 12.0, "exact", "Yes", 0)


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), 10**400])
def test_value_out_of_range(value):
    with pytest.raises(ValueError, match="value must be a number from 0"):
        number_question(RUNS, value, "exact", "Yes", 0)


@pytest.mark.parametrize(
    ("style", "answer", "text", "why"),
    [
        ("exact", "Yes", "Were there 3 TD runs in the game?", "make Yes the right answer"),
        ("exact", "No", "Were there 2 TD runs in the game?", "make No the right answer"),
        ("exact", "Yes", "Were there over 2 TD runs in the game?", "a bound"),
        ("exact", "Yes", "Were there two TD runs in the game?", "0 new numbers"),
        ("exact", "Yes", "Were there 2 TD runs in the game of 2020?", "2 new numbers"),
        ("exact", "Yes", "Were there 2 runs in the game?", "lost 'td'"),
        ("exact", "Yes", RUNS, "identical"),
        ("threshold", "Yes", "Were there 1 TD runs in the game?", "names no bound"),
        ("threshold", "Yes", "Were there over 2 TD runs in the game?", "the value itself"),
        ("threshold", "Yes", "Were there at least 2 TD runs in the game?", "the value itself"),
        ("threshold", "Yes", "Were there over 3 TD runs in the game?", "make Yes"),
        ("threshold", "No", "Were there over 1 TD runs in the game?", "make No"),
        ("threshold", "No", "Were there fewer than 3 TD runs in the game?", "make No"),
        ("threshold", "No", "Were there no more than 3 TD runs in the game?", "make No"),
    ],
)
def test_refused_rewritings(style, answer, text, why):
    reason = check_number_question(RUNS, 2, style, answer, text)
    assert reason is not None
    assert why in reason


@pytest.mark.parametrize(
    ("style", "answer", "text"),
    [
        ("exact", "Yes", "Did the game see 2 TD runs?"),
        ("exact", "No", "Did the game see 1 TD run?"),
        ("threshold", "Yes", "Were there at least 1 TD runs in the game?"),
        ("threshold", "Yes", "Were there fewer than 3 TD runs in the game?"),
        ("threshold", "No", "Were there no fewer than 3 TD runs in the game?"),
        ("threshold", "No", "Were there more than 1,000 TD runs in the game?"),
    ],
)
def test_accepted_rewritings(style, answer, text):
    assert check_number_question(RUNS, 2, style, answer, text) is None


@pytest.mark.parametrize(("question", "value", "_expected"), MECHANICAL)
def test_the_grammar_words_them_politely_and_as_false(question, value, _expected):
    text = number_question(question, value, "threshold", "No", 0)
    made = reformulate_all(text)
    assert made.polite is not None
    assert (made.polite is None) == (made.false is None)
