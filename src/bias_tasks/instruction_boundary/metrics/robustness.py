"""The robustness score of one form: the harmonic mean of its tense and its sparse rate."""

from __future__ import annotations

import numpy as np

from bias_tasks.statistics.effective_size import (
    Floats,
    WeightedSample,
    design_factor,
    independent_size,
)
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import NOTHING, wilson
from bias_tasks.statistics.mover import mover_mean

_ANGLES = np.linspace(0, np.pi / 2, 181)


def robustness(tense: WeightedSample, sparse: WeightedSample) -> Estimate:
    """Harmonic mean of two rates, 0 when both are; nan when one has no items.

    The interval holds the harmonic means over the ellipse that the two rates' Wilson limits span:
    for a sum this is the method of variance estimates recovery (MOVER; Zou and Donner 2008).
    """
    if not (tense.values.size and sparse.values.size):
        return NOTHING
    sr, gr = tense.mean(), sparse.mean()
    factor = design_factor(_joined(tense, sparse, *_slopes(sr, gr)))
    sr_limits = wilson(sr, independent_size(tense) * factor)
    gr_limits = wilson(gr, independent_size(sparse) * factor)
    low, high = (
        _harmonic(sr + (sr_limit - sr) * np.cos(_ANGLES), gr + (gr_limit - gr) * np.sin(_ANGLES))
        for sr_limit, gr_limit in zip(sr_limits, gr_limits, strict=True)
    )
    value = float(_harmonic(np.array(sr), np.array(gr)))
    n = tense.values.size + sparse.values.size
    return Estimate(value, float(low.min()), float(high.max()), n)


def mean_robustness(scores: list[Estimate]) -> Estimate:
    """The mean over the forms run, whose items are different ones (MOVER); nan if one is."""
    return mover_mean(scores, np.eye(len(scores)))


def _harmonic(sr: Floats, gr: Floats) -> Floats:
    total = sr + gr
    return np.divide(2 * sr * gr, total, out=np.zeros_like(total), where=total != 0)


def _slopes(sr: float, gr: float) -> tuple[float, float]:
    """How the harmonic mean moves with each rate, up to a factor; evenly where both are 0."""
    return (gr**2, sr**2) if sr or gr else (1.0, 1.0)


def _joined(
    tense: WeightedSample, sparse: WeightedSample, sr_slope: float, gr_slope: float
) -> WeightedSample:
    """Both groups as one sample, weighted by what each item adds to the harmonic mean."""
    return WeightedSample(
        np.concatenate([tense.values, sparse.values]),
        np.concatenate([tense.clusters, sparse.clusters]),
        np.concatenate([tense.strata, sparse.strata]),
        np.concatenate(
            [
                tense.weights * sr_slope / tense.weights.sum(),
                sparse.weights * gr_slope / sparse.weights.sum(),
            ]
        ),
    ).used()
