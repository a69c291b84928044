"""Differences of EstTrue between two formats that were asked of the same items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from scipy.special import ndtr, ndtri

from bias_tasks.metrics.design import QUANTILE, Floats
from bias_tasks.metrics.estimate import Estimate
from bias_tasks.metrics.holm import holm


def differences(figures: Mapping[str, Estimate], related: Floats) -> dict[str, Estimate]:
    """`<a>-<b>` for every pair of formats, with p-values that are Holm-adjusted across all.

    Args:
        figures: a share of each of k formats.
        related: k by k, the correlations of their errors.
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
    """first - second, two figures whose errors correlate by `related`.

    The interval is made of the figures' own limits by the method of variance estimates recovery
    (MOVER; Zou and Donner 2008). The p-value is below 0.05 just where it excludes 0.
    """
    value = first.value - second.value
    down = _arm(first.value - first.ci_low, second.ci_high - second.value, related)
    up = _arm(first.ci_high - first.value, second.value - second.ci_low, related)
    inward = down if value > 0 else up
    p = float(2 * ndtr(-_Z * abs(value) / inward)) if inward > 0 else float(value == 0)
    low, high = max(value - down, -1.0), min(value + up, 1.0)
    return Estimate(value, low, high, min(first.n, second.n), math.nan if math.isnan(low) else p)


def holm_adjusted(figures: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """The figures with their p-values adjusted for each other; nan stays nan."""
    tested: Sequence[tuple[str, float]] = [
        (name, figure.p)
        for name, figure in figures.items()
        if figure.p is not None and not math.isnan(figure.p)
    ]
    adjusted = holm([p for _, p in tested])
    return dict(figures) | {
        name: replace(figures[name], p=p) for (name, _), p in zip(tested, adjusted, strict=True)
    }


def _arm(first: float, second: float, related: float) -> float:
    return math.sqrt(max(first**2 + second**2 - 2 * related * first * second, 0.0))


_Z = float(ndtri(QUANTILE))
