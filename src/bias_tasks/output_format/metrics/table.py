"""The outcomes of a run as arrays, one row an item and one column a format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bias_tasks.output_format.metrics.outcome import FormatOutcome
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.columns import Mask
from bias_tasks.statistics.effective_size import Floats, Ints

_SLACK = 1e-9
"""What rounding may do to a mean over epochs."""


@dataclass(frozen=True, slots=True)
class Table:
    """n items asked in k formats; arrays are n by k."""

    items: tuple[str, ...]
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
            items=tuple(self.items[row] for row in rows),
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
    """The table of at least one outcome, in any order.

    Raises:
        ValueError: an item stands twice under one format or in two clusters, a share is not
            between 0 and 1, or (corrected) a score is above the share of answers that follow.
    """
    rows: dict[str, int] = {}
    clusters: dict[str, int] = {}
    cluster_of: list[int] = []
    names = sorted({outcome.format for outcome in outcomes})
    columns = {name: place for place, name in enumerate(names)}
    cells: dict[tuple[int, int], tuple[float, float]] = {}
    for outcome in outcomes:
        _check(outcome, protocol)
        code = clusters.setdefault(outcome.cluster, len(clusters))
        row = rows.setdefault(outcome.item, len(rows))
        if row == len(cluster_of):
            cluster_of.append(code)
        if cluster_of[row] != code:
            raise ValueError(f"item {outcome.item!r} stands in two clusters")
        cell = row, columns[outcome.format]
        if cell in cells:
            raise ValueError(f"item {outcome.item!r} stands twice under format {outcome.format!r}")
        cells[cell] = outcome.follows, outcome.score
    where = tuple(np.array(list(cells)).T)
    values = np.array(list(cells.values()))
    arrays = np.zeros((3, len(rows), len(names)))
    for array, column in zip(arrays, (np.ones(len(cells)), *values.T), strict=True):
        array[where] = column
    return Table(
        tuple(rows), tuple(names), np.array(cluster_of), arrays[0] > 0, arrays[1], arrays[2]
    )


def _check(outcome: FormatOutcome, protocol: PaperProtocol) -> None:
    for name, share in (("follows", outcome.follows), ("score", outcome.score)):
        if not 0 <= share <= 1:
            raise ValueError(f"{_named(outcome)}: {name} is {share}, not between 0 and 1")
    if protocol == "corrected" and outcome.score > outcome.follows + _SLACK:
        raise ValueError(
            f"{_named(outcome)}: score {outcome.score} is above follows {outcome.follows}, but an "
            "answer that does not follow its format scores 0 (only protocol 'published' scores it)"
        )


def _named(outcome: FormatOutcome) -> str:
    return f"item {outcome.item!r}, format {outcome.format!r}"
