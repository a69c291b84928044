"""One figure for a run of several categories, data sets or promptings: the mean of their biases."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.mover import mover_mean


def mean_over_groups(biases: Mapping[tuple[str, str, str], Estimate]) -> Estimate:
    """`mean_bias_f`: the mean of `bias_f_corrected`, with limits made of theirs.

    Groups of one data set may share items, so that their errors add up; those of different data
    sets are independent and add up in squares (MOVER; Zou and Donner 2008). nan where one is.

    Args:
        biases: by data set, prompting and category, in percent squared.
    """
    datasets = np.array([dataset for dataset, _, _ in biases])
    related = (datasets[:, None] == datasets).astype(float)
    return mover_mean(list(biases.values()), related)
