"""What every metric returns."""

from __future__ import annotations

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
