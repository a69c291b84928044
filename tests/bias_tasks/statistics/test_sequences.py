"""Confidence sequences: worked out by hand, and what makes them hold at all times."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bias_tasks.statistics import sequences
from bias_tasks.statistics.sequences import (
    BURN_IN,
    asymptotic_half_width,
    deleted_groups,
    jackknife_error,
    least_error,
    looks,
    mean_limits,
)

VALUES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=40)


def limits(values, **more):
    sums = np.array(values, dtype=float)
    low, high = mean_limits(sums, np.ones_like(sums), **more)
    return float(low), float(high)


def test_one_answer_by_hand():
    # Bets 0.95, 0.475, ..., nine of them: 0.95 (2 - 1/256) / 9 on average. After one right answer
    # the bet against m is worth 1 + bet (1/m - 1), and m is out where half of that is 1/0.05.
    bet = 0.95 * (2 - 1 / 256) / 9
    assert limits([1]) == pytest.approx((bet / (39 + bet), 1.0), abs=1e-10)
    assert limits([0]) == pytest.approx((0.0, 39 / (39 + bet)), abs=1e-10)


def test_nothing_is_known_of_nothing():
    assert limits([]) == (0.0, 1.0)


@settings(max_examples=10)
@given(VALUES)
def test_the_limits_hold_the_mean_and_turn_round(values):
    low, high = limits(values)
    assert 0 <= low <= np.mean(values) <= high <= 1
    assert limits([1 - value for value in values]) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@settings(max_examples=10)
@given(VALUES, st.randoms(use_true_random=False))
def test_neither_order_nor_scale_nor_counting_matters(values, random):
    shuffled = random.sample(values, len(values))
    assert limits(shuffled) == pytest.approx(limits(values), abs=1e-9)
    sums = 3 * np.array(values)
    assert np.allclose(mean_limits(sums, np.full(sums.shape, 3.0), 3.0), limits(values), atol=1e-9)
    kinds, counts = np.unique(values, return_counts=True)
    assert limits(kinds, counts=counts.astype(float)) == pytest.approx(limits(values), abs=1e-9)


@pytest.mark.parametrize("truth", [0.03, 0.4, 0.9])
@pytest.mark.parametrize("answers", [1, 7])
def test_the_bet_is_fair_at_the_truth(truth, answers):
    # A bet whose expected worth is 1 reaches 40 at any time in 1 of 40 runs at most (Ville).
    right = np.arange(answers + 1)
    chance = np.array([math.comb(answers, k) for k in right])
    chance = chance * truth**right * (1 - truth) ** (answers - right)
    counts = np.stack([answers - right, right], axis=1).astype(float)
    worth = np.exp(
        sequences._log_worth(
            np.array([0.0, 1.0]) * np.ones_like(counts),
            np.ones_like(counts),
            np.full(answers + 1, truth),
            counts,
        )
    )
    assert chance @ worth == pytest.approx(1)


def test_the_bet_is_fair_where_clusters_weigh_differently():
    # Clusters of one wrong item, and of four items of which three are right: a mean of 3/5.
    clusters = [(0.0, 1.0), (3.0, 4.0)]
    worths = []
    for seen in itertools.product(clusters, repeat=4):
        sums, weights = np.array(seen).T
        worths.append(
            math.exp(sequences._log_worth(sums / 4, weights / 4, np.array(3 / 5), np.ones(4)))
        )
    assert np.mean(worths) == pytest.approx(1)


def test_a_cluster_heavier_than_planned_is_refused():
    with pytest.raises(ValueError, match="a cluster weighs 2, more than the 1 planned"):
        mean_limits(np.array([1.0]), np.array([2.0]), 1.0)


def test_the_asymptotic_sequence_by_hand():
    # Narrowest at 200 of 800: t rho^2 = 5.9915 + ln 5.9915 + 1 = 8.7819, and so
    # sqrt(2 * 9.7819 / 8.7819 * ln(sqrt(9.7819) / 0.05)) = 3.03545.
    assert asymptotic_half_width(0.1, 200, 800) == pytest.approx(0.303545, abs=1e-6)
    assert asymptotic_half_width(0.1, BURN_IN - 1, 800) == math.inf
    assert asymptotic_half_width(math.nan, 500, 800) == math.inf


def test_an_error_without_each_item_is_the_textbooks():
    values = np.random.default_rng(1).normal(size=50)
    without = np.array([np.delete(values, place).mean() for place in range(50)])
    assert jackknife_error(without, 50, 0.0) == pytest.approx(values.std(ddof=1) / math.sqrt(50))
    assert jackknife_error(np.ones(50), 50, 1.0) == least_error(50, 1.0) > 0
    assert math.isnan(jackknife_error(np.array([1.0, math.nan]), 50, 1.0))
    assert [deleted_groups(n) for n in (20, 100, 400)] == [20, 100, 200]


def test_looks_are_at_every_item_first_and_then_rarer():
    found = list(itertools.islice(looks(0.02), 200))
    assert found[:99] == list(range(2, 101))
    assert found[-1] > 300
    assert all(1 <= later - one <= max(1, 0.02 * one) for one, later in itertools.pairwise(found))
