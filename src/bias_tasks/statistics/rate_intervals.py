"""95 % intervals of rates and of paired differences.

Score intervals at the sample's effective size (see `effective_size`): Wilson's for a rate, Tango's
for a paired difference. They stay in range, and keep a width when every answer is the same.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from bias_tasks.statistics.effective_size import WeightedSample, effective_size
from bias_tasks.statistics.estimate import Estimate, Z

NO_ESTIMATE = Estimate.without_interval(math.nan, 0)
"""The estimate of a metric without items in its denominator."""


def rate(sample: WeightedSample) -> Estimate:
    """Return the mean of values in [0, 1] with Wilson's interval.

    Args:
        sample: The values. With a single cluster, the bounds are nan.
    """
    used = sample.used()
    if not used.values.size:
        return NO_ESTIMATE
    value = used.mean()
    if not used.intervals:
        return Estimate.without_interval(value, used.values.size)
    low, high = wilson(value, effective_size(used))
    return Estimate(value, low, high, used.values.size)


def difference(sample: WeightedSample) -> Estimate:
    """Return the mean of paired differences in [-1, 1] with Tango's interval and a p-value.

    Args:
        sample: The differences. With a single cluster, bounds and p-value are nan.
    """
    used = sample.used()
    if not used.values.size:
        return NO_ESTIMATE
    pairs = summarize_pairs(used)
    low, high = tango(pairs.gained, pairs.lost, pairs.size)
    return Estimate(pairs.value, low, high, pairs.n, pairs.p)


@dataclass(frozen=True, slots=True)
class Pairs:
    """What the interval of a mean paired difference depends on."""

    gained: float
    """Share of pairs that rise. If values are between 0 and 1, the mean rise."""
    lost: float
    """Share of pairs that fall, or the mean fall."""
    size: float
    """Effective number of independent pairs; nan for a single cluster, or if no intervals are
    computed."""
    n: int
    """Number of pairs."""

    @property
    def value(self) -> float:
        """The mean difference."""
        return self.gained - self.lost

    @property
    def p(self) -> float:
        """McNemar's p-value of no difference: below 0.05 exactly if the interval excludes 0."""
        return math.nan if math.isnan(self.size) else float(2 * ndtr(-abs(self._score(0.0))))

    def upper(self, z: float) -> float:
        """Return Tango's (1998) upper bound: the observed difference is `z` standard errors below.

        Args:
            z: Standard errors, such as 1.96 for the upper bound of a 95 % interval.
        """
        if math.isnan(self.size):
            return math.nan
        return _last_true(lambda truth: self._score(truth) > -z, self.value, 1.0)

    def reversed(self) -> "Pairs":
        """Return the pairs in the other order, with the opposite difference."""
        return Pairs(self.lost, self.gained, self.size, self.n)

    def _score(self, truth: float) -> float:
        """Return the standardized distance from a true difference (Tango 1998, section 4)."""
        gained, lost = self.gained, self.lost
        distance = gained - lost - truth
        b = (2 - gained + lost) * truth - gained - lost
        fitted = (math.sqrt(max(b**2 + 8 * lost * truth * (1 - truth), 0.0)) - b) / 4
        variance = 2 * fitted + truth * (1 - truth)
        if variance <= 0:
            return math.copysign(math.inf, distance) if distance else 0.0
        return distance * math.sqrt(self.size / variance)


def summarize_pairs(used: WeightedSample) -> Pairs:
    """Return the summary of paired differences.

    Args:
        used: At least one difference in [-1, 1], without weights of 0.
    """
    gained, lost = (
        replace(used, values=np.maximum(sign * used.values, 0)).mean() for sign in (1, -1)
    )
    size = effective_size(used, signed=True) if used.intervals else math.nan
    return Pairs(gained, lost, size, used.values.size)


def wilson(value: float, size: float) -> tuple[float, float]:
    """Return Wilson's (1927) interval of a rate.

    Args:
        value: The observed rate.
        size: Number of independent trials. nan returns nan bounds.
    """
    if math.isnan(size):
        return math.nan, math.nan
    shrink = 1 + Z**2 / size
    centre = (value + Z**2 / (2 * size)) / shrink
    half = Z / shrink * math.sqrt(value * (1 - value) / size + (Z / (2 * size)) ** 2)
    # The value is within the bounds except for rounding at 0 and 1.
    return min(max(centre - half, 0.0), value), max(min(centre + half, 1.0), value)


def tango(gained: float, lost: float, size: float) -> tuple[float, float]:
    """Return Tango's (1998) interval of a paired difference.

    Args:
        gained: Share of pairs that rise.
        lost: Share of pairs that fall.
        size: Number of independent pairs.
    """
    pairs = Pairs(gained, lost, size, 0)
    # In the other order, falls are rises.
    return -pairs.reversed().upper(Z), pairs.upper(Z)


def _last_true(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return where a condition stops to hold between two numbers, by bisection."""
    for _ in range(54):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return (low + high) / 2
