"""Simulated sampling errors of several metrics of the same items: a bootstrap over clusters."""

import numpy as np

from bias_tasks.statistics.delta_method import correlation
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Z

DRAWS = 4000
SEED = 20240816


def bootstrap_errors(arms: Floats, covariance: Floats) -> Floats:
    """Return simulated errors of k metrics that vary jointly, draws by k.

    This is the cluster bootstrap of the linearized metrics with normal multipliers (a wild
    bootstrap), drawn from its covariance at once, however many items there are.

    Args:
        arms: Half widths of the metrics' 95 % intervals.
        covariance: Covariance of the metrics, k by k, whose correlations the errors have.
    """
    strengths, axes = np.linalg.eigh(correlation(covariance))
    # The symmetric root: unlike the axes, it does not jump where two strengths are equal.
    root = axes * np.sqrt(np.maximum(strengths, 0.0)) @ axes.T
    normal = np.random.default_rng(SEED).standard_normal((DRAWS, arms.size))
    errors: Floats = normal @ root * (arms / Z)
    return errors
