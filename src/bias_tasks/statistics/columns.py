"""What turns the outcomes of a run into columns of numbers, whichever family they belong to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import NDArray

from bias_tasks.statistics.effective_size import Floats, Ints

Mask = NDArray[np.bool_]


def codes(names: Iterable[Hashable]) -> Ints:
    """Each name's position among the different ones, in the order of their first appearance."""
    places: dict[Hashable, int] = {}
    return np.array([places.setdefault(name, len(places)) for name in names])


def means(rows: Floats | Mask, known: Mask, item: Ints, size: int) -> tuple[Floats, Mask]:
    """The mean of each of `size` items over those of its rows that are known, and whether any is.

    `item` says whose each row is. The mean of an item without a known row is 0, and means nothing.
    """
    total = np.bincount(item[known], rows[known], size)
    count = np.bincount(item[known], minlength=size)
    return total / np.maximum(count, 1), count > 0
