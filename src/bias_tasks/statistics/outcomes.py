"""The outcomes of a run as arrays, so that numpy handles large runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample

Mask = NDArray[np.bool_]
Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class OutcomeTable:
    """Outcomes of n items in r rows, one per epoch of an item, and v columns, such as variants."""

    outcomes: Sequence[Any]
    columns: tuple[Any, ...]
    """What each column holds."""
    cell: Ints
    """r by v: index in `outcomes`; -1 without an outcome."""
    item: Ints
    """Item of each row, from 0."""
    clusters: Ints
    """Cluster of each item."""
    intervals: bool
    """Whether intervals are computed."""

    @property
    def n_items(self) -> int:
        """Number of items."""
        return self.clusters.size

    @property
    def has_outcome(self) -> Mask:
        """r by v: whether there is an outcome."""
        return self.cell >= 0

    def grid(self, value: Callable[[Any], Any], missing: float = math.nan) -> Array:
        """Return a value of each outcome, r by v.

        Args:
            value: Returns the value, a number, or None if it is unknown.
            missing: The value without an outcome. nan also stands for None.
        """
        return np.array([*map(value, self.outcomes), missing], dtype=type(missing))[self.cell]

    def of_items(self, value: Callable[[Any], Any]) -> list[Any]:
        """Return a value of each item, that of its first outcome."""
        rows, columns = np.nonzero(self.has_outcome)
        first = np.full(self.n_items, len(self.outcomes))
        np.minimum.at(first, self.item[rows], self.cell[rows, columns])
        return [value(self.outcomes[index]) for index in first.tolist()]

    def sample(self, values: Array, strata: Ints | None = None) -> WeightedSample:
        """Return the mean of each item over its rows whose value is not nan.

        Args:
            values: One value per row.
            strata: The stratum of each item; None for a single one.

        Returns:
            The means, of weight 1. An item without a value has weight 0.
        """
        known = ~np.isnan(values)
        means, has_value = item_means(values, known, self.item, self.n_items)
        if strata is None:
            strata = np.zeros(self.n_items, dtype=np.int64)
        return WeightedSample(means, self.clusters, strata, has_value.astype(float), self.intervals)


def build_outcome_table(
    outcomes: Sequence[Any],
    columns: Sequence[Any] | None = None,
    *,
    column: Callable[[Any], Hashable] = attrgetter("variant"),
    intervals: bool = True,
) -> OutcomeTable:
    """Return the table of at least one outcome. Items are in the order of their first outcome.

    Args:
        outcomes: Outcomes in any order, with `item`, `epoch` and `cluster`. An item without a
            cluster is a cluster by itself.
        columns: What the columns hold; None for the columns of the outcomes, in order of
            appearance.
        column: Returns the column of an outcome.
        intervals: Whether intervals are computed.

    Raises:
        ValueError: An item has two outcomes in one epoch and column, or two clusters, or a column
            is unknown.
    """
    row_numbers, rows = index_values((outcome.item, outcome.epoch) for outcome in outcomes)
    names = [column(outcome) for outcome in outcomes]
    column_numbers = {name: code for code, name in enumerate(columns or dict.fromkeys(names))}
    cell = np.full((len(rows), len(column_numbers)), -1)
    clusters: dict[str, str] = {}
    for index, (row, name, outcome) in enumerate(
        zip(row_numbers.tolist(), names, outcomes, strict=True)
    ):
        item, cluster = outcome.item, outcome.cluster
        if name not in column_numbers:
            known = ", ".join(map(str, column_numbers))
            raise ValueError(f"variant {name!r} is unknown: expected one of {known}")
        if cell[row, column_numbers[name]] >= 0:
            raise ValueError(
                f"item {item!r} has two answers under variant {name!r} in epoch {outcome.epoch}"
            )
        if clusters.setdefault(item, cluster) != cluster:
            raise ValueError(f"item {item!r} is in two clusters, one of them {cluster!r}")
        cell[row, column_numbers[name]] = index
    return OutcomeTable(
        outcomes=outcomes,
        columns=tuple(column_numbers),
        cell=cell,
        item=code_values(item for item, _ in rows),
        # The pair keeps the id of an item without a cluster apart from names of clusters.
        clusters=code_values((name, "" if name else item) for item, name in clusters.items()),
        intervals=intervals,
    )


def index_values(values: Iterable[Any]) -> tuple[Ints, list[Any]]:
    """Return each value's index among the different values, and these in order of appearance."""
    indices: dict[Hashable, int] = {}
    codes = np.array([indices.setdefault(value, len(indices)) for value in values], int)
    return codes, list(indices)


def code_values(values: Iterable[Hashable]) -> Ints:
    """Return each value's index among the different values, in order of first appearance."""
    return index_values(values)[0]


def item_means(rows: Array, known: Mask, items: Ints, size: int) -> tuple[Floats, Mask]:
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
