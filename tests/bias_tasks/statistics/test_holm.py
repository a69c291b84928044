"""Several tests at once: Holm's adjustment, and the least of several differences."""

import math
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri
from scipy.stats import binom
from statsmodels.stats.multitest import multipletests

from bias_tasks.statistics.holm import holm, smallest_difference
from bias_tasks.statistics.rate_intervals import Pairs, tango


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_equals_statsmodels(p_values):
    with patch("gc.collect"):  # which it calls each time: seconds where much is loaded
        expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(expected))


def test_by_hand():
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def one_change(lost, n=40, gained=0):
    return Pairs(gained / n, lost / n, n, n)


def test_the_upper_limit_knows_how_many_there_are_and_the_lower_one_need_not():
    pairs = [one_change(8), one_change(6), one_change(5, n=20), one_change(1)]
    found = smallest_difference(pairs)
    assert (found.value, found.n) == (-0.25, 20)
    lows = [tango(each.gained, each.lost, each.size)[0] for each in pairs]
    assert found.ci_low == pytest.approx(min(lows))
    z = ndtri(1 - 0.025 / 4)
    assert found.ci_high == pytest.approx(min(each.upper(z) for each in pairs))
    # By the largest number of items, not by the lowest value.
    assert found.ci_high == pytest.approx(pairs[0].upper(z))
    assert found.p == pytest.approx(4 * pairs[0].p)


def test_the_least_is_below_0_just_where_the_adjusted_p_value_says_so():
    for lost in range(3, 14):
        found = smallest_difference(
            [one_change(lost), one_change(2, gained=2), one_change(0, gained=4)]
        )
        assert (found.ci_high < 0) == (found.p < 0.05)


def test_the_least_rises_only_where_all_do_and_has_no_limits_where_one_has_none():
    rising = [one_change(0, gained=12), one_change(0, gained=9)]
    found = smallest_difference(rising)
    assert (found.p, found.ci_low > 0) == (pytest.approx(rising[1].p), True)
    assert smallest_difference([*rising, one_change(0)]).p == 1
    found = smallest_difference([one_change(8), replace(one_change(2), size=math.nan)])
    assert found.value == -0.2
    assert np.isnan([found.ci_low, found.ci_high, found.p]).all()


@pytest.mark.parametrize("falls", [0, 1, 5])
def test_the_limits_hold_the_least_truth(falls):
    """Of five changes that share their plain answers, whichever number of them is the least."""
    rng, sets, n = np.random.default_rng(falls), 400, 80
    truth = -0.2 if falls else 0.0
    missed = np.zeros(2)
    for _ in range(sets):
        plain = rng.random(n) < 0.7
        chances = [0.7 + truth] * falls + [0.7] * (5 - falls)
        changes = (rng.random((5, n)) < np.array(chances)[:, None]).astype(int) - plain
        found = smallest_difference([Pairs((c > 0).mean(), (c < 0).mean(), n, n) for c in changes])
        missed += [found.ci_low > truth, found.ci_high < truth]
    # Either end is missed in 2.5 % at most.
    assert (missed <= binom.ppf(1 - 1e-4, sets, 0.025)).all()
    if falls == 1:
        assert missed.sum() > 0
