"""What a score's metadata says of an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.family import Outcome
from bias_tasks.record import Scored, scored_in, without_scored

FOUND = Outcome("a", "c", "plain", "Yes", "No", 0.0, "first word", span=(0, 2), own={"x": [1]})


@given(st.text(), st.none() | st.text(), st.integers(1, 9))
def test_what_is_written_is_read_back(family, asked, epoch):
    scored = Scored(family, Outcome("a", "c", "plain", None, None, None, "", epoch=epoch), asked)
    assert scored_in(scored.metadata()) == scored


def test_no_text_stands_at_the_top():
    # The host wraps each of them anew for each of its four summaries of a sample.
    assert {type(value) for value in Scored("binary_qa", FOUND, "d").metadata().values()} == {dict}


def test_logs_of_earlier_versions_are_read():
    told = {"family": "binary_qa", "asked": "d", "outcome": FOUND.to_dict(), "prompt": "Is it?"}
    assert scored_in(told) == Scored("binary_qa", FOUND, "d")
    assert without_scored(told) == {"prompt": "Is it?"}


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        {},
        {"outcome": None},
        {"outcome": "won"},
        {"outcome": "won", "family": "binary_qa"},
        {"outcome": {"won": True}},
        {"outcome": {"won": True}, "run": "binary_qa"},
        {"run": {"family": "binary_qa"}},
    ],
)
def test_scores_of_other_scorers_say_nothing(metadata):
    assert scored_in(metadata) is None


def test_what_else_a_score_says_is_kept():
    told = Scored("binary_qa", FOUND, "d").metadata() | {"family": "theirs", "facts": {}}
    assert without_scored(told) == {"family": "theirs", "facts": {}}


def test_an_outcome_that_lacks_a_value_is_named():
    told = Scored("binary_qa", FOUND).metadata()
    del told["outcome"]["why"]
    with pytest.raises(KeyError, match="why"):
        scored_in(told)
