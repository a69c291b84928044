"""What probes do to a score, worked out by hand."""

import math

import pytest

from bias_tasks.probing.metrics import probe_card
from tests.bias_tasks.probing.outcomes import FOUR, outcomes, row


def card(rows, **more):
    return probe_card(outcomes(rows, **more))


def values(found, *names):
    return [found[name].value for name in names]


def test_four_items_by_hand():
    found = card(FOUR)
    assert {name: figure.value for name, figure in found.items()} == pytest.approx(
        {
            # Plain answers and repeats are right 3, 2, 1 and 3 times. Probes lose 1/2, 1, 1/2 and 0
            # of each, the item's other plain answers 0, 1/2, 1 and 0.
            "fragile": (3 * 1 / 2 + 2 * (1 - 1 / 2) + (1 / 2 - 1)) / 9,
            **{"score/plain": 3 / 4, "score/repeat": 3 / 4, "score/a": 3 / 4, "score/b": 0},
            **{"change/repeat": 0, "change/a": 0, "change/b": -2 / 3},
            **{"lost/repeat": 1 / 8, "lost/a": 1 / 4, "lost/b": 2 / 3},
            **{"gained/repeat": 1 / 8, "gained/a": 1 / 4, "gained/b": 0},
            **{"coverage/a": 1, "coverage/b": 3 / 4},
            **{"same_answer/repeat": 6 / 8, "same_answer/a": 2 / 4, "same_answer/b": 1 / 3},
            **{"same_score/repeat": 6 / 8, "same_score/a": 2 / 4, "same_score/b": 1 / 3},
            **{"same_answer": 3 / 7, "same_score": 3 / 7},
            "worst": -2 / 3,
            "spread": 2 / 3,
            "spread_noise": found["spread_noise"].value,
            "spread_corrected": found["spread_corrected"].value,
            # Mean squares 1/9 (items), 4/9 (ways), 5/18 (residuals); noise 2/9.
            **{"variance/item": 0, "variance/probe": 1 / 6, "variance/interaction": 1 / 6},
            "variance/noise": 2 / 3,
            "unread": 0,
        }
    )
    counts = {"fragile": 4, "score/b": 3, "change/b": 3, "coverage/b": 4, "worst": 3, "spread": 3}
    assert {name: found[name].n for name in counts} == counts


def test_what_falls_of_a_graded_score_is_a_share_of_the_score():
    found = card({"1": row(0.8, (0.6,), a=0.2), "2": row(0.2, (0.2,), a=0.4)})
    # Of 0.8, 0.6, 0.2 and 0.2 the probe loses 0.6 and 0.4, asking again 0.2; it gains 0.2.
    assert values(found, "fragile", "lost/a", "gained/a", "lost/repeat") == pytest.approx(
        [(0.6 + 0.4 - 0.2) / 1.8, 0.3, 0.1, 0.1]
    )


def test_what_asking_again_loses_counts_against_what_probes_lose():
    found = card({"1": row(1, (0, 0), a=1), "2": row(1, (1, 1), a=1)})
    # One of four right answers is lost again.
    assert found["fragile"].value == -1 / 4


@pytest.mark.parametrize(
    "rows",
    [
        {"1": row(1, (1,)), "2": row(0, (0,))},
        {"1": row(1, a=0), "2": row(0, a=0)},
        {"1": row(0, (0,), a=1), "2": row(0, (0,), a=0)},
        {"1": row(None, (1,), a=1), "2": row(1, (None,), a=0), "3": row(1, (1,), a=None)},
    ],
    ids=["no probe", "no repeat", "nothing right", "no item has all three"],
)
def test_fragile_is_undefined_without(rows):
    found = card(rows)["fragile"]
    assert (found.n, math.isnan(found.value)) == (0, True)


def test_a_missing_score_is_left_out_and_a_missing_answer_is_not_the_same():
    found = card(
        {
            "1": row((1, "#0"), ((1, "#0"),), a=(None, "#0")),
            "2": row((0, None), ((0, None),), a=(0, None)),
            "3": row((1, "#1"), ((1, "#1"),), a=(1, "#1")),
        }
    )
    assert found["change/a"].n == found["same_score/a"].n == 2
    assert values(found, "same_answer/a", "same_answer/repeat", "unread") == pytest.approx(
        [2 / 3, 2 / 3, 3 / 9]
    )


def test_epochs_of_an_item_are_one_item():
    first = outcomes({"1": row(1, (1,), a=0), "2": row(1, (1,), a=1)})
    second = outcomes({"1": row(1, (0,), a=1), "2": row(0, (1,), a=1)}, epoch=2)
    found = probe_card(first + second)
    assert (found["change/a"].value, found["change/a"].n) == (0.0, 2)
    assert (found["score/plain"].value, found["score/plain"].n) == (0.75, 2)
    # Item 1: both answers lost under the probe; then the right one of two lost again, not under
    # the probe. Item 2: three right answers, of which one is lost again.
    assert found["fragile"].value == pytest.approx((2 - 1 - 1) / 6)


def test_items_of_a_cluster_count_together_and_those_of_none_alone():
    rows = {str(place): row(1, (1,), a=place % 2) for place in range(40)}
    alone = card(rows)["change/a"]
    named = card(rows, cluster={item: item for item in rows})["change/a"]
    pairs = card(rows, cluster={item: str(int(item) // 4 * 4 + int(item) % 2) for item in rows})
    assert alone == named
    assert pairs["change/a"].ci_high - pairs["change/a"].ci_low > alone.ci_high - alone.ci_low


@pytest.mark.parametrize(
    ("made", "complaint"),
    [
        (outcomes({"1": row(1)}) * 2, "two answers under plain"),
        (outcomes({"1": row(1.5)}), r"1: the score 1.5 is not in \[0, 1\]"),
        (
            [*outcomes({"1": row(1)}), *outcomes({"1": {"a": 1}}, cluster={"1": "x"})],
            "two clusters",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(made, complaint):
    with pytest.raises(ValueError, match=complaint):
        probe_card(made)


def test_changes_are_adjusted_over_the_probes_but_repeats_are_not():
    rows = {str(place): row(1, (int(place > 9),), a=int(place > 9), b=1) for place in range(30)}
    found = card(rows)
    assert found["change/a"].p == pytest.approx(2 * found["change/repeat"].p)
    assert found["change/repeat"].p < 0.01
