"""Answers of a format task as columns: a row for each item in each format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bias_tasks.output_format.metrics.outcome import FormatOutcome
from bias_tasks.statistics.effective_size import Floats, Ints
from bias_tasks.statistics.outcomes import positions

Part = tuple[str, str]
"""A data set and a prompting."""
BETWEEN = "\n"
"""Stands between the names of which those over several parts are made."""


@dataclass(frozen=True, slots=True)
class FormatRows:
    """The rows of a group, of which each is what became of an item in a format over all epochs."""

    item: Ints
    """Position in `items`, as `cluster` and `format` are in theirs."""
    cluster: Ints
    format: Ints
    follows: Floats
    """See `FormatOutcome`, as `score`."""
    score: Floats
    items: Sequence[str]
    clusters: Sequence[str]
    formats: Sequence[str]

    @classmethod
    def of(cls, outcomes: Sequence[FormatOutcome]) -> FormatRows:
        """The rows of outcomes at hand."""
        item, items = positions(outcome.item for outcome in outcomes)
        cluster, clusters = positions(outcome.cluster for outcome in outcomes)
        form, formats = positions(outcome.format for outcome in outcomes)
        follows = np.array([outcome.follows for outcome in outcomes], dtype=float)
        score = np.array([outcome.score for outcome in outcomes], dtype=float)
        return cls(item, cluster, form, follows, score, items, clusters, formats)

    def take(self, rows: Ints) -> FormatRows:
        """The rows at these places."""
        taken = ("item", "cluster", "format", "follows", "score")
        return replace(self, **{name: getattr(self, name)[rows] for name in taken})

    def outcomes(self) -> list[FormatOutcome]:
        """The rows as objects."""
        return [
            FormatOutcome(
                self.items[item],
                self.clusters[cluster],
                self.formats[name],
                float(follows),
                float(score),
            )
            for item, cluster, name, follows, score in zip(
                self.item, self.cluster, self.format, self.follows, self.score, strict=True
            )
        ]

    def asked(self) -> list[str]:
        """The names of the formats that a row has."""
        return sorted(self.formats[code] for code in np.unique(self.format))


def joined(parts: Mapping[Part, FormatRows]) -> FormatRows:
    """The rows of several parts of one run under names that are unique over all of them.

    Parts of one data set share their items.
    """
    datasets = list(dict.fromkeys(dataset for dataset, _ in parts))
    first = next(iter(parts.values()))
    columns: dict[str, list[Any]] = {}
    for number, ((dataset, _), rows) in enumerate(parts.items()):
        place = datasets.index(dataset)
        columns.setdefault("item", []).append(rows.item + place * len(first.items))
        columns.setdefault("cluster", []).append(rows.cluster + place * len(first.clusters))
        columns.setdefault("format", []).append(rows.format + number * len(first.formats))
        columns.setdefault("follows", []).append(rows.follows)
        columns.setdefault("score", []).append(rows.score)
    named = [column_of(part, name) for part in parts for name in first.formats]
    found = {name: np.concatenate(column) for name, column in columns.items()}
    return FormatRows(
        **found,
        items=_Repeated(first.items, len(datasets)),
        clusters=_Repeated(first.clusters, len(datasets)),
        formats=named,
    )


class _Repeated(Sequence[str]):
    """Names that stand for others in each data set."""

    def __init__(self, names: Sequence[str], times: int) -> None:
        self._names, self._times = names, times

    def __len__(self) -> int:
        return len(self._names) * self._times

    def __getitem__(self, place: Any) -> Any:
        return self._names[place % len(self._names)]


def column_of(part: Part, format: str) -> str:
    """The name of a part's format."""
    return BETWEEN.join((*part, format))
