"""Differences of EstTrue between two formats that were asked of the same items."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.mover import Limits, mover, p_of


def differences(figures: Mapping[str, Estimate], related: Floats) -> dict[str, Estimate]:
    """`<a>-<b>` for every pair of formats, with p-values that are Holm-adjusted across all.

    `related` holds the correlations of the figures' errors, k by k.
    """
    names = list(figures)
    pairs = {
        f"{names[a]}-{names[b]}": difference(
            figures[names[a]], figures[names[b]], float(related[a, b])
        )
        for a, b in combinations(range(len(names)), 2)
    }
    return holm_adjusted(pairs)


def difference(first: Estimate, second: Estimate, related: float) -> Estimate:
    """first - second, two shares whose errors correlate by `related`.

    The p-value is below 0.05 just where the interval excludes 0.
    """
    value = first.value - second.value
    low, high = mover(_limits(first), _limits(second), related)
    n = min(first.n, second.n)
    if math.isnan(low):
        return Estimate(value, low, high, n, math.nan)
    return Estimate(value, max(low, -1.0), min(high, 1.0), n, p_of(value, low, high))


def _limits(figure: Estimate) -> Limits:
    return figure.ci_low, figure.value, figure.ci_high
