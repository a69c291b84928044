"""The interval of a size: of a deviation over domains or formats, or of an absolute difference.

Noise makes an observed size larger than the true one, most of all if that is 0. The interval
inverts tests of true sizes: the true effect is assumed to have the direction of the observed one,
and errors are added to it. The lower bound is 0 if noise alone often gives a size as large as the
observed one.
"""

import math
from dataclasses import dataclass

import numpy as np

from bias_tasks.statistics.effective_size import Floats


@dataclass(frozen=True, slots=True)
class Magnitude:
    """An observed size with simulated errors.

    With observed deviations v and errors e, the size at scale t of v has the mean of (t*v + e)^2 as
    its square.
    """

    observed: float
    square: float
    """Mean of v^2."""
    cross: Floats
    """Mean of v*e for each draw."""
    noise: Floats
    """Mean of e^2 for each draw."""

    def true_size(self, tail: float, observed: float) -> float:
        """Return the true size at which a share of observations is at most an observed size.

        Args:
            tail: The share, from 0 to 1.
            observed: The observed size.

        Returns:
            0 if the share is smaller even at a true size of 0.
        """
        if self.square == 0:
            return 0.0  # neither deviations nor noise
        low, high = 0.0, 1.0
        if self._share_below(low, observed) <= tail:
            return low
        while self._share_below(high, observed) > tail:
            high *= 2
        for _ in range(40):
            middle = (low + high) / 2
            if self._share_below(middle, observed) > tail:
                low = middle
            else:
                high = middle
        return high * math.sqrt(self.square)

    def interval(self, below: float, above: float) -> tuple[float, float]:
        """Return the interval of the true size.

        An observed size below the median of noise alone counts as that median.

        Args:
            below: Share of data sets in which the true size is below the interval.
            above: Share of data sets in which it is above.
        """
        observed = max(self.observed, math.sqrt(np.median(self.noise)))
        return self.true_size(1 - below, observed), self.true_size(above, observed)

    def simulated_sizes(self, true_size: float) -> Floats:
        """Return the observed size of each draw at a true size."""
        return np.sqrt(np.maximum(self._squares(true_size / math.sqrt(self.square)), 0.0))

    def _squares(self, scale: float) -> Floats:
        return scale**2 * self.square + 2 * scale * self.cross + self.noise

    def _share_below(self, scale: float, observed: float) -> float:
        return float(np.mean(self._squares(scale) <= observed**2))


def magnitude(deviations: Floats, errors: Floats) -> Magnitude:
    """Return the root mean square of k deviations with its errors.

    Args:
        deviations: k observed deviations.
        errors: Simulated errors of them, draws by k.
    """
    noise = np.mean(errors**2, axis=1)
    square = float(np.mean(deviations**2))
    if square > 0:
        return Magnitude(math.sqrt(square), square, errors @ deviations / deviations.size, noise)
    # No deviation has a direction; the scale is arbitrary.
    return Magnitude(0.0, float(np.median(noise)), np.zeros_like(noise), noise)
