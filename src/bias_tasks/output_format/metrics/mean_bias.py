"""One figure for a run of several categories, data sets or promptings: the mean of their biases."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping

from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import NOTHING


def mean_over_groups(biases: Mapping[tuple[str, str, str], Estimate]) -> Estimate:
    """`mean_bias_f`: the mean of `bias_f_corrected`, with limits made of theirs.

    Groups of one data set may share items, so that their errors add up; those of different data
    sets are independent and add up in squares (MOVER; Zou and Donner 2008). nan where one is.

    Args:
        biases: by data set, prompting and category, in percent squared.
    """
    if any(math.isnan(bias.value) for bias in biases.values()):
        return NOTHING
    down: dict[str, float] = defaultdict(float)
    up: dict[str, float] = defaultdict(float)
    for (dataset, _, _), bias in biases.items():
        down[dataset] += bias.value - bias.ci_low
        up[dataset] += bias.ci_high - bias.value
    mean = math.fsum(bias.value for bias in biases.values()) / len(biases)
    low, high = (math.hypot(*arms.values()) / len(biases) for arms in (down, up))
    return Estimate(mean, mean - low, mean + high, sum(bias.n for bias in biases.values()))
