"""The delete-one-cluster jackknife of anything that is a function of sums over items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bias_tasks.statistics.effective_size import Floats, Ints


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of k columns over all items, and over all but one of the c clusters each."""

    every: Floats
    """1 by k."""
    without: Floats
    """c by k."""

    @classmethod
    def of(cls, columns: Floats, cluster: Ints) -> Sums:
        """The sums of n by k columns, whose clusters are numbered in any way."""
        _, codes = np.unique(cluster, return_inverse=True)
        sums = np.zeros((int(codes.max()) + 1, columns.shape[1]))
        np.add.at(sums, codes, columns)
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
    clusters = without.shape[0]
    found: Floats = np.sqrt((clusters - 1) * without.var(axis=0))
    return found
