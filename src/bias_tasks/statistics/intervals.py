"""95 % intervals of rates and of paired differences.

Score intervals at the sample's effective size (see `effective_size`): Wilson's for a rate, Tango's
for a paired difference. They stay in range, and keep a width when every answer is the same.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from bias_tasks.statistics.effective_size import WeightedSample, effective_size
from bias_tasks.statistics.estimate import Estimate, Z

NOTHING = Estimate(math.nan, math.nan, math.nan, 0)
"""What there is to say when no item is in the denominator."""

_wanted: ContextVar[bool] = ContextVar("limits are wanted", default=True)


@contextmanager
def without_limits() -> Iterator[None]:
    """Within this, figures have values and no limits (nan), which cost several times as much: for
    scorecards that are made dozens of times to see how their values move."""
    token = _wanted.set(False)
    try:
        yield
    finally:
        _wanted.reset(token)


def limits_wanted() -> bool:
    """Whether limits are worked out here (see `without_limits`)."""
    return _wanted.get()


def rate(sample: WeightedSample) -> Estimate:
    """The mean of values in [0, 1]; nan bounds where all items are one cluster."""
    used = sample.used()
    if not used.values.size:
        return NOTHING
    value = used.mean()
    if not limits_wanted():
        return Estimate(value, math.nan, math.nan, used.values.size)
    low, high = wilson(value, effective_size(used))
    return Estimate(value, low, high, used.values.size)


def difference(sample: WeightedSample) -> Estimate:
    """The mean of paired differences in [-1, 1], with the p-value of no difference."""
    used = sample.used()
    if not used.values.size:
        return NOTHING
    pairs = pairs_of(used)
    low, high = tango(pairs.gained, pairs.lost, pairs.size)
    return Estimate(pairs.value, low, high, pairs.n, pairs.p)


@dataclass(frozen=True, slots=True)
class Pairs:
    """What limits of a paired difference need."""

    gained: float
    """Share of pairs that rose; of values between 0 and 1, the mean rise."""
    lost: float
    size: float
    """How many independent pairs they are worth; nan where they are one cluster, or where no limits
    are wanted."""
    n: int

    @property
    def value(self) -> float:
        """The difference itself."""
        return self.gained - self.lost

    @property
    def p(self) -> float:
        """McNemar's p-value of no difference: below 0.05 just where the limits exclude 0."""
        return math.nan if math.isnan(self.size) else float(2 * ndtr(-abs(self._score(0.0))))

    def upper(self, z: float) -> float:
        """Tango's (1998) upper limit, below which what was seen lies by `z` standard errors."""
        if math.isnan(self.size):
            return math.nan
        return _last(lambda truth: self._score(truth) > -z, self.value, 1.0)

    def turned(self) -> "Pairs":
        """The pairs the other way round."""
        return Pairs(self.lost, self.gained, self.size, self.n)

    def _score(self, truth: float) -> float:
        """Standardised distance of what was seen from a true difference (Tango, section 4)."""
        gained, lost = self.gained, self.lost
        distance = gained - lost - truth
        b = (2 - gained + lost) * truth - gained - lost
        fitted = (math.sqrt(max(b**2 + 8 * lost * truth * (1 - truth), 0.0)) - b) / 4
        variance = 2 * fitted + truth * (1 - truth)
        if variance <= 0:
            return math.copysign(math.inf, distance) if distance else 0.0
        return distance * math.sqrt(self.size / variance)


def pairs_of(used: WeightedSample) -> Pairs:
    """The pairs of a sample without items of weight 0, of at least one item."""
    gained, lost = (
        replace(used, values=np.maximum(sign * used.values, 0)).mean() for sign in (1, -1)
    )
    size = effective_size(used, signed=True) if limits_wanted() else math.nan
    return Pairs(gained, lost, size, used.values.size)


def wilson(value: float, size: float) -> tuple[float, float]:
    """Wilson's (1927) interval of the rate `value` seen in `size` independent trials."""
    if math.isnan(size):
        return math.nan, math.nan
    shrink = 1 + Z**2 / size
    centre = (value + Z**2 / (2 * size)) / shrink
    half = Z / shrink * math.sqrt(value * (1 - value) / size + (Z / (2 * size)) ** 2)
    # The value itself lies inside but for rounding at 0 and 1.
    return min(max(centre - half, 0.0), value), max(min(centre + half, 1.0), value)


def tango(gained: float, lost: float, size: float) -> tuple[float, float]:
    """Tango's (1998) interval of gained - lost, two shares of `size` independent pairs."""
    pairs = Pairs(gained, lost, size, 0)
    # What is lost is gained the other way round.
    return -pairs.turned().upper(Z), pairs.upper(Z)


def _last(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Up to where a condition holds that fails from some point on, by bisection."""
    for _ in range(54):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return (low + high) / 2
