"""Found against planted flaws: counted by hand and of planted judges."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.metrics_attention import attention_scorecard, fit_plateau
from bias_tasks.complex_eval.outcomes import IssueCount
from bias_tasks.contract.figures import figure_of

KS = range(21)


def curve(found, items=5, mode="joint", planted=KS):
    """`found(item, k)` flaws, all that are there located."""
    return [
        IssueCount(f"q{i}", f"q{i}", mode, k, count, min(count, k))
        for i in range(items)
        for k in planted
        for count in (found(i, k),)
    ]


def test_counts_by_hand():
    rows = [
        *(("a", 0, 1, 0), ("b", 0, 3, 0), ("c", 0, None), ("a", 4, 5, 3), ("b", 4, 3, 3)),
        *(("a", 8, 4, 4), ("b", 8, 8)),  # of the last it is not known which ones
    ]
    run = [IssueCount(item, item, "joint", *told) for item, *told in rows]
    card = attention_scorecard(run)
    assert card["floor/joint"] == card["found@k=0/joint"]
    assert card["floor/joint"].value == 2
    assert card["floor/joint"].n == 2
    assert card["found@k=4/joint"].value == 4
    assert card["found@k=8/joint"].value == 6
    assert card["recall/joint"].value == pytest.approx((3 + 3 + 4) / (4 + 4 + 8))
    assert card["precision/joint"].value == pytest.approx((3 + 3 + 4) / (1 + 3 + 5 + 3 + 4))
    assert card["unread/joint"].value == pytest.approx(1 / 7)
    # The floor's limits: where the distance to 2 is t times the standard error, 12.7062 with one
    # degree of freedom and a variance of (2 / 2 + 0.5 / 4) / (2 + 0.5 / 2) of the true mean.
    for limit in (card["floor/joint"].ci_low, card["floor/joint"].ci_high):
        assert (limit - 2) ** 2 == pytest.approx(12.7062**2 * 1.125 / 2.25 * limit, rel=1e-4)
    assert 0 < card["floor/joint"].ci_low < 2


def test_what_blind_reports_would_locate_by_hand():
    rows = [("a", 0, 4, 0, 0.0), ("a", 4, 8, 3, 0.4), ("b", 4, 4, 3, 0.2)]
    rows += [("b", 8, 4), ("c", 8, None)]  # of the first it is not known which ones
    run = [IssueCount(item, item, "joint", *told) for item, *told in rows]
    card = attention_scorecard(run)
    recall, precision = card["recall_chance/joint"], card["precision_chance/joint"]
    assert recall.value == pytest.approx(0.6 / 8)
    assert precision.value == pytest.approx(0.6 / 16)
    assert (recall.n, precision.n) == (2, 3)
    # Two clusters, 0.4 and 0.2 of 4: their means differ from 0.075 by 0.025 each, and the sum of
    # squares doubled is the variance of twice as much; t is 12.7062 with one degree of freedom.
    assert recall.ci_high == pytest.approx(0.075 + 12.7062 * (2 * 2 * (0.1 / 8) ** 2) ** 0.5)
    assert recall.ci_low == 0
    [alone] = [each for each in run if each.planted == 4 and each.item == "a"]
    card = attention_scorecard([alone])
    assert card["recall_chance/joint"].value == pytest.approx(0.1)
    assert math.isnan(card["recall_chance/joint"].ci_low)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([0, 1, 2, 5]), st.integers(0, 9)),
        unique_by=lambda row: row[:2],
        max_size=12,
    )
)
def test_no_figure_leaves_its_range_however_small_the_run(rows):
    run = [
        IssueCount(f"q{item}", f"q{item}", "joint", k, found, min(found, k), min(found, k) / 8)
        for item, k, found in rows
    ]
    for name, figure in attention_scorecard(run).items():
        declared = figure_of(name, FAMILY.figures)
        for bound in (figure.value, figure.ci_low, figure.ci_high):
            assert math.isnan(bound) or declared.low <= bound <= declared.high, name


def test_epochs_are_averaged_over_those_that_were_read():
    run = [replace(IssueCount("a", "a", "joint", 2, c, c), epoch=e) for e, c in enumerate([1, 2])]
    run += [IssueCount("a", "a", "joint", 2, None, epoch=7), IssueCount("b", "b", "joint", 2, 0, 0)]
    card = attention_scorecard(run)
    assert card["found@k=2/joint"].value == pytest.approx((1.5 + 0) / 2)
    assert card["recall/joint"].value == pytest.approx((1.5 + 0) / 4)
    assert card["unread/joint"].value == pytest.approx((1 / 3 + 0) / 2)
    assert card["breakpoint/joint"].n == card["floor/joint"].n == 0


def test_planted_floor_and_ceiling_are_recovered_in_both_modes():
    rng = np.random.default_rng(3)

    def joint(i, k):
        return int(rng.binomial(min(k, 15), 0.9))

    def apart(i, k):
        return int(rng.binomial(k, 0.9) + rng.poisson(1.5))

    card = attention_scorecard(curve(joint, 60) + curve(apart, 60, "per_dimension"))
    for name, truth in {"slope": 0.9, "breakpoint": 15, "ceiling": 13.5, "floor": 0}.items():
        figure = card[f"{name}/joint"]
        assert figure.ci_low <= truth <= figure.ci_high, name
        assert figure.ci_high - figure.ci_low < 1.5, name
    floor, last = card["floor/per_dimension"], card["breakpoint/per_dimension"]
    assert 1 < floor.ci_low < 1.5 < floor.ci_high < 2
    assert last.ci_high == 20
    assert last.ci_low > 18


def test_fits_agree_with_least_squares_at_the_best_breakpoint():
    rng = np.random.default_rng(2)
    planted, weights = np.arange(0, 21, 2.0), rng.integers(1, 9, 11).astype(float)
    curves = 1 + 0.8 * np.minimum(planted, 9) + rng.normal(0, 0.5, (20, 11))
    for curve_, (intercept, slope, knot) in zip(
        curves, fit_plateau(curves, planted, weights), strict=True
    ):

        def misfit(at, curve_=curve_):
            lines = np.column_stack([np.ones(11), np.minimum(planted, at)])
            root = np.sqrt(weights)
            solved, *_ = np.linalg.lstsq(lines * root[:, None], curve_ * root, rcond=None)
            return weights @ (curve_ - lines @ solved) ** 2, solved

        least, solved = misfit(knot)
        np.testing.assert_allclose([intercept, slope], solved)
        assert least <= min(misfit(at)[0] for at in np.linspace(2, 20, 37)) + 1e-6


def test_counts_that_contradict_each_other_are_named():
    good = IssueCount("q1", "c1", "joint", 3, 2, 2)
    other = {"judged twice in epoch 1": good, "two clusters": replace(good, cluster="c", planted=4)}
    for reason, bad in other.items():
        with pytest.raises(ValueError, match=f"item 'q1' with . flaws, mode 'joint': .*{reason}"):
            attention_scorecard([good, bad])
