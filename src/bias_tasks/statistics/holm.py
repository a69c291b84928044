"""Holm's step-down adjustment of p-values (Holm 1979, Scandinavian Journal of Statistics 6:65-70).

statsmodels has the same adjustment, but every call of it runs Python's garbage collector, which
takes a large fraction of a second while a framework keeps a run in memory.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scipy.special import ndtri

from bias_tasks.statistics.estimate import QUANTILE, Estimate, Z
from bias_tasks.statistics.rate_intervals import Pairs


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the adjusted p-values in the order of the input.

    Args:
        p_values: Unadjusted p-values, not nan.
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - rank)))
        adjusted[index] = largest
    return adjusted


def holm_adjusted(metrics: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Return metrics with their p-values adjusted for each other; nan stays nan.

    Args:
        metrics: Estimates by name; those without a p-value are unchanged.
    """
    p_values = {name: metric.p for name, metric in metrics.items() if metric.p is not None}
    tested = {name: p for name, p in p_values.items() if not math.isnan(p)}
    adjusted = zip(tested, holm(list(tested.values())), strict=True)
    return dict(metrics) | {name: replace(metrics[name], p=p) for name, p in adjusted}


def smallest_difference(differences: Sequence[Pairs]) -> Estimate:
    """Return the smallest of k paired differences, with an interval of the smallest true one.

    The lower bound is the smallest lower bound. It is above the smallest true difference only if
    the bound of that very difference is: in at most 2.5 % of data sets. The upper bound is the
    smallest of upper bounds that each fail in 2.5 % / k of data sets (Bonferroni). It is below 0
    exactly if k times the p-value of some fall is below 0.05. The interval therefore covers the
    smallest true difference in at least 95 % of data sets, however the differences correlate.

    Args:
        differences: At least one. The bounds are nan if one of them has no interval.
    """
    least = min(differences, key=lambda pairs: round(pairs.value, 12))  # the first of equal ones
    if any(math.isnan(pairs.size) for pairs in differences):
        return Estimate.without_interval(least.value, least.n, math.nan)
    z = float(ndtri(1 - (1 - QUANTILE) / len(differences)))
    low = min(-pairs.reversed().upper(Z) for pairs in differences)
    high = min(pairs.upper(z) for pairs in differences)
    falls = [pairs.p for pairs in differences if pairs.value < 0]
    adjusted = min(1.0, len(differences) * min(falls, default=1.0))
    p = adjusted if falls else max(pairs.p for pairs in differences)
    return Estimate(least.value, low, high, least.n, p)


def largest_difference(differences: Sequence[Pairs]) -> Estimate:
    """Return the largest of k paired differences, with an interval of the largest true one.

    Args:
        differences: As in `smallest_difference`.
    """
    least = smallest_difference([pairs.reversed() for pairs in differences])
    return replace(least, value=0.0 - least.value, ci_low=-least.ci_high, ci_high=-least.ci_low)
