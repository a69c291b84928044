"""Correlations of two columns, with intervals on Fisher's z scale."""

import math
from collections.abc import Callable

import numpy as np
from scipy.special import stdtrit
from scipy.stats import rankdata

from bias_tasks.statistics.effective_size import Floats, Ints
from bias_tasks.statistics.estimate import QUANTILE, Estimate
from bias_tasks.statistics.jackknife import standard_errors

_MIN_ROWS = 4
"""Minimum number of rows for an interval of a correlation."""
MAX_GROUPS = 200
"""Maximum number of jackknife groups; clusters share groups if there are more."""
_ROUNDING = 1e-12


def spearman(both: Floats, cluster: Ints, *, intervals: bool) -> Estimate:
    """Return Spearman's rank correlation of two columns (variance: Bonett and Wright 2000).

    Args:
        both: n by 2. The correlation is nan if a column is constant, or for fewer than two rows.
        cluster: Cluster of each row.
        intervals: Whether the interval is computed.
    """
    return _correlate(both, cluster, _rank_correlation, lambda value: 1 + value**2 / 2, intervals)


def pearson(both: Floats, cluster: Ints, *, intervals: bool) -> Estimate:
    """Return Pearson's correlation of two columns (variance: Fisher 1921).

    Args:
        both: As in `spearman`.
        cluster: As in `spearman`.
        intervals: As in `spearman`.
    """
    return _correlate(both, cluster, _linear_correlation, lambda value: 1.0, intervals)


def _rank_correlation(both: Floats) -> float:
    return _linear_correlation(rankdata(both, axis=0))


def _linear_correlation(both: Floats) -> float:
    first, second = (column - column.mean() for column in both.T)
    scale = math.sqrt(float((first**2).sum() * (second**2).sum()))
    if scale <= _ROUNDING:
        return math.nan
    return float(np.clip((first * second).sum() / scale, -1.0, 1.0))


def _correlate(
    both: Floats,
    cluster: Ints,
    correlation: Callable[[Floats], float],
    variance: Callable[[float], float],
    intervals: bool,
) -> Estimate:
    """Compute a correlation with an interval on Fisher's z scale.

    The standard error is the larger of two: the formula for independent rows, and the
    jackknife over clusters.

    Args:
        both: n by 2.
        cluster: Cluster of each row.
        correlation: Computes the correlation of the columns; nan if one is constant.
        variance: Returns the variance of z times n - 3 for a correlation.
        intervals: Whether the interval is computed.
    """
    n = len(both)
    value = correlation(both) if n > 1 else math.nan
    group = np.unique(cluster, return_inverse=True)[1] % MAX_GROUPS
    n_groups = int(group.max()) + 1 if n else 0
    if math.isnan(value) or n < _MIN_ROWS or n_groups < 2 or not intervals:
        return Estimate.without_interval(value, n)
    max_value = 1 - 1 / (2 * n)  # Fisher's z of a perfect correlation is infinite.
    jackknife = np.array([correlation(both[group != number]) for number in range(n_groups)])
    z = np.arctanh(np.clip(jackknife[~np.isnan(jackknife)], -max_value, max_value))
    clustered = float(standard_errors(z[:, None])[0]) if z.size > 1 else 0.0
    error = max(math.sqrt(variance(value) / (n - 3)), clustered)
    centre = math.atanh(min(max(value, -max_value), max_value))
    half = float(stdtrit(n_groups - 1, QUANTILE)) * error
    low, high = math.tanh(centre - half), math.tanh(centre + half)
    return Estimate(value, min(low, value), max(high, value), n)
