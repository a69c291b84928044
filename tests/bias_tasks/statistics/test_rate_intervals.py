"""The intervals against independent computations: other libraries, explicit matrices, by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import stdtrit
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.proportion import proportion_confint

from bias_tasks.statistics.effective_size import (
    WeightedSample,
    _cluster_corrections,
    design_factor,
    effective_size,
    independent_size,
)
from bias_tasks.statistics.rate_intervals import Pairs, difference, rate, tango


def sample(values, clusters=None, strata=None, weights=None):
    n = len(values)
    return WeightedSample(
        np.array(values, dtype=float),
        np.arange(n) if clusters is None else np.array(clusters),
        np.zeros(n, dtype=int) if strata is None else np.array(strata),
        np.ones(n) if weights is None else np.array(weights, dtype=float),
    )


@pytest.mark.parametrize(("right", "n"), [(0, 5), (1, 20), (10, 20), (59, 60), (60, 60), (1, 2)])
def test_independent_answers_have_wilsons_interval(right, n):
    found = rate(sample([1] * right + [0] * (n - right)))
    low, high = proportion_confint(right, n, method="wilson")
    assert (found.ci_low, found.ci_high) == pytest.approx((low, high), abs=1e-12)
    assert (found.value, found.n) == (right / n, n)


def tango_score(gained, lost, n, truth):
    """The score with the likelihood under `truth` maximised numerically."""

    def minus_likelihood(q21):
        q12 = q21 + truth
        rest = 1 - q12 - q21
        if min(q12, q21, rest) <= 0:
            return math.inf
        parts = (gained, q12), (lost, q21), (1 - gained - lost, rest)
        return -sum(share * math.log(q) for share, q in parts if share)

    lowest, highest = max(0.0, -truth), (1 - truth) / 2
    q21 = minimize_scalar(
        minus_likelihood, bounds=(lowest, highest), method="bounded", options={"xatol": 1e-12}
    ).x
    return (gained - lost - truth) / math.sqrt((2 * q21 + truth * (1 - truth)) / n)


@pytest.mark.parametrize(
    ("gained", "lost", "n"), [(0.24, 0.04, 50), (0.1, 0.3, 40.5), (0.02, 0.0, 60), (0.5, 0.5, 10)]
)
def test_tango_limits_solve_the_score_equation(gained, lost, n):
    low, high = tango(gained, lost, n)
    assert tango_score(gained, lost, n, low) == pytest.approx(1.959964, abs=1e-4)
    assert tango_score(gained, lost, n, high) == pytest.approx(-1.959964, abs=1e-4)


def test_p_value_is_mcnemars_and_agrees_with_the_interval():
    for gained, lost, n in ((12, 2, 50), (3, 9, 40), (4, 4, 30)):
        table = [[n - gained - lost, gained], [lost, 0]]
        expected = statsmodels_mcnemar(table, exact=False, correction=False).pvalue
        assert Pairs(gained / n, lost / n, n, n).p == pytest.approx(expected)
    assert Pairs(0.0, 0.0, 30, 30).p == 1
    for gained in range(20):
        low, high = tango(gained / 50, 6 / 50, 50)
        assert (Pairs(gained / 50, 6 / 50, 50, 50).p < 0.05) == (not low <= 0 <= high)


def test_difference_of_independent_pairs():
    found = difference(sample([1] * 12 + [-1] * 2 + [0] * 36))
    limits = tango(12 / 50, 2 / 50, 50)
    assert (found.value, found.n) == (pytest.approx(0.2), 50)
    assert (found.ci_low, found.ci_high) == pytest.approx(limits, abs=1e-12)
    assert found.p == pytest.approx(Pairs(12 / 50, 2 / 50, 50, 50).p)


def test_items_alike_within_clusters_count_once():
    """Twelve clusters of four equal answers: the design effect is four, but for n - 1."""
    values = np.repeat([1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1], 4)
    clusters = np.repeat(np.arange(12), 4)
    effect = 4 * (12 / 11) / (48 / 47)
    expected = 48 / effect * (stdtrit(47, 0.975) / stdtrit(11, 0.975)) ** 2
    assert effective_size(sample(values, clusters)) == pytest.approx(expected)


@pytest.mark.parametrize("value", [0, 1])
def test_all_answers_alike_count_as_many_as_clusters(value):
    clusters = np.repeat(np.arange(10), 3)
    few = (stdtrit(29, 0.975) / stdtrit(9, 0.975)) ** 2
    assert effective_size(sample([value] * 30, clusters)) == pytest.approx(10 * few)


@st.composite
def designs(draw):
    """Right and wrong answers to up to twelve items in up to five clusters and three strata."""
    n = draw(st.integers(2, 12))
    values, clusters, strata = (
        draw(st.lists(st.integers(0, most), min_size=n, max_size=n)) for most in (1, 4, 2)
    )
    return np.array(values), np.array(clusters), np.array(strata)


@given(designs(), st.integers(2, 4))
def test_copies_within_clusters_are_no_further_items(design, copies):
    """k copies of every item leave a k-th of each at the most, whatever the strata."""
    before = design_factor(sample(*design))
    after = design_factor(sample(*(np.repeat(column, copies) for column in design)))
    assert math.isnan(before) == math.isnan(after)
    assert math.isnan(before) or after <= before / copies * (1 + 1e-9)


def test_a_single_cluster_tells_nothing_of_its_spread():
    for found in (
        rate(sample([1, 0, 1], [7, 7, 7])),
        difference(sample([1, 0, -1], [7, 7, 7])),
    ):
        assert not math.isnan(found.value)
        assert math.isnan(found.ci_low)
        assert math.isnan(found.ci_high)
    assert math.isnan(difference(sample([1, 0, -1], [7, 7, 7])).p)


def test_an_item_of_no_weight_is_not_there():
    values, clusters = [1, 0, 1, 1, 0, 0], [0, 0, 1, 1, 2, 3]
    padded = sample([*values, 1, 0], [*clusters, 3, 9], weights=[1] * 6 + [0, 0])
    assert rate(padded) == rate(sample(values, clusters))
    for found in (rate(sample([1, 0], weights=[0, 0])), difference(sample([]))):
        assert (math.isnan(found.value), found.n) == (True, 0)


def test_weights_are_those_of_a_weighted_mean():
    found = rate(sample([1, 0, 0.5], weights=[2, 1, 1]))
    assert found.value == pytest.approx(2.5 / 4)
    assert independent_size(sample([1, 0, 1], weights=[2, 1, 1])) == pytest.approx(16 / 6)


def test_rates_that_differ_by_label_are_known_better_than_their_mixture():
    """Half the items at 0.9, half at 0.1: the variance is 0.09 / n, not 0.25 / n."""
    values, strata = [1] * 90 + [0] * 10 + [1] * 10 + [0] * 90, [0] * 100 + [1] * 100
    assert independent_size(sample(values)) == pytest.approx(200)
    stratified = independent_size(sample(values, strata=strata))
    assert stratified == pytest.approx(200 * 0.25 / 0.09, rel=0.05)
    alike = sample(([1] * 60 + [0] * 40) * 2, strata=strata)
    assert independent_size(alike) == pytest.approx(200, rel=0.01)
    found = rate(sample([1] * 25 + [0] * 25, strata=[0] * 25 + [1] * 25))
    assert found.ci_low < 0.48 < 0.52 < found.ci_high


def test_epochs_that_vary_less_than_single_answers_count_for_more():
    """Values 0.25 and 0.75 vary a quarter as much as 0 and 1 do; the variance is estimated now."""
    expected = 40 * 4 * (1.959964 / stdtrit(39, 0.975)) ** 2
    assert effective_size(sample([0.25, 0.75] * 20)) == pytest.approx(expected, rel=1e-6)


def test_cluster_corrections_are_bell_and_mccaffreys():
    """Against the definition in matrices: unbiased under independence, Satterthwaite's df."""
    rng = np.random.default_rng(0)
    n, kinds = 40, 3
    clusters = np.unique(rng.integers(0, 12, n), return_inverse=True)[1]
    strata = np.unique(rng.integers(0, kinds, n), return_inverse=True)[1]
    weights = np.array([1.0, 2.0, 0.5])[strata]
    dummies = np.eye(kinds)[strata]
    residual = np.eye(n) - dummies @ np.linalg.inv(dummies.T @ dummies) @ dummies.T
    pick = np.eye(clusters.max() + 1)[clusters].T * weights
    covariance = pick @ residual @ pick.T
    scale = (pick**2).sum(axis=1) / np.diag(covariance)
    scaled = np.sqrt(scale)[:, None] * covariance * np.sqrt(scale)
    df = np.trace(scaled) ** 2 / np.trace(scaled @ scaled)
    found = _cluster_corrections(sample(np.zeros(n), weights=weights), strata, clusters)
    assert found[0] == pytest.approx(scale)
    assert found[1] == pytest.approx(df)


def test_a_cluster_that_is_its_whole_label_says_nothing_of_the_spread():
    strata, clusters = np.array([0, 0, 0, 1, 1, 1, 1, 1]), np.array([0, 0, 0, 1, 1, 2, 2, 3])
    scale, df = _cluster_corrections(sample(np.zeros(8)), strata, clusters)
    assert scale[0] == 0
    rest = _cluster_corrections(sample(np.zeros(5)), strata[3:] - 1, clusters[3:] - 1)
    assert scale[1:] == pytest.approx(rest[0])
    assert df == pytest.approx(rest[1])
