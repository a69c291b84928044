"""The size of something seen through noise: a deviation over domains or formats, or |difference|.

Noise makes such a size look larger than it is, most of all where it is 0. Its interval inverts
tests of true sizes: what is true is taken to point where what was seen points, and errors are
added to it. A size that even noise alone would seldom fall below is thus given 0 as lower limit.
"""

import math
from dataclasses import dataclass

import numpy as np

from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.intervals import limits_wanted


@dataclass(frozen=True, slots=True)
class Magnitude:
    """A size that was seen, with simulated errors e: at the true size t its square is (t*v + e)^2,
    averaged. `square` is the mean of v^2, `cross` of v*e and `noise` of e^2, draw by draw."""

    seen: float
    square: float
    cross: Floats
    noise: Floats

    def truth(self, tail: float, seen: float) -> float:
        """The true size at which a share `tail` of what is seen is at most `seen`; or 0."""
        if not self.square:
            return 0.0  # nothing was seen, and errors move all alike: there is no noise either
        low, high = 0.0, 1.0
        if self._share(low, seen) <= tail:
            return low
        while self._share(high, seen) > tail:
            high *= 2
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self._share(middle, seen) > tail else (low, middle)
        return high * math.sqrt(self.square)

    def limits(self, below: float, above: float) -> tuple[float, float]:
        """The interval that misses the true size on either side in these shares of cases. A seen
        size below the median that noise alone has is taken for that median."""
        if not limits_wanted():
            return math.nan, math.nan
        seen = max(self.seen, math.sqrt(np.median(self.noise)))
        return self.truth(1 - below, seen), self.truth(above, seen)

    def sizes(self, truth: float) -> Floats:
        """What is seen, draw by draw, where this is the true size."""
        return np.sqrt(np.maximum(self._squares(truth / math.sqrt(self.square)), 0.0))

    def _squares(self, scale: float) -> Floats:
        return scale**2 * self.square + 2 * scale * self.cross + self.noise

    def _share(self, scale: float, seen: float) -> float:
        return float(np.mean(self._squares(scale) <= seen**2))


def magnitude(deviations: Floats, errors: Floats) -> Magnitude:
    """The root mean square of k deviations, given draws by k errors of them."""
    noise = np.mean(errors**2, axis=1)
    square = float(np.mean(deviations**2))
    if square > 0:
        return Magnitude(math.sqrt(square), square, errors @ deviations / deviations.size, noise)
    # Nothing was seen and points nowhere: any scale does, and no direction.
    return Magnitude(0.0, float(np.median(noise)), np.zeros_like(noise), noise)
