"""How far ways of asking lie apart, what of that is chance, and what makes up the variance."""

import math

import numpy as np
import pytest

from bias_tasks.probing.metrics import probe_metrics
from bias_tasks.probing.metrics_spread import PARTS, compute_spread, compute_variance_shares
from tests.bias_tasks.probing.outcomes import outcomes, row


def alone(scores):
    return compute_spread(np.array(scores, dtype=float), np.arange(len(scores)))


def two_ways(rising, falling, n):
    """Items of which some are right in the second way alone, and some in the first alone."""
    rest = n - rising - falling
    return (
        [[0, 1]] * rising
        + [[1, 0]] * falling
        + [[1, 1]] * (rest // 2)
        + [[0, 0]] * (rest - rest // 2)
    )


def test_spread_noise_is_the_mean_distance_of_two_normal_errors():
    found = alone(two_ways(12, 8, 100))
    # The variance of the difference: that of 12 times 1 and 8 times -1 about 0.04, over 99.
    error = math.sqrt((0.20 - 0.04**2) / 99)
    assert found["spread"].value == pytest.approx(0.04)
    assert found["spread_noise"].value == pytest.approx(error * math.sqrt(2 / math.pi), rel=0.02)


def anova(scores, noise, epochs):
    """The four parts by mean squares."""
    n, ways = scores.shape
    mean, items, means = scores.mean(), scores.mean(axis=1), scores.mean(axis=0)
    of_items = ways * ((items - mean) ** 2).sum() / (n - 1)
    of_ways = n * ((means - mean) ** 2).sum() / (ways - 1)
    rest = ((scores - items[:, None] - means + mean) ** 2).sum() / ((n - 1) * (ways - 1))
    return [
        (of_items - rest) / ways,
        (of_ways - rest) / n,
        rest - (noise / epochs).mean(),
        noise.mean(),
    ]


def drawn(n, ways, seed=0):
    rng = np.random.default_rng(seed)
    chance = np.clip(
        rng.beta(2, 1, (n, 1)) + rng.normal(0, 0.2, (n, ways)) - [[0.3] + [0] * (ways - 1)], 0, 1
    )
    return rng.binomial(3, chance) / 3, rng.uniform(0, 0.04, n), rng.integers(1, 4, n)


@pytest.mark.parametrize(("n", "ways"), [(3, 2), (7, 3), (40, 6)])
def test_parts_are_those_of_the_analysis_of_variance(n, ways):
    scores, noise, epochs = drawn(n, ways)
    found = compute_variance_shares(scores, np.arange(n), noise, epochs)
    parts = np.maximum(anova(scores, noise, epochs), 0)
    assert [found[part].value for part in PARTS] == pytest.approx(list(parts / parts.sum()))
    assert {figure.n for figure in found.values()} == {n}


def test_clusters_count_together():
    """Items asked four times over, as clusters, say as much as once and no more."""
    scores, noise, epochs = drawn(30, 4)
    once = compute_variance_shares(scores, np.arange(30), noise, epochs)
    fours = (np.repeat(each, 4, axis=0) for each in (scores, np.arange(30), noise, epochs))
    clustered = compute_variance_shares(*fours)
    for part in PARTS:
        expected = [once[part].value, once[part].ci_low, once[part].ci_high]
        found = [clustered[part].value, clustered[part].ci_low, clustered[part].ci_high]
        assert found == pytest.approx(expected, abs=1e-6), part
        assert clustered[part].n == 120


def test_noise_is_the_variance_of_baseline_answers_and_repeats():
    first = outcomes({"1": row(1, (1, 0), a=0), "2": row(0, (0, 0), a=0)})
    second = outcomes({"1": row(0, (0, 1), a=1), "2": row(0, (0, 0), a=1)}, epoch=2)
    found = probe_metrics(first + second)
    scores, noise = np.array([[0.5, 0.5], [0.0, 0.5]]), np.array([6 * 0.25 / 5, 0.0])
    expected = compute_variance_shares(scores, np.arange(2), noise, np.array([2.0, 2.0]))
    assert {part: found[f"variance/{part}"] for part in PARTS} == expected


@pytest.mark.parametrize("scores", [[[1, 1]] * 4, [[1, 0]], [[0.1, 0.1]] * 7])
def test_shares_are_nan_without_variance_or_with_one_cluster(scores):
    n = len(scores)
    found = compute_variance_shares(np.array(scores, float), np.arange(n), np.zeros(n), np.ones(n))
    for figure in found.values():
        assert np.isnan([figure.value, figure.ci_low, figure.ci_high]).all()
        assert figure.n == n
