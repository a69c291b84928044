"""How much less (or more) biased by format a model is under a mitigation."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bias_tasks.output_format.metrics.bias import PERCENT_SQUARED, noise_variance, variance_limits
from bias_tasks.output_format.metrics.rates import est_true
from bias_tasks.output_format.metrics.table import Table
from bias_tasks.statistics.covariance import ratio_covariance
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.mover import Limits, mover_of_alike


def bias_change(before: Table, after: Table) -> dict[str, Estimate]:
    """`delta_bias_f` and `delta_bias_f_corrected`: after less before, in percent squared.

    They share one interval, made of the two variances' own limits (MOVER). nan for fewer than two
    formats.

    Args:
        before, after: the same items and formats, in the same order; in both, some answer follows
            every format.
    """
    k = len(before.formats)
    if k < 2:
        nothing = Estimate(math.nan, math.nan, math.nan, 0)
        return {"delta_bias_f": nothing, "delta_bias_f_corrected": nothing}
    covariance = ratio_covariance(
        np.hstack([before.score, after.score]),
        np.hstack([before.follows, after.follows]),
        before.cluster,
    )
    first, second = _side(before, covariance[:k, :k]), _side(after, covariance[k:, k:])
    low, high = mover_of_alike(second.limits, first.limits, _related(first, second, covariance))
    n = int((before.follows.any(axis=1) | after.follows.any(axis=1)).sum())
    gains = {
        "delta_bias_f": second.seen - first.seen,
        "delta_bias_f_corrected": second.corrected - first.corrected,
    }
    # min and max keep a nan that comes first.
    return {
        name: Estimate(
            PERCENT_SQUARED * gain,
            PERCENT_SQUARED * min(low, gain),
            PERCENT_SQUARED * max(high, gain),
            n,
        )
        for name, gain in gains.items()
    }


@dataclass(frozen=True, slots=True)
class _Side:
    """The variance over k formats in one run."""

    seen: float
    corrected: float
    limits: Limits
    slopes: Floats
    """How much the variance gains with each figure, at its corrected size."""


def _side(run: Table, covariance: Floats) -> _Side:
    figures = [est_true(run, column) for column in range(len(run.formats))]
    values = np.array([figure.value for figure in figures])
    seen = float(values.var())
    corrected = seen - noise_variance(covariance)
    low, high = variance_limits(figures, covariance)
    size = math.sqrt(max(corrected, 0.0) / seen) if seen > 0 else 0.0
    slopes = 2 * size * (values - values.mean()) / values.size
    # The limits hold a variance of at least 0, and so does what they are the limits of.
    centre = min(max(corrected, low), high)
    return _Side(seen, corrected, (low, centre, high), slopes)


def _related(first: _Side, second: _Side, covariance: Floats) -> float:
    """The correlation of the two variances, for normal errors of their figures."""
    k = first.slopes.size
    centred = np.eye(k) - 1 / k
    slopes = first.slopes, second.slopes
    blocks = [[covariance[:k, :k], covariance[:k, k:]], [covariance[k:, :k], covariance[k:, k:]]]
    moments = np.array(
        [
            [
                slopes[a] @ blocks[a][b] @ slopes[b]
                + 2 * ((centred @ blocks[a][b] @ centred) ** 2).sum() / k**2
                for b in range(2)
            ]
            for a in range(2)
        ]
    )
    scale = math.sqrt(moments[0, 0] * moments[1, 1])
    # Rounding must not leave two runs with the same answers a little apart.
    return min(round(float(moments[0, 1]) / scale, 12), 1.0) if scale > 0 else 0.0
