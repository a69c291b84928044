"""Intervals of composite metrics: functions of several sums, such as F1 or a harmonic mean.

`sum_clusters` is the Bayesian bootstrap (Rubin 1981) over clusters: each cluster gets a random
weight, and a metric is computed from the weighted sums. It needs no formula of the metric's error.
`bootstrap_errors` simulates errors from their covariance instead.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import stdtrit

from bias_tasks.statistics.delta_method import correlation, sum_by_cluster
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import QUANTILE, Estimate, Z
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE

DRAWS = 4000
SEED = 20240816
_MAX_GROUPS = 100
"""Maximum number of random weights of a draw; clusters share weights if there are more."""
_MIN_SHAPE = 0.25
"""Lower bound of the shape of weights, about that of four clusters: a stratum with fewer is one of
several."""
_DIGITS = 9
"""Decimals that decide the order of clusters, so that rounding errors do not."""


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """The sums of k columns over items, and how they vary with the clusters that were sampled."""

    observed: Floats
    """1 by k."""
    draws: Floats | None
    """DRAWS by k; None if no intervals are computed, or for a single cluster."""

    def estimate(
        self, compute: Callable[[Floats], Floats], n: int, bounds: tuple[float, float]
    ) -> Estimate:
        """Return a metric with the quantiles of its draws as its interval.

        Args:
            compute: Returns the metric of each row of sums.
            n: Number of items.
            bounds: The lowest and the highest value that the metric can have.

        Returns:
            The metric; nan with n = 0 if it is nan.
        """
        [value] = compute(self.observed).tolist()
        if math.isnan(value):
            return NO_ESTIMATE
        if self.draws is None:
            return Estimate.without_interval(value, n)
        return estimate_by_draws(value, compute(self.draws), n, bounds)


def estimate_by_draws(
    value: float, draws: Floats, n: int, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> Estimate:
    """Return a value with the quantiles of its draws, or the value itself, as bounds.

    Args:
        value: The value.
        draws: Simulated values; nan if a draw has none.
        n: Number of items.
        bounds: The lowest and the highest value that is possible.
    """
    low, high = np.nanquantile(draws, [1 - QUANTILE, QUANTILE]).tolist()
    return Estimate(value, min(max(low, bounds[0]), value), max(min(high, bounds[1]), value), n)


def sum_clusters(
    columns: Floats, clusters: Ints, strata: Ints, prior: Floats, *, intervals: bool
) -> ClusterSums:
    """Return the sums of columns over items.

    Weights of clusters are gamma-distributed. With m clusters in a stratum, their variance is that
    of a mean of m values, with Student's t in the place of the normal distribution. The draws also
    contain half an item of each kind, so that a share of 0 or 1 is not known exactly (Jeffreys).
    The order of the items does not matter.

    Args:
        columns: Values, n items by k.
        clusters: The cluster of each item.
        strata: The stratum of each item, whose number of items is fixed by design, from 0. The
            stratum of a cluster is the first one of its items.
        prior: The columns of an item of each kind, kinds by k.
        intervals: Whether to draw.
    """
    observed = columns.sum(axis=0, keepdims=True)
    names, cluster = np.unique(clusters, return_inverse=True)
    if not intervals or names.size < 2:
        return ClusterSums(observed, None)
    sums = sum_by_cluster(columns, cluster)
    stratum = np.full(names.size, strata.max())
    np.minimum.at(stratum, cluster, strata)
    m = np.maximum(np.bincount(stratum)[stratum], 2)
    shape = np.maximum((Z / stdtrit(m - 1, QUANTILE)) ** 2 * (m - 1) / m, _MIN_SHAPE)
    # Clusters of one shape with the same sums are interchangeable. The first columns decide, so
    # that further columns do not change the draws of the first.
    order = np.lexsort((*np.round(sums, _DIGITS).T[::-1], shape))
    group = np.arange(names.size)
    if names.size > _MAX_GROUPS:
        group = np.random.default_rng(SEED).permutation(group) % _MAX_GROUPS
    shapes = np.bincount(group, shape[order]) / np.bincount(group)
    # Half an item counts as half a cluster if all items of a cluster are alike.
    scale = clusters.size / names.size
    weights = _draw_weights(tuple(shapes.tolist()))
    draws: Floats = weights @ sum_by_cluster(sums[order], group)
    draws += (scale * _draw_prior_weights(len(prior))).T @ prior
    return ClusterSums(observed, draws)


@lru_cache(maxsize=4)
def _draw_weights(shapes: tuple[float, ...]) -> Floats:
    """Return gamma-distributed weights of mean 1, draws by clusters.

    Drawing takes most of the time. All variants of a run usually have the same clusters.
    """
    weights = np.random.default_rng([SEED, 1]).standard_gamma(shapes, (DRAWS, len(shapes)))
    scaled: Floats = weights / np.array(shapes)
    return scaled


@lru_cache(maxsize=16)
def _draw_prior_weights(kinds: int) -> Floats:
    """Return gamma-distributed weights of half an item of each kind, kinds by draws."""
    return np.random.default_rng(SEED).standard_gamma(0.5, (kinds, DRAWS))


def mean_change(sample: WeightedSample) -> Estimate:
    """Return the mean of several paired differences per item with an interval.

    Tango's interval is for differences of 1, 0 and -1: its width would jump from no change at all
    to the first one, which counts for a fraction of an item.

    Args:
        sample: The mean difference of each item, weighted by the number of its differences.
    """
    return _bootstrap_mean(sample, centre=0.0, limit=1.0)


def mean_points(sample: WeightedSample, limit: float) -> Estimate:
    """Return the mean of differences in points of a scale with an interval.

    Half an item that is one point above the mean, and half an item that is one below, keep the
    interval from having no width if all differences are equal.

    Args:
        sample: The difference of each item. Unlike in other samples, it may exceed 1.
        limit: Largest possible difference.
    """
    used = sample.used()
    centre = used.mean() if used.values.size else 0.0
    return _bootstrap_mean(sample, centre, limit)


def _bootstrap_mean(sample: WeightedSample, centre: float, limit: float) -> Estimate:
    """Return a mean; half an item of 1 above and of 1 below the centre is added to each draw."""
    used = sample.used()
    if not used.values.size:
        return NO_ESTIMATE
    columns = np.column_stack([used.values * used.weights, used.weights])
    mean_weight = float(used.weights.mean())
    prior = mean_weight * np.array([[centre + 1, 1.0], [centre - 1, 1.0]])
    sums = sum_clusters(columns, used.clusters, used.strata, prior, intervals=used.intervals)
    return sums.estimate(lambda s: s[:, 0] / s[:, 1], used.values.size, (-limit, limit))


def bootstrap_errors(arms: Floats, covariance: Floats) -> Floats:
    """Return simulated errors of k metrics that vary jointly, draws by k.

    This is the cluster bootstrap of the linearized metrics with normal multipliers (a wild
    bootstrap), drawn from its covariance at once, however many items there are.

    Args:
        arms: Half widths of the metrics' 95 % intervals.
        covariance: Covariance of the metrics, k by k, whose correlations the errors have.
    """
    strengths, axes = np.linalg.eigh(correlation(covariance))
    # The symmetric root: unlike the axes, it does not jump where two strengths are equal.
    root = axes * np.sqrt(np.maximum(strengths, 0.0)) @ axes.T
    normal = np.random.default_rng(SEED).standard_normal((DRAWS, arms.size))
    errors: Floats = normal @ root * (arms / Z)
    return errors
