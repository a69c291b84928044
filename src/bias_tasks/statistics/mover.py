"""Intervals of a difference and of a mean, from the intervals of the single estimates.

The method of variance estimates recovery (MOVER; Zou and Donner 2008, Statistics in Medicine 27).
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr

from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate, Z
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE

CI = tuple[float, float, float]
"""The lower bound of an estimate, its value and its upper bound."""


def mover(first: CI, second: CI, related: float) -> tuple[float, float]:
    """Return the interval of a difference.

    Args:
        first: The minuend.
        second: The subtrahend.
        related: Correlation of their errors, from -1 to 1.
    """
    value = first[1] - second[1]
    return (
        value - _arm(first[1] - first[0], second[2] - second[1], related),
        value + _arm(first[2] - first[1], second[1] - second[0], related),
    )


def mover_between_runs(first: CI, second: CI, related: float) -> tuple[float, float]:
    """Return the interval of the difference between one metric of two runs.

    MOVER combines the lower arm of one interval with the upper arm of the other. If intervals are
    asymmetric, two runs with the same answers would then seem to differ. To the extent that errors
    correlate, this function combines lower with lower and upper with upper arms. With symmetric
    arms it is MOVER.

    Args:
        first: The minuend.
        second: The subtrahend.
        related: Correlation of their errors, from -1 to 1.
    """
    if related <= 0:
        return mover(first, second, related)
    value = first[1] - second[1]
    down, up = first[1] - first[0], first[2] - first[1]
    down_other, up_other = second[1] - second[0], second[2] - second[1]
    together = max(abs(down - down_other), abs(up - up_other))
    low, high = (
        math.sqrt((1 - related) * (arm**2 + other_arm**2) + related * together**2)
        for arm, other_arm in ((down, up_other), (up, down_other))
    )
    return value - low, value + high


def mover_mean(
    estimates: Sequence[Estimate], related: Floats, weights: Floats | None = None
) -> Estimate:
    """Return the mean of k estimates; nan if one of them is nan.

    Args:
        estimates: The estimates.
        related: Correlations of their errors, k by k.
        weights: Their weights, above 0; None for equal weights.
    """
    if not estimates or any(math.isnan(estimate.value) for estimate in estimates):
        return NO_ESTIMATE
    value, low, high = (
        np.array([getattr(estimate, name) for estimate in estimates])
        for name in ("value", "ci_low", "ci_high")
    )
    weights = np.ones(len(estimates)) if weights is None else weights
    mean = math.fsum(weights * value) / math.fsum(weights)
    down, up = (
        math.sqrt(max(float(arm @ related @ arm), 0.0)) / math.fsum(weights)
        for arm in (weights * (value - low), weights * (high - value))
    )
    return Estimate(mean, mean - down, mean + up, sum(estimate.n for estimate in estimates))


def interval_p_value(value: float, low: float, high: float) -> float:
    """Return the p-value of no difference: below 0.05 exactly if the interval excludes 0.

    It is that of a normal estimate whose standard error follows from the bound towards 0.

    Args:
        value: The difference.
        low: Lower bound of its 95 % interval.
        high: Upper bound.
    """
    if value == 0:
        return 1.0
    inward = value - low if value > 0 else high - value
    distance = abs(value) / inward if inward > 0 else math.inf
    return float(2 * ndtr(-Z * distance))


def _arm(first: float, second: float, related: float) -> float:
    return math.sqrt(max(first**2 + second**2 - 2 * related * first * second, 0.0))
