"""The Model Binary Score (paper, section 2.4)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

DEFAULT_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "f1": 0.4,
        "delta_recall": 0.1,
        "delta_precision": 0.1,
        "prc": 0.075,
        "nrc": 0.075,
        "arc": 0.075,
        "sc": 0.075,
    }
)
"""The paper's weights of the core metrics."""
CORE = tuple(DEFAULT_WEIGHTS)
SIGNED = frozenset({"delta_recall", "delta_precision"})
"""Best at 0, from -1 to 1; the others are best at 1, from 0 to 1."""
STABILITY = 0.1
"""Share of the whole weight that falls to the standard deviations over the domains."""


def check_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights above 0, scaled to sum to 1.

    Only their proportions count: the core metrics share 0.9 of the score in these proportions, and
    their standard deviations over the domains 0.1. A metric that is not named weighs nothing.

    Raises:
        ValueError: a name is no core metric, a weight is negative or not finite, or all are 0.
    """
    unknown = sorted(set(weights) - set(CORE))
    if unknown:
        raise ValueError(f"unknown in weights: {', '.join(unknown)}; known are {', '.join(CORE)}")
    for name, weight in weights.items():
        if not (math.isfinite(weight) and weight >= 0):
            raise ValueError(f"weight of {name} is {weight}: it must be 0 or a number above")
    total = sum(weights.values())
    if not total:
        raise ValueError("weights are all 0: give at least one metric a weight above 0")
    return {name: weights[name] / total for name in CORE if weights.get(name)}


def mbs(core: Mapping[str, float], std: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The score, from 0 to 100 (best).

    Args:
        core: the core metrics over all domains: f1, prc, nrc, arc and sc in [0, 1], delta_recall
            and delta_precision in [-1, 1].
        std: their population standard deviations over the domains.
        weights: as `check_weights` takes them; `core` and `std` must have what weighs above 0.

    Raises:
        ValueError: as `check_weights`.
    """
    return sum(
        weight * (1 - STABILITY) * _core_scale(name, core[name])
        + weight * STABILITY * _std_scale(name, std[name])
        for name, weight in check_weights(weights).items()
    )


def score_slopes(weights: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """How the score moves with the absolute value of each core metric, and with its deviation."""
    return {
        name: (
            weight * (1 - STABILITY) * (_core_scale(name, 1) - _core_scale(name, 0)),
            weight * STABILITY * (_std_scale(name, 1) - _std_scale(name, 0)),
        )
        for name, weight in check_weights(weights).items()
    }


def _core_scale(name: str, value: float) -> float:
    return 100 * (1 - abs(value)) if name in SIGNED else 100 * value


def _std_scale(name: str, value: float) -> float:
    """Standard deviations of values in [-1, 1] are at most 1, those of values in [0, 1] 0.5."""
    return 100 * (1 - value) if name in SIGNED else 100 * (1 - 2 * value)
