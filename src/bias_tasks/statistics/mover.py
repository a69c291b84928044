"""Limits of a difference and of a mean, made of the limits that each figure has by itself.

The method of variance estimates recovery (MOVER; Zou and Donner 2008, Statistics in Medicine 27).
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr

from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate, Z
from bias_tasks.statistics.intervals import NOTHING

Limits = tuple[float, float, float]
"""The lower limit of a figure, the figure itself and its upper limit."""


def mover(first: Limits, second: Limits, related: float) -> tuple[float, float]:
    """Limits of first - second, for figures whose errors correlate by `related`."""
    value = first[1] - second[1]
    return (
        value - _arm(first[1] - first[0], second[2] - second[1], related),
        value + _arm(first[2] - first[1], second[1] - second[0], related),
    )


def mover_of_alike(first: Limits, second: Limits, related: float) -> tuple[float, float]:
    """Limits of first - second where both are the same figure of two runs.

    MOVER sets one figure's lower arm against the other's upper arm, by which two runs with the same
    answers would seem to differ where limits are skewed. As far as both err together, lower arm
    stands against lower and upper against upper here; with symmetric arms this is MOVER.
    """
    if related <= 0:
        return mover(first, second, related)
    value = first[1] - second[1]
    down, up = first[1] - first[0], first[2] - first[1]
    down_other, up_other = second[1] - second[0], second[2] - second[1]
    together = max(abs(down - down_other), abs(up - up_other))
    low, high = (
        math.sqrt((1 - related) * (own**2 + other**2) + related * together**2)
        for own, other in ((down, up_other), (up, down_other))
    )
    return value - low, value + high


def mover_mean(figures: Sequence[Estimate], related: Floats) -> Estimate:
    """The mean of k figures whose errors correlate by the k x k matrix `related`; nan if one is."""
    if not figures or any(math.isnan(figure.value) for figure in figures):
        return NOTHING
    value, low, high = (
        np.array([getattr(figure, name) for figure in figures])
        for name in ("value", "ci_low", "ci_high")
    )
    mean = math.fsum(value) / len(figures)
    down, up = (
        math.sqrt(max(float(arm @ related @ arm), 0.0)) / len(figures)
        for arm in (value - low, high - value)
    )
    return Estimate(mean, mean - down, mean + up, sum(figure.n for figure in figures))


def p_of(value: float, low: float, high: float) -> float:
    """The p-value of no difference: below 0.05 just where the limits exclude 0.

    That of a normal estimate whose standard error is what the limit towards 0 says.
    """
    if not value:
        return 1.0
    inward = value - low if value > 0 else high - value
    distance = abs(value) / inward if inward > 0 else math.inf
    return float(2 * ndtr(-Z * distance))


def _arm(first: float, second: float, related: float) -> float:
    return math.sqrt(max(first**2 + second**2 - 2 * related * first * second, 0.0))
