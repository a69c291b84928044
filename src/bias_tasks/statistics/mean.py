"""The mean of values on any scale with a cluster-robust interval."""

import math

import numpy as np
from scipy.special import stdtrit

from bias_tasks.statistics.delta_method import ratio_covariance
from bias_tasks.statistics.effective_size import WeightedSample
from bias_tasks.statistics.estimate import QUANTILE, Estimate
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, rate


def mean(sample: WeightedSample) -> Estimate:
    """Return the mean of values: a rate if all are in [0, 1], else with Student's t interval.

    The standard error is that of cluster sums; there are as many degrees of freedom as clusters,
    minus one (Cameron and Miller 2015, Journal of Human Resources 50:317-372).

    Args:
        sample: The values, which may have any size. With a single cluster, the bounds are nan.
    """
    used = sample.used()
    if not used.values.size:
        return NO_ESTIMATE
    if used.values.min() >= 0 and used.values.max() <= 1:
        return rate(used)
    value, n = used.mean(), used.values.size
    names, clusters = np.unique(used.clusters, return_inverse=True)
    if not used.intervals or names.size < 2:
        return Estimate.without_interval(value, n)
    weights = used.weights[:, None]
    [[variance]] = ratio_covariance(used.values[:, None] * weights, weights, clusters).tolist()
    arm = float(stdtrit(names.size - 1, QUANTILE)) * math.sqrt(variance)
    return Estimate(value, value - arm, value + arm, n)
