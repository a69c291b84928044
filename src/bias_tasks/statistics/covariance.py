"""How the figures of several formats, asked of the same items, vary together.

A figure of format k is a ratio R_k = sum(top) / sum(bottom) over items. Linearised, its error is
the sum of the items' *influences* (top - R_k * bottom) / sum(bottom).
"""

from dataclasses import dataclass

import numpy as np

from bias_tasks.statistics.effective_size import Floats, Ints
from bias_tasks.statistics.estimate import Z

DRAWS = 4000
SEED = 20240816


def ratio_covariance(top: Floats, bottom: Floats, cluster: Ints) -> Floats:
    """The cluster-robust covariance, k by k, of the ratios of k formats.

    `top` and `bottom` are n by k: items that say nothing of a format have 0 in both, and no column
    of `bottom` is all 0. `cluster` is of each item, from 0. A format that a single cluster says
    something of shows no spread: one answer of it is taken to vary as one of the other formats does
    on average, and independently. nan for it where there are no others.
    """
    total: Floats = bottom.sum(axis=0)
    influence = (top - (top.sum(axis=0) / total) * bottom) / total
    sums, telling = _by_cluster(influence, cluster), _by_cluster(bottom, cluster) > 0
    clusters = telling.sum(axis=0)
    spread = clusters > 1
    # Deviations from a mean of m clusters have (m - 1) / m of the variance.
    scaled: Floats = sums * np.sqrt(clusters / np.maximum(clusters - 1, 1))
    covariance: Floats = scaled.T @ scaled
    once = (np.diagonal(covariance) * total)[spread].mean() if spread.any() else np.nan
    covariance[~spread] = covariance[:, ~spread] = 0.0
    covariance[~spread, ~spread] = once / total[~spread]
    return covariance


def correlation(covariance: Floats) -> Floats:
    """The correlations; figures without spread correlate with none."""
    errors = np.sqrt(np.nan_to_num(np.diagonal(covariance)))
    scale = np.divide(1, errors, out=np.zeros_like(errors), where=errors > 0)
    related = np.clip(np.nan_to_num(covariance) * scale[:, None] * scale, -1.0, 1.0)
    np.fill_diagonal(related, 1.0)
    return related


def joint_errors(arms: Floats, covariance: Floats) -> Floats:
    """Simulated errors, draws by k: as wide as these arms of intervals, correlated as they are.

    This is the cluster bootstrap of the linearised figures with normal multipliers (a wild
    bootstrap), drawn from its covariance at once, however many items there are.
    """
    strengths, axes = np.linalg.eigh(correlation(covariance))
    # The symmetric root: unlike the axes, it does not jump where two strengths are equal.
    root = axes * np.sqrt(np.maximum(strengths, 0.0)) @ axes.T
    normal = np.random.default_rng(SEED).standard_normal((DRAWS, arms.size))
    drawn: Floats = normal @ root * (arms / Z)
    return drawn


def _by_cluster(values: Floats, cluster: Ints) -> Floats:
    """The sums of each column (of none, where no format is followed) over each cluster."""
    sums = np.zeros((int(cluster.max()) + 1, values.shape[1]))
    np.add.at(sums, cluster, values)
    return sums


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of k columns over all items (1 by k), and without each of c clusters (c by k)."""

    every: Floats
    without: Floats

    @classmethod
    def of(cls, columns: Floats, cluster: Ints) -> "Sums":
        """The sums of n by k columns, whose clusters are numbered in any way."""
        _, codes = np.unique(cluster, return_inverse=True)
        sums = _by_cluster(columns, codes)
        every = sums.sum(axis=0, keepdims=True)
        return cls(every, every - sums)


def unbiased(every: Floats, without: Floats) -> Floats:
    """Figures of all items (k) without the bias that figures without a cluster (c by k) show.

    Squares of means, and so variances of means, come out as if the means were known.
    """
    clusters = without.shape[0]
    found: Floats = clusters * every - (clusters - 1) * without.mean(axis=0)
    return found


def standard_errors(without: Floats) -> Floats:
    """The standard error of each figure, from those without a cluster (c by k)."""
    found: Floats = np.sqrt((without.shape[0] - 1) * without.var(axis=0))
    return found
