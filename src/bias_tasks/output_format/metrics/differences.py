"""Differences of EstTrue between two formats that were asked of the same items."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

from scipy.special import ndtr, ndtri

from bias_tasks.statistics.effective_size import QUANTILE, Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted

Limits = tuple[float, float, float]
"""The lower limit of a figure, the figure itself and its upper limit."""


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
    inward = value - low if value > 0 else high - value
    distance = abs(value) / inward if inward > 0 else math.inf
    p = float(2 * ndtr(-_Z * distance)) if value else 1.0
    return Estimate(value, max(low, -1.0), min(high, 1.0), n, p)


def mover(first: Limits, second: Limits, related: float) -> tuple[float, float]:
    """Limits of first - second, made of the limits of both.

    The method of variance estimates recovery (MOVER; Zou and Donner 2008), for figures whose
    errors correlate by `related`.
    """
    value = first[1] - second[1]
    return (
        value - _arm(first[1] - first[0], second[2] - second[1], related),
        value + _arm(first[2] - first[1], second[1] - second[0], related),
    )


def _limits(figure: Estimate) -> Limits:
    return figure.ci_low, figure.value, figure.ci_high


def _arm(first: float, second: float, related: float) -> float:
    return math.sqrt(max(first**2 + second**2 - 2 * related * first * second, 0.0))


_Z = float(ndtri(QUANTILE))
