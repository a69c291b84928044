"""What blind reports would locate: the level beside which recall and precision stand."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import stdtrit

from bias_tasks.complex_eval.metrics.counts import Counts
from bias_tasks.statistics.covariance import ratio_covariance
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import NOTHING
from bias_tasks.statistics.level import QUANTILE


def chance_shares(run: Counts) -> dict[str, Estimate]:
    """Recall and precision of as many blind reports as the judge made in each answer.

    The means are known exactly (`flaws_found.by_chance`): the intervals say only how far another
    draw of responses would have had another number of reports. nan bounds for a single cluster.
    """
    return {
        "recall_chance": _ratio(run, run.planted.astype(float)),
        "precision_chance": _ratio(run, run.found),
    }


def _ratio(run: Counts, bottom: Floats) -> Estimate:
    used = ~np.isnan(run.by_chance)
    used[used] = bottom[used] > 0
    if not used.any():
        return NOTHING
    top, bottom = run.by_chance[used], bottom[used]
    cluster = np.unique(run.cluster[used], return_inverse=True)[1]
    value, freedom = float(top.sum() / bottom.sum()), int(cluster.max())
    if not freedom:
        return Estimate(value, math.nan, math.nan, top.size)
    variance = float(ratio_covariance(top[:, None], bottom[:, None], cluster)[0, 0])
    arm = float(stdtrit(freedom, QUANTILE)) * math.sqrt(variance)
    return Estimate(value, max(value - arm, 0.0), min(value + arm, 1.0), top.size)
