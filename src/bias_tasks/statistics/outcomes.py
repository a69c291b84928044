"""The outcomes of a run column by column, so that numpy does the work of large runs."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bias_tasks.statistics.effective_size import Floats, Ints

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Coded:
    """A column as positions among its different values, in the order of first appearance."""

    codes: Ints
    values: Sequence[Any]


@dataclass(frozen=True, slots=True)
class OutcomeColumns:
    """The `Outcome`s of a run, one column at a time, by the names of their fields."""

    outcomes: Sequence[Any]

    def coded(self, name: str) -> Coded:
        """A column of texts, or `own`, whose mappings are compared by what stands in them."""
        column = [getattr(each, name) for each in self.outcomes]
        found = codes(map(repr, column) if name == "own" else column)
        firsts = np.unique(found, return_index=True)[1]
        return Coded(found, [column[row] for row in firsts])

    def numbers(self, name: str) -> tuple[Floats, Mask]:
        """A column of numbers, 0 where there is none, and in which rows there is one."""
        column = [getattr(each, name) for each in self.outcomes]
        known = np.array([value is not None for value in column], dtype=bool)
        return np.array([0.0 if value is None else value for value in column], float), known


def positions(values: Iterable[Any]) -> tuple[Ints, list[Any]]:
    """Each value's position among the different ones, in their order of appearance, and these."""
    places: dict[Hashable, int] = {}
    return np.array([places.setdefault(value, len(places)) for value in values], int), list(places)


def codes(values: Iterable[Hashable]) -> Ints:
    """Each value's position among the different ones, in the order of their first appearance."""
    return positions(values)[0]


@dataclass(frozen=True, slots=True)
class Grouped:
    """Rows that belong together: the group of each row, and the first row of each group."""

    group: Ints
    first: Ints

    @property
    def size(self) -> int:
        """How many groups there are."""
        return self.first.size

    def means(self, values: Floats) -> Floats:
        """The mean over each group's rows."""
        return np.bincount(self.group, values) / np.bincount(self.group)


def grouped(keys: Ints) -> Grouped:
    """Groups of the rows with the same key, a whole number."""
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return Grouped(np.argsort(order)[group], first[order])


def means(rows: Floats | Mask, known: Mask, item: Ints, size: int) -> tuple[Floats, Mask]:
    """The mean of each of `size` items over those of its rows that are known, and whether any is:
    if not, the mean is 0. `item` says whose each row is."""
    total = np.bincount(item[known], rows[known], size)
    count = np.bincount(item[known], minlength=size)
    return total / np.maximum(count, 1), count > 0
