"""Holm's step-down adjustment of p-values (Holm 1979, Scandinavian Journal of Statistics 6:65-70).

The one in statsmodels collects the whole process's garbage in every call, which costs a large
fraction of a second while a host holds a run in memory and recomputes its figures each second.
"""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """The adjusted p-values, in the order given: each at most 1, and none below a smaller one's."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = largest
    return adjusted
