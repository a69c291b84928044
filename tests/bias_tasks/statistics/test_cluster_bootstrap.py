"""Intervals of composite metrics against known ones of shares, means and harmonic means."""

import math

import numpy as np
import pytest
from scipy import stats

from bias_tasks.instruction_boundary.metrics import compute_robustness
from bias_tasks.statistics.cluster_bootstrap import mean_change, sum_clusters
from bias_tasks.statistics.effective_size import WeightedSample

HALF_RIGHT_AND_HALF_WRONG = np.array([[1.0, 1.0], [0.0, 1.0]])


def share(values, clusters=None, strata=None, *, intervals=True):
    """Return the share of correct answers as a composite metric."""
    n = len(values)
    columns = np.column_stack([values, np.ones(n)]).astype(float)
    clusters = np.arange(n) if clusters is None else np.array(clusters)
    strata = np.zeros(n, dtype=int) if strata is None else strata
    sums = sum_clusters(columns, clusters, strata, HALF_RIGHT_AND_HALF_WRONG, intervals=intervals)
    return sums.estimate(lambda rows: rows[:, 0] / rows[:, 1], n, (0.0, 1.0))


@pytest.mark.parametrize(("right", "n"), [(0, 50), (5, 50), (50, 50), (60, 80), (400, 1000)])
def test_a_share_of_independent_answers_has_jeffreys_interval(right, n):
    estimate = share([1] * right + [0] * (n - right))
    low, high = stats.beta.ppf([0.025, 0.975], right + 0.5, n - right + 0.5)
    tolerance = 0.15 * (high - low)
    assert (estimate.value, estimate.n) == (right / n, n)
    assert estimate.ci_low == pytest.approx(min(low, right / n), abs=tolerance)
    assert estimate.ci_high == pytest.approx(max(high, right / n), abs=tolerance)


def test_a_mean_over_clusters_has_students_t_interval():
    rng = np.random.default_rng(0)
    by_cluster = rng.uniform(0.2, 0.8, 30)
    estimate = share(np.repeat(by_cluster, 4), np.repeat(np.arange(30), 4))
    half = stats.t.ppf(0.975, 29) * by_cluster.std(ddof=1) / math.sqrt(30)
    width = estimate.ci_high - estimate.ci_low
    # Half an item of each kind widens it a little.
    assert 2 * half < width < 2.5 * half


def test_order_and_names_of_clusters_do_not_matter():
    rng = np.random.default_rng(1)
    values, clusters = rng.integers(0, 2, 600), np.arange(600) // 2
    order = rng.permutation(600)
    estimate, shuffled = share(values, clusters), share(values[order], 999 - clusters[order])
    assert shuffled.ci_low == pytest.approx(estimate.ci_low, abs=1e-12)
    assert shuffled.ci_high == pytest.approx(estimate.ci_high, abs=1e-12)


def test_what_no_data_show_is_nan():
    for estimate in (share([1, 0, 1], [7, 7, 7]), share([1, 0, 1], intervals=False)):
        assert estimate.value == pytest.approx(2 / 3)
        assert math.isnan(estimate.ci_low)
        assert math.isnan(estimate.ci_high)
    nothing = sum_clusters(
        np.zeros((2, 2)), np.arange(2), np.zeros(2, int), np.zeros((0, 2)), intervals=True
    )
    undefined = nothing.estimate(lambda rows: np.full(len(rows), math.nan), 2, (0.0, 1.0))
    assert (math.isnan(undefined.value), undefined.n) == (True, 0)


def robustness(tense, sparse, clusters=None):
    values = np.array([*tense, *sparse], dtype=float)
    n, is_tense = values.size, np.arange(values.size) < len(tense)
    clusters = np.arange(n) if clusters is None else np.array(clusters)
    correct = WeightedSample(values, clusters, is_tense.astype(int), np.ones(n))
    return compute_robustness(correct, [(is_tense, ~is_tense)])


def test_robustness_is_the_harmonic_mean_and_at_zero_has_an_upper_bound():
    estimate = robustness([1, 1, 1, 0], [1, 0, 0, 0])
    assert (estimate.value, estimate.n) == (pytest.approx(2 * 0.75 * 0.25 / (0.75 + 0.25)), 8)
    assert 0 <= estimate.ci_low < estimate.value < estimate.ci_high <= 1
    estimate = robustness([0] * 20, [1] * 10 + [0] * 10)
    assert (estimate.value, estimate.ci_low) == (0, 0)
    assert 0.1 < estimate.ci_high < 0.4


def test_robustness_follows_the_delta_method_at_large_sizes():
    n, sr, gr = 4000, 0.8, 0.4
    tense, sparse = (np.arange(n) < rate * n for rate in (sr, gr))
    slopes = 2 * gr**2 / (sr + gr) ** 2, 2 * sr**2 / (sr + gr) ** 2
    variance = (slopes[0] ** 2 * sr * (1 - sr) + slopes[1] ** 2 * gr * (1 - gr)) / n
    estimate = robustness(tense, sparse)
    width = 2 * 1.959964 * math.sqrt(variance)
    assert estimate.ci_high - estimate.ci_low == pytest.approx(width, rel=0.15)


def test_robustness_knows_that_groups_share_clusters():
    """Twenty passages whose tense and sparse answers are alike, against forty independent ones."""
    right = [1, 0, 1, 1, 0] * 4
    shared, apart = robustness(right, right, [*range(20)] * 2), robustness(right, right)
    assert shared.value == apart.value
    assert shared.ci_high - shared.ci_low > 1.2 * (apart.ci_high - apart.ci_low)


def change(values):
    n = len(values)
    strata = np.zeros(n, dtype=int)
    return mean_change(WeightedSample(np.array(values), np.arange(n), strata, np.ones(n)))


def test_the_interval_of_mean_changes_does_not_jump_at_the_first_small_change():
    """One of eight changes of one item of 24: Tango's upper bound would fall by two thirds."""
    none, one = change([0.0] * 24), change([-1 / 8] + [0.0] * 23)
    assert (none.value, none.ci_low) == (0, pytest.approx(-none.ci_high, rel=0.2))
    assert one.value == pytest.approx(-1 / 8 / 24)
    assert none.ci_high - 0.02 < one.ci_high <= none.ci_high
    assert none.ci_low - 0.02 < one.ci_low <= none.ci_low


def test_intervals_cover_the_planted_change():
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(100):
        vanilla, settings = rng.random((24, 1)) < 0.9, rng.random((24, 4)) < 0.7
        estimate = change((settings.astype(float) - vanilla).mean(axis=1))
        covered += estimate.ci_low <= -0.2 <= estimate.ci_high
    assert covered >= 90
