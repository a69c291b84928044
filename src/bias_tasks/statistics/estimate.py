"""What every metric returns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval; nan where there is nothing to measure."""

    value: float
    ci_low: float
    ci_high: float
    n: int
    """Items in the denominator (pairs, for a paired figure)."""
    p: float | None = None
    """p-value of no difference, Holm-adjusted where several settings stand side by side."""


def flatten(card: Mapping[str, Estimate]) -> dict[str, float]:
    """Figures as plain numbers, as both hosts log them.

    All values come first, under their names; then for each `<name>_ci_low`, `<name>_ci_high`,
    `<name>_n` and, where it has one, `<name>_p`.
    """
    bounds: dict[str, float] = {}
    for name, estimate in card.items():
        bounds[f"{name}_ci_low"] = estimate.ci_low
        bounds[f"{name}_ci_high"] = estimate.ci_high
        bounds[f"{name}_n"] = float(estimate.n)
        if estimate.p is not None:
            bounds[f"{name}_p"] = estimate.p
    return {name: estimate.value for name, estimate in card.items()} | bounds


def items_counted(items: Iterable[str]) -> dict[str, Estimate]:
    """The figure `items`: how many different items these are; none where there are none."""
    count = len(set(items))
    return {"items": Estimate(float(count), math.nan, math.nan, count)} if count else {}
