"""The least of several differences, with limits that know it to be the least of several.

What is seen of the least lies too low: noise moves every difference, and the one that it moves down
furthest is taken. So its upper limit is not the one which that difference has by itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from scipy.special import ndtri

from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import Pairs
from bias_tasks.statistics.level import QUANTILE, Z


def least_of(differences: Sequence[Pairs]) -> Estimate:
    """The least of k paired differences, k at least 1, with limits of the least true one.

    Below: the least lower limit. It is above the least true difference only if the limit of that
    very difference is, which happens in 2.5 % of cases at most. Above: the least of upper limits
    each of which fails in 2.5 % / k of cases (Bonferroni), so that all hold together in 97.5 %.
    The upper limit is thus below 0 just where k times the p-value of some fall is below 0.05.

    Whatever correlates with what, the limits hold the least true difference in at least 95 % of
    cases, in more where several differences are about the least. nan where some difference has
    none.
    """
    least = min(differences, key=lambda pairs: pairs.value)
    if any(math.isnan(pairs.size) for pairs in differences):
        return Estimate(least.value, math.nan, math.nan, least.n, math.nan)
    z = float(ndtri(1 - (1 - QUANTILE) / len(differences)))
    low = min(-pairs.turned().upper(Z) for pairs in differences)
    high = min(pairs.upper(z) for pairs in differences)
    return Estimate(least.value, low, high, least.n, _p(differences))


def _p(differences: Sequence[Pairs]) -> float:
    """The p-value of a least difference of 0."""
    falls = [pairs.p for pairs in differences if pairs.value < 0]
    if falls:
        return min(1.0, len(differences) * min(falls))
    return max(pairs.p for pairs in differences)
