"""Means over the epochs of a question, of which most runs have one."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean


def mean_over_epochs(values: Sequence[float]) -> float:
    """The mean of at least one value; a single one is its own, which needs no sum."""
    return float(values[0]) if len(values) == 1 else fmean(values)
