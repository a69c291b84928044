"""Sparse labels against tense ones within data sets that have items of both."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bias_tasks.instruction_boundary.metrics.table import GOLD, Table
from bias_tasks.statistics.effective_size import Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import NOTHING, difference


def gap(table: Table, sparse: tuple[str, ...], tense: tuple[str, ...]) -> Estimate:
    """Accuracy where gold is sparse minus accuracy where it is tense, within data sets.

    The mean, over the sparse items of the data sets that have items of both kinds, of the
    difference between the two rates of the item's data set: sum_d (s_d / s) (gr_d - sr_d), with s_d
    the sparse items of data set d. Without such a data set there is nothing to measure.

    The interval is that of a weighted difference (`statistics.intervals.difference`), in which
    every sparse item counts 1 / s and every tense one of a data set (s_d / s) / t_d.
    """
    known = table.origin >= 0
    sparse_rows, tense_rows = known & table.of(*sparse), known & table.of(*tense)
    sparse_items, tense_items = _by_origin(table, sparse_rows), _by_origin(table, tense_rows)
    both = (sparse_items > 0) & (tense_items > 0)
    used = both[table.origin] & (sparse_rows | tense_rows)
    if not used.any():
        return NOTHING
    of_tense = (sparse_items / np.maximum(tense_items, 1))[table.origin]
    weights = np.where(tense_rows, of_tense, 1.0) * used
    signed = np.where(tense_rows, -table.ok, table.ok)
    strata = np.maximum(table.origin, 0) * len(GOLD) + table.stratum
    halved = difference(WeightedSample(signed, table.cluster, strata, weights))
    # Both kinds weigh the same, so that the mean of the signed values is half of the difference.
    low, high = max(2 * halved.ci_low, -1.0), min(2 * halved.ci_high, 1.0)
    return replace(halved, value=2 * halved.value, ci_low=low, ci_high=high, p=None)


def _by_origin(table: Table, rows: NDArray[np.bool_]) -> Ints:
    """How many of these rows each data set has; at least one data set."""
    size = int(table.origin.max(initial=0)) + 1
    return np.bincount(table.origin[rows], minlength=size)
