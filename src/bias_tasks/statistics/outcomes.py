"""The outcomes of a run as columns of numbers, so that numpy handles large runs."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bias_tasks.statistics.effective_size import Floats, Ints

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """A column as codes: indices into its different values, in order of first appearance."""

    codes: Ints
    values: Sequence[Any]


@dataclass(frozen=True, slots=True)
class OutcomeColumns:
    """The outcomes of a run, one column at a time, by the names of their fields."""

    outcomes: Sequence[Any]

    def coded(self, name: str) -> CodedColumn:
        """Return a column of texts, or the column `extra`, whose objects are equal by content.

        Args:
            name: A field of `Outcome`.
        """
        column = [getattr(outcome, name) for outcome in self.outcomes]
        codes = code_values(map(repr, column) if name == "extra" else column)
        firsts = np.unique(codes, return_index=True)[1]
        return CodedColumn(codes, [column[row] for row in firsts])

    def numbers(self, name: str) -> tuple[Floats, Mask]:
        """Return a column of numbers, 0 if unknown, and the rows in which the number is known.

        Args:
            name: A field of `Outcome`.
        """
        column = [getattr(outcome, name) for outcome in self.outcomes]
        known = np.array([value is not None for value in column], dtype=bool)
        return np.array([0.0 if value is None else value for value in column], float), known


def index_values(values: Iterable[Any]) -> tuple[Ints, list[Any]]:
    """Return each value's index among the different values, and these in order of appearance."""
    indices: dict[Hashable, int] = {}
    codes = np.array([indices.setdefault(value, len(indices)) for value in values], int)
    return codes, list(indices)


def code_values(values: Iterable[Hashable]) -> Ints:
    """Return each value's index among the different values, in order of first appearance."""
    return index_values(values)[0]


@dataclass(frozen=True, slots=True)
class Groups:
    """Rows in groups: the group of each row, and the first row of each group."""

    group: Ints
    first: Ints

    @property
    def size(self) -> int:
        """Number of groups."""
        return self.first.size

    def means(self, values: Floats) -> Floats:
        """Return the mean of each group's rows."""
        return np.bincount(self.group, values) / np.bincount(self.group)


def group_rows(keys: Ints) -> Groups:
    """Return the groups of rows with the same key.

    Args:
        keys: A whole number for each row.
    """
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return Groups(np.argsort(order)[group], first[order])


def item_means(rows: Floats | Mask, known: Mask, items: Ints, size: int) -> tuple[Floats, Mask]:
    """Return the mean of each item over its known rows, and whether it has any.

    Args:
        rows: A value for each row.
        known: The rows whose value is known.
        items: The item of each row, from 0.
        size: Number of items. The mean of an item without known rows is 0.
    """
    total = np.bincount(items[known], rows[known], size)
    count = np.bincount(items[known], minlength=size)
    return total / np.maximum(count, 1), count > 0
