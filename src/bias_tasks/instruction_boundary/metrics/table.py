"""The outcomes of a run as columns, one table a variant."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bias_tasks.instruction_boundary.items import FORMS, LABELS
from bias_tasks.instruction_boundary.metrics.outcome import INVALID, UNREAD, SettingOutcome
from bias_tasks.statistics.effective_size import Floats, Ints

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
    origin: Ints
    """Number of the data set that the item was taken from; -1 where that is unknown."""

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Table:
        """The table of these rows."""
        return Table(*(getattr(self, name)[rows] for name in self.__slots__))

    def of(self, *labels: str) -> NDArray[np.bool_]:
        """Which rows' gold label is one of these."""
        wanted = np.array([label in labels for _, label in GOLD])
        return wanted[self.stratum]


def tables(outcomes: Sequence[SettingOutcome]) -> dict[str, Table]:
    """One table for every variant, in the order of first appearance.

    Raises:
        ValueError: an item stands twice under one variant, a label is none of the form's, a share
            is not between 0 and 1, or label shares do not sum to 1.
    """
    items: dict[str, int] = {}
    clusters: dict[str, int] = {}
    origins: dict[str, int] = {}
    groups: dict[str, list[SettingOutcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.variant, []).append(outcome)
    return {variant: _table(group, items, clusters, origins) for variant, group in groups.items()}


def _table(
    group: list[SettingOutcome],
    items: dict[str, int],
    clusters: dict[str, int],
    origins: dict[str, int],
) -> Table:
    codes = [items.setdefault(outcome.item, len(items)) for outcome in group]
    if len(set(codes)) < len(codes):
        twice = Counter(outcome.item for outcome in group).most_common(1)[0][0]
        raise ValueError(f"item {twice!r} stands twice under variant {group[0].variant!r}")
    table = Table(
        item=np.array(codes),
        cluster=np.array([clusters.setdefault(o.cluster, len(clusters)) for o in group]),
        stratum=np.array([_stratum(o) for o in group]),
        ok=np.array([o.ok for o in group], dtype=float),
        labels=np.array([_label_shares(o) for o in group]),
        judged=np.array([o.judged for o in group], dtype=float),
        suggested=np.array([_suggested(o) for o in group]),
        at_suggestion=_optional([o.at_suggestion for o in group]),
        suggestion_is_gold=_optional([o.suggestion_is_gold for o in group]),
        origin=np.array(
            [-1 if o.origin is None else origins.setdefault(o.origin, len(origins)) for o in group]
        ),
    )
    _check(table, group)
    return table


def _stratum(outcome: SettingOutcome) -> int:
    code = _STRATUM.get((outcome.form, outcome.gold))
    if code is None:
        raise _bad(outcome, f"gold {outcome.gold!r} is no {outcome.form} label")
    return code


def _suggested(outcome: SettingOutcome) -> int:
    if outcome.suggested is None:
        return -1
    if outcome.suggested not in LABELS[outcome.form]:
        raise _bad(outcome, f"suggested {outcome.suggested!r} is no {outcome.form} label")
    return _COLUMN[outcome.suggested]


def _label_shares(outcome: SettingOutcome) -> list[float]:
    if not outcome.labels:
        return [math.nan] * len(OUTPUTS)
    shares = [0.0] * len(OUTPUTS)
    for label, share in outcome.labels.items():
        if label not in LABELS[outcome.form] and label not in (INVALID, UNREAD):
            raise _bad(outcome, f"output {label!r} is no {outcome.form} label")
        shares[_COLUMN[label]] = share
    return shares


def _check(table: Table, group: list[SettingOutcome]) -> None:
    """Shares are between 0 and 1 (or nan where optional), and label shares sum to 1."""
    optional = np.column_stack([table.labels, table.at_suggestion])
    bad = ~((table.ok >= 0) & (table.ok <= 1) & (table.judged >= 0) & (table.judged <= 1))
    bad |= ((optional < 0) | (optional > 1)).any(axis=1)
    bad |= np.abs(table.labels.sum(axis=1) - 1) > 1e-6
    if bad.any():
        raise _bad(
            group[int(np.flatnonzero(bad)[0])],
            "ok, judged, labels and at_suggestion are shares from 0 to 1, labels summing to 1",
        )


def _bad(outcome: SettingOutcome, reason: str) -> ValueError:
    return ValueError(f"item {outcome.item!r} under variant {outcome.variant!r}: {reason}")


def _optional(column: Sequence[float | None]) -> Floats:
    return np.array([math.nan if value is None else value for value in column], dtype=float)
