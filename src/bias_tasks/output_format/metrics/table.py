"""The outcomes of a run as arrays, one row an item and one column a format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.metrics.outcome import FormatOutcome
from bias_tasks.output_format.metrics.rows import FormatRows
from bias_tasks.statistics.columns import Mask
from bias_tasks.statistics.effective_size import Floats, Ints
from bias_tasks.statistics.outcomes import Picked, grouped

_SLACK = 1e-9
"""What rounding may do to a mean over epochs."""


@dataclass(frozen=True, slots=True)
class Table:
    """n items asked in k formats; arrays are n by k."""

    items: Sequence[str]
    formats: tuple[str, ...]
    """In the order of the alphabet, so that no figure depends on the order of the outcomes."""
    cluster: Ints
    """Of each item, from 0."""
    asked: Mask
    """Whether the item was answered in the format."""
    follows: Floats
    """In [0, 1]; 0 where not asked."""
    score: Floats
    """In [0, 1]; 0 where not asked."""

    def take(self, rows: Ints) -> Table:
        """The items at these rows, in this order."""
        return replace(
            self,
            items=Picked(self.items, rows),
            cluster=self.cluster[rows],
            asked=self.asked[rows],
            follows=self.follows[rows],
            score=self.score[rows],
        )

    def with_formats(self, chosen: Mask) -> Table:
        """The columns of these formats."""
        return replace(
            self,
            formats=tuple(name for name, kept in zip(self.formats, chosen, strict=True) if kept),
            asked=self.asked[:, chosen],
            follows=self.follows[:, chosen],
            score=self.score[:, chosen],
        )


def table(outcomes: Sequence[FormatOutcome], protocol: PaperProtocol) -> Table:
    """The table of at least one outcome, in any order; errors as `table_of` has."""
    return table_of(FormatRows.of(outcomes), protocol)


def table_of(rows: FormatRows, protocol: PaperProtocol) -> Table:
    """The table of at least one row, in any order.

    Raises:
        ValueError: an item stands twice under one format or in two clusters, a share is not
            between 0 and 1, or (corrected) a score is above the share of answers that follow.
    """
    _check(rows, protocol)
    names = rows.asked()
    place = {name: column for column, name in enumerate(names)}
    column = np.array([place.get(name, -1) for name in rows.formats])[rows.format]
    items = grouped(rows.item)
    cluster = rows.cluster[items.first]
    others = np.flatnonzero(rows.cluster != cluster[items.group])
    if others.size:
        raise ValueError(f"item {_item(rows, others[0])!r} stands in two clusters")
    cells = grouped(items.group.astype(np.int64) * len(names) + column)
    again = np.flatnonzero(cells.first[cells.group] != np.arange(column.size))
    if again.size:
        raise ValueError(
            f"item {_item(rows, again[0])!r} stands twice under format {names[column[again[0]]]!r}"
        )
    arrays = np.zeros((3, items.size, len(names)))
    for array, values in zip(arrays, (np.ones(column.size), rows.follows, rows.score), strict=True):
        array[items.group, column] = values
    return Table(
        Picked(rows.items, rows.item[items.first]),
        tuple(names),
        grouped(cluster).group,
        arrays[0] > 0,
        arrays[1],
        arrays[2],
    )


def _check(rows: FormatRows, protocol: PaperProtocol) -> None:
    for name, shares in (("follows", rows.follows), ("score", rows.score)):
        bad = np.flatnonzero(~((shares >= 0) & (shares <= 1)))
        if bad.size:
            raise ValueError(
                f"{_named(rows, bad[0])}: {name} is {shares[bad[0]]:g}, not between 0 and 1"
            )
    above = np.flatnonzero(rows.score > rows.follows + _SLACK)
    if protocol == "corrected" and above.size:
        row = above[0]
        raise ValueError(
            f"{_named(rows, row)}: score {rows.score[row]:g} is above follows "
            f"{rows.follows[row]:g}, but an answer that does not follow its format scores 0 "
            "(only protocol 'published' scores it)"
        )


def _item(rows: FormatRows, row: int) -> str:
    return str(rows.items[rows.item[row]])


def _named(rows: FormatRows, row: int) -> str:
    return f"item {_item(rows, row)!r}, format {rows.formats[rows.format[row]]!r}"
