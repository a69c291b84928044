"""Holm's step-down adjustment of p-values (Holm 1979, Scandinavian Journal of Statistics 6:65-70).

The one in statsmodels collects the whole process's garbage in every call, which costs a large
fraction of a second while a host holds a run in memory and recomputes its figures each second.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scipy.special import ndtri

from bias_tasks.statistics.estimate import QUANTILE, Estimate, Z
from bias_tasks.statistics.intervals import Pairs


def holm(p_values: Sequence[float]) -> list[float]:
    """The adjusted p-values, in the order given: each at most 1, and none below a smaller one's."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = largest
    return adjusted


def holm_adjusted(figures: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """The figures with their p-values adjusted for each other; nan stays nan."""
    known = {name: each.p for name, each in figures.items() if each.p is not None}
    tested = {name: p for name, p in known.items() if not math.isnan(p)}
    adjusted = zip(tested, holm(list(tested.values())), strict=True)
    return dict(figures) | {name: replace(figures[name], p=p) for name, p in adjusted}


def least_of(differences: Sequence[Pairs]) -> Estimate:
    """The least of k paired differences, k at least 1, with limits of the least true one.

    Below: the least lower limit, which is above the least true difference only if that of this very
    difference is: in 2.5 % of cases at most. Above: the least of upper limits that each fail in
    2.5 % / k of cases (Bonferroni), below 0 just where k times the p-value of some fall is below
    0.05. Whatever correlates with what, the limits thus hold the least true difference in at least
    95 % of cases. nan where some difference has none.
    """
    least = min(differences, key=lambda pairs: round(pairs.value, 12))  # of equals the first
    if any(math.isnan(pairs.size) for pairs in differences):
        return Estimate(least.value, math.nan, math.nan, least.n, math.nan)
    z = float(ndtri(1 - (1 - QUANTILE) / len(differences)))
    low = min(-pairs.turned().upper(Z) for pairs in differences)
    high = min(pairs.upper(z) for pairs in differences)
    falls = [pairs.p for pairs in differences if pairs.value < 0]
    adjusted = min(1.0, len(differences) * min(falls, default=1.0))
    p = adjusted if falls else max(pairs.p for pairs in differences)
    return Estimate(least.value, low, high, least.n, p)


def greatest_of(differences: Sequence[Pairs]) -> Estimate:
    """The greatest of k paired differences, k at least 1, with limits of the greatest true one."""
    least = least_of([pairs.turned() for pairs in differences])
    return replace(least, value=0.0 - least.value, ci_low=-least.ci_high, ci_high=-least.ci_low)
