"""The interval of the Model Binary Score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bias_tasks.binary_qa.metrics.score import SIGNED, score_slopes
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.level import QUANTILE
from bias_tasks.statistics.magnitude import Magnitude, magnitude

_TAIL = 1 - QUANTILE
_CENTRE = 0.65
"""Share of what is seen that is at most what was seen, at the true size that bias is taken at.
Half would leave too large a size too often, and so correct too little near 0."""


@dataclass(frozen=True, slots=True)
class _Term:
    """A part of the score: its centre and limits without bias, and simulated values of it."""

    centre: float
    low: float
    high: float
    draws: Floats


def score_estimate(
    score: Estimate,
    core: Mapping[str, Estimate],
    deviations: Mapping[str, Magnitude],
    errors: Mapping[str, Floats],
    weights: Mapping[str, float],
) -> Estimate:
    """The score with bounds, by the method of variance estimates recovery (Zou and Donner 2008).

    Every part lends the distances to its own limits, correlated as the simulated errors are, about
    a centre that is free of the bias of sizes.

    Args:
        score: without bounds.
        core: what weighs, over all domains.
        deviations: the same figures' standard deviations over the domains.
        errors: the same figures' simulated errors over all domains.
        weights: as `check_weights` returns them.
    """
    terms: list[_Term] = []
    slopes: list[float] = []
    seen: list[float] = []
    for name, pair in score_slopes(weights).items():
        terms += [_core_term(name, core[name], errors[name]), _size_term(deviations[name])]
        slopes += pair
        seen += [abs(core[name].value), deviations[name].seen]
    pull = np.array(slopes)
    bias = float(pull @ (np.array(seen) - [term.centre for term in terms]))
    related = np.corrcoef(pull[:, None] * np.array([term.draws for term in terms]))
    low = score.value - bias - _distance(terms, pull, related, -1)
    high = score.value - bias + _distance(terms, pull, related, 1)
    low, high = max(low, 0.0), min(high, 100.0)
    return Estimate(score.value, min(low, score.value), max(high, score.value), score.n)


def _distance(terms: list[_Term], pull: Floats, related: Floats, side: int) -> float:
    """How far the score may be off to one side."""
    arms = np.array(
        [
            abs(slope) * (t.high - t.centre if slope * side > 0 else t.centre - t.low)
            for t, slope in zip(terms, pull, strict=True)
        ]
    )
    return math.sqrt(max(float(arms @ related @ arms), 0.0))


def _core_term(name: str, figure: Estimate, errors: Floats) -> _Term:
    if name in SIGNED:
        return _size_term(magnitude(np.array([figure.value]), errors[:, None]))
    return _Term(figure.value, figure.ci_low, figure.ci_high, figure.value + errors)


def _size_term(size: Magnitude) -> _Term:
    truth = size.truth(_CENTRE, size.seen)
    draws = size.sizes(truth)
    expected = float(draws.mean())
    centre = size.seen - (expected - truth)
    low, high = size.limits(_TAIL, _TAIL)
    # What was seen is off by at least what noise makes of the true size.
    least, most = np.quantile(draws, [_TAIL, QUANTILE])
    return _Term(
        centre,
        centre - max(centre - low, float(most) - expected),
        centre + max(high - centre, expected - float(least)),
        draws,
    )
