"""The outcomes of a run as columns, one table a variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bias_tasks.items import FORMS, LABELS
from bias_tasks.metrics.design import Floats, Ints
from bias_tasks.metrics.types import INVALID, UNREAD, Outcome

GOLD = tuple((form, label) for form in FORMS for label in LABELS[form])
"""Strata: the gold labels of both forms."""
OUTPUTS = (*(label for _, label in GOLD), INVALID, UNREAD)
_STRATUM = {pair: code for code, pair in enumerate(GOLD)}
_COLUMN = {label: code for code, label in enumerate(OUTPUTS)}


@dataclass(frozen=True, slots=True)
class Table:
    """The outcomes of one variant; every field is an array with one row an item."""

    item: Ints
    cluster: Ints
    stratum: Ints
    """Position in GOLD."""
    ok: Floats
    labels: Floats
    """One column for each of OUTPUTS; nan in rows without label shares."""
    judged: Floats
    suggested: Ints
    """Position in OUTPUTS, -1 where nothing was suggested."""
    at_suggestion: Floats
    suggestion_is_gold: Floats
    """1, 0, or nan where nothing was suggested."""

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Table:
        """The table of these rows."""
        return Table(*(getattr(self, name)[rows] for name in self.__slots__))

    def of(self, *labels: str) -> NDArray[np.bool_]:
        """Which rows' gold label is one of these."""
        codes = [code for code, (_, label) in enumerate(GOLD) if label in labels]
        return np.isin(self.stratum, codes)


def tables(outcomes: Sequence[Outcome]) -> dict[str, Table]:
    """One table for every variant, in the order of first appearance.

    Raises:
        ValueError: an item stands twice under one variant, a gold or output label is not one of
            the form's, or a share is not between 0 and 1.
    """
    items: dict[str, int] = {}
    clusters: dict[str, int] = {}
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.variant, []).append(outcome)
    return {variant: _table(variant, group, items, clusters) for variant, group in groups.items()}


def _table(
    variant: str, group: list[Outcome], items: dict[str, int], clusters: dict[str, int]
) -> Table:
    item = np.array([items.setdefault(o.item, len(items)) for o in group], dtype=np.int64)
    if np.unique(item).size < item.size:
        twice = Counter(outcome.item for outcome in group).most_common(1)[0][0]
        raise ValueError(f"item {twice!r} stands twice under variant {variant!r}")
    labels = np.zeros((len(group), len(OUTPUTS)))
    for row, outcome in enumerate(group):
        if not outcome.labels:
            labels[row] = np.nan
        for label, share in outcome.labels.items():
            labels[row, _COLUMN[label]] = share
    return Table(
        item=item,
        cluster=np.array(
            [clusters.setdefault(o.cluster, len(clusters)) for o in group], dtype=np.int64
        ),
        stratum=np.array([_STRATUM[o.form, o.gold] for o in group], dtype=np.int64),
        ok=np.array([o.ok for o in group], dtype=float),
        labels=labels,
        judged=np.array([o.judged for o in group], dtype=float),
        suggested=np.array(
            [-1 if o.suggested is None else _COLUMN[o.suggested] for o in group], dtype=np.int64
        ),
        at_suggestion=_optional([o.at_suggestion for o in group]),
        suggestion_is_gold=_optional([o.suggestion_is_gold for o in group]),
    )


def _optional(column: Sequence[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in column], dtype=float)
