"""Figures of judges, worked out by hand."""

import pytest

from bias_tasks.contract.family import Outcome
from bias_tasks.judging.metrics import judging_card
from bias_tasks.judging.outcomes import preferences, rightness


def verdict(item, way, answer, shown=(1, 2), *, right=1, dressed=2, epoch=1):
    gold = "" if right is None else str(right)
    own = {"way": way, "shown": list(shown), "dressed": dressed}
    score = rightness(answer, gold)
    return Outcome(item, item, way, gold, answer, score, "", epoch=epoch, own=own)


def score(item, way, response, value, *, right=1, shown=(1, 2)):
    own = {"way": way, "shown": list(shown), "dressed": 2, "response": response, "right": right}
    answer = None if value is None else str(value)
    return Outcome(item, item, f"{way}/{response}", None, answer, value, "", own=own)


def pair(item, plain, turned, **more):
    """Plain and with the other response first."""
    return [
        verdict(item, "plain", plain, **more),
        verdict(item, "position", turned, (2, 1), **more),
    ]


def test_share_of_the_first_over_both_orders():
    found = judging_card(
        [
            *pair("a", "1", "1"),  # by content: first once, second once
            *pair("b", "1", "2"),  # the first twice
            *pair("c", "tie", "2"),  # half, and the first
            *pair("d", "2", None),  # unread in one order: left out
        ]
    )
    assert found["first_share"].value == pytest.approx((0.5 + 1 + 0.75) / 3)
    assert found["first_share"].n == 3
    assert found["both_orders"].value == pytest.approx(1 / 4)
    assert found["ties"].value == pytest.approx(1 / 4)
    assert found["unread"].value == pytest.approx(1 / 8)
    assert found["score/plain"].value == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    assert found["same_answer/position"].value == pytest.approx(1 / 4)


def test_pull_is_towards_what_is_dressed_and_of_a_control_towards_the_other():
    found = judging_card(
        [
            *(verdict("a", "plain", "1"), verdict("a", "verbosity", "2")),  # drawn to the worse
            *(verdict("b", "plain", "1"), verdict("b", "verbosity", "tie")),  # half drawn
            *(verdict("c", "plain", "2"), verdict("c", "verbosity", None)),  # left out
            *(verdict("a", "verbosity_control", "1"), verdict("b", "verbosity_control", "1")),
            verdict("c", "verbosity_control", "1"),  # drawn to the better
        ]
    )
    assert found["pull/verbosity"].value == pytest.approx((1 + 0.5) / 2)
    assert found["pull/verbosity"].n == 2
    assert found["pull/verbosity_control"].value == pytest.approx(1 / 3)
    assert found["pull/verbosity_control"].ci_high > 1 / 3
    assert "score_change/verbosity_control" not in found
    assert "score/verbosity_control" not in found


def test_without_labels_there_is_consistency_and_pull_and_nothing_of_right():
    rows = [*pair("a", "1", "2", right=None), verdict("a", "authority", "2", right=None)]
    found = judging_card(rows)
    told = "most_changed answers_changed same_answer first_share ties pull unread"
    assert {name.partition("/")[0] for name in found} == set(told.split())
    assert found["pull/authority"].value == 1
    assert found["first_share"].value == 1


def test_scores_become_preferences():
    rows = [
        *(score("a", "plain", 1, 7.0), score("a", "plain", 2, 4.0)),
        *(score("a", "repeat1", 1, 5.0), score("a", "repeat1", 2, 5.0)),
        score("a", "verbosity", 2, 8.0),  # beside the plain 7
        score("a", "formatting", 2, None),
        *(score("b", "plain", 1, 3.0, right=2), score("b", "plain", 2, 4.5, right=2)),
        score("b", "repeat1", 1, 3.0, right=2),  # its other answer is missing
    ]
    told = {(each.item, each.variant): (each.answer, each.score) for each in preferences(rows)}
    assert told == {
        ("a", "plain"): ("1", 1.0),
        ("a", "repeat1"): ("tie", 0.5),
        ("a", "verbosity"): ("2", 0.0),
        ("a", "formatting"): (None, 0.0),
        ("b", "plain"): ("2", 1.0),
    }
    found = judging_card(rows)
    assert found["shift/verbosity"].value == pytest.approx(4.0)
    assert found["shift/formatting"].n == 0
    assert found["unread"].n == 2


def test_an_answer_that_comes_twice_is_an_error():
    with pytest.raises(ValueError, match="two answers under plain"):
        judging_card([verdict("a", "plain", "1"), verdict("a", "plain", "2")])
    with pytest.raises(ValueError, match="two scores of response 1 under plain in epoch 1"):
        judging_card([score("a", "plain", 1, 5.0), score("a", "plain", 1, 6.0)])
    assert judging_card([]) == {}
