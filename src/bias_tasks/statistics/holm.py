"""Holm's step-down adjustment of p-values (Holm 1979, Scandinavian Journal of Statistics 6:65-70).

The one in statsmodels collects the whole process's garbage in every call, which costs a large
fraction of a second while a host holds a run in memory and recomputes its figures each second.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bias_tasks.statistics.estimate import Estimate


def holm(p_values: Sequence[float]) -> list[float]:
    """The adjusted p-values, in the order given: each at most 1, and none below a smaller one's."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = largest
    return adjusted


def holm_adjusted(figures: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """The figures with their p-values adjusted for each other; nan stays nan."""
    tested: Sequence[tuple[str, float]] = [
        (name, figure.p)
        for name, figure in figures.items()
        if figure.p is not None and not math.isnan(figure.p)
    ]
    adjusted = holm([p for _, p in tested])
    return dict(figures) | {
        name: replace(figures[name], p=p) for (name, _), p in zip(tested, adjusted, strict=True)
    }
