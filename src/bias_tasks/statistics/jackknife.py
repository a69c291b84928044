"""The jackknife over clusters: bias and standard errors of metrics that are no plain means.

Each metric is computed once from all items, and once without each cluster.
"""

from dataclasses import dataclass

import numpy as np

from bias_tasks.statistics.delta_method import sum_by_cluster
from bias_tasks.statistics.effective_size import Floats, Ints


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of k columns."""

    all_items: Floats
    """Over all items, 1 by k."""
    without: Floats
    """Without each of c clusters, c by k."""

    @classmethod
    def from_columns(cls, columns: Floats, cluster: Ints) -> "Sums":
        """Return the sums of columns.

        Args:
            columns: Values, n by k.
            cluster: The cluster of each row, numbered in any way.
        """
        _, codes = np.unique(cluster, return_inverse=True)
        sums = sum_by_cluster(columns, codes)
        all_items = sums.sum(axis=0, keepdims=True)
        return cls(all_items, all_items - sums)


def correct_bias(all_items: Floats, without: Floats) -> Floats:
    """Return metrics corrected for bias by the jackknife over clusters (Quenouille 1956).

    The estimate is c * all_items - (c - 1) * mean(without). For example, the square of a sample
    mean is on average too large by the variance of that mean; the jackknife subtracts it.

    Args:
        all_items: k metrics computed from all items.
        without: The same metrics without each of c clusters, c by k.
    """
    clusters = without.shape[0]
    corrected: Floats = clusters * all_items - (clusters - 1) * without.mean(axis=0)
    return corrected


def standard_errors(without: Floats) -> Floats:
    """Return the jackknife standard error of each of k metrics.

    Args:
        without: The metrics without each of c clusters, c by k.
    """
    errors: Floats = np.sqrt((without.shape[0] - 1) * without.var(axis=0))
    return errors
