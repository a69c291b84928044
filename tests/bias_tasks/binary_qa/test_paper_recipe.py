"""Quotas are filled in hash order, and refused questions give way to the next of their cell."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.binary_qa.data.converters import Candidate, binary_item
from bias_tasks.binary_qa.data.paper import BINARY_SOURCES, MOST_PER_ANSWER, select
from bias_tasks.data.errors import DataError

BOOLQ = BINARY_SOURCES["boolq"]
LEVELS = replace(BOOLQ, quotas={"easy": 2, "hard": 3})
AS_MANY = replace(BOOLQ, quotas=None)


def _distinct(n, strata=("",), answers=("Yes", "No")):
    """Questions of which none is asked with both answers."""
    return [
        Candidate(binary_item("s", "reading", f"{stratum} {answer} {i}?", answer, None), stratum)
        for stratum in strata
        for answer in answers
        for i in range(n)
    ]


def test_each_cell_is_filled_in_order_of_the_ids():
    candidates = _distinct(20, ("easy", "hard"))
    chosen, passed_over = select(LEVELS, candidates, lambda item: True)
    cells = Counter((item.question.split()[0], item.answer) for item in chosen)
    assert cells == {("easy", "Yes"): 2, ("easy", "No"): 2, ("hard", "Yes"): 3, ("hard", "No"): 3}
    assert passed_over == 0
    hard_yes = sorted(
        c.item.id for c in candidates if (c.stratum, c.item.answer) == ("hard", "Yes")
    )
    mine = [i.id for i in chosen if i.question.startswith("hard Yes")]
    assert mine == hard_yes[:3]


def test_a_refused_question_gives_way_to_the_next_of_its_cell():
    candidates = _distinct(20, ("easy", "hard"))
    before, _ = select(LEVELS, candidates, lambda item: True)
    refused = before[0]
    after, passed_over = select(LEVELS, candidates, lambda item: item != refused)
    assert passed_over == 1
    assert refused not in after
    (new,) = set(after) - set(before)
    assert (new.answer, new.question.split()[0]) == (refused.answer, refused.question.split()[0])


def test_questions_after_the_quota_are_not_looked_at():
    seen = []
    select(LEVELS, _distinct(50, ("easy", "hard")), lambda item: not seen.append(item))
    assert len(seen) == 10


def test_a_quota_that_cannot_be_filled_is_an_error_with_the_counts():
    message = "boolq: 3 hard questions with the answer Yes are wanted; 5 are there, of which 2 can"
    candidates = _distinct(5, ("easy", "hard"))
    hard = sorted(c.item.id for c in candidates if c.stratum == "hard" and c.item.answer == "Yes")
    with pytest.raises(DataError, match=message):
        select(LEVELS, candidates, lambda item: item.id not in hard[:3])


def test_a_question_with_both_answers_has_no_right_one():
    torn = [Candidate(binary_item("s", "reading", "torn?", a, None)) for a in ("Yes", "No")]
    chosen, _ = select(AS_MANY, _distinct(3) + torn, lambda item: True)
    assert len(chosen) == 6
    assert "torn?" not in {item.question for item in chosen}


@given(st.integers(1, 120), st.integers(1, 120))
def test_without_quotas_there_are_as_many_of_each_answer_as_there_can_be(yes, no):
    candidates = _distinct(yes, answers=["Yes"]) + _distinct(no, answers=["No"])
    chosen, _ = select(AS_MANY, candidates, lambda item: True)
    each = min(yes, no, MOST_PER_ANSWER)
    assert Counter(item.answer for item in chosen) == {"Yes": each, "No": each}
