"""Sparse labels against tense ones within data sets that have items of both."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from bias_tasks.instruction_boundary.metrics.table import GOLD, Table
from bias_tasks.statistics.covariance import correlation, ratio_covariance
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import NOTHING, rate


def gap(table: Table, sparse: tuple[str, ...], tense: tuple[str, ...]) -> Estimate:
    """Accuracy where gold is sparse minus accuracy where it is tense, within data sets.

    The mean, over the sparse items of the data sets that have items of both kinds, of the
    difference between the two rates of the item's data set: sum_d (s_d / s) (gr_d - sr_d), with s_d
    the sparse items of data set d. Without such a data set there is nothing to measure.

    The interval combines those of the two weighted rates (MOVER; Newcombe 1998, Zou and Donner
    2008), with the correlation that clusters in which both kinds stand give them.
    """
    known = table.origin >= 0
    sparse_rows, tense_rows = known & table.of(*sparse), known & table.of(*tense)
    sparse_items, tense_items = _by_origin(table, sparse_rows), _by_origin(table, tense_rows)
    both = ((sparse_items > 0) & (tense_items > 0))[table.origin]
    if not (both & sparse_rows).any():
        return NOTHING
    of_tense = (sparse_items / np.maximum(tense_items, 1))[table.origin]
    weights = np.column_stack([both & sparse_rows, np.where(both & tense_rows, of_tense, 0.0)])
    strata = np.maximum(table.origin, 0) * len(GOLD) + table.stratum
    upper, lower = (
        rate(WeightedSample(table.ok, table.cluster, strata, column)) for column in weights.T
    )
    related = _correlation(table, weights)
    value = upper.value - lower.value
    low = _distance(upper.value - upper.ci_low, lower.ci_high - lower.value, related)
    high = _distance(upper.ci_high - upper.value, lower.value - lower.ci_low, related)
    return Estimate(value, max(value - low, -1.0), min(value + high, 1.0), upper.n + lower.n)


def _correlation(table: Table, weights: Floats) -> float:
    """How the two weighted rates vary together from cluster to cluster."""
    covariance = ratio_covariance(table.ok[:, None] * weights, weights, table.cluster)
    return float(correlation(covariance)[0, 1])


def _distance(one: float, other: float, related: float) -> float:
    """How far the limit of a difference lies, given how far those of its two rates do."""
    return math.sqrt(max(one**2 + other**2 - 2 * related * one * other, 0.0))


def _by_origin(table: Table, rows: NDArray[np.bool_]) -> Ints:
    """How many of these rows each data set has; at least one data set."""
    size = int(table.origin.max(initial=0)) + 1
    return np.bincount(table.origin[rows], minlength=size)
