"""The outcomes of a run as columns, one table a variant."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bias_tasks.instruction_boundary.items import FORMS, INVALID, LABELS, UNREAD, SettingOutcome
from bias_tasks.statistics.effective_size import Floats, Ints
from bias_tasks.statistics.outcomes import Coded, Grouped, OutcomeColumns, grouped

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
    counts: NDArray[Any]
    """One column for each of OUTPUTS: how many of the row's answers had that label. Where shares of
    them were given instead, these, beside one answer."""
    answers: NDArray[Any]
    """How many answers `counts` are of; 0 in rows of which the labels are not known."""
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
        if rows.dtype == np.bool_ and rows.all():
            return self
        return Table(*(getattr(self, name)[rows] for name in self.__slots__))

    def of(self, *labels: str) -> NDArray[np.bool_]:
        """Which rows' gold label is one of these."""
        wanted = np.array([label in labels for _, label in GOLD])
        return wanted[self.stratum]

    def share(self, label: str) -> Floats:
        """The share of an output label among each row's answers; nan where that is not known."""
        counted = self.counts[:, OUTPUTS.index(label)]
        nothing = np.full(counted.size, math.nan)
        share: Floats = np.divide(counted, self.answers, out=nothing, where=self.answers > 0)
        return share


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


def tables_of(
    columns: OutcomeColumns, kind_of: Callable[[Mapping[str, Any]], SettingOutcome]
) -> dict[str, Table]:
    """One table for every variant of a run's outcomes, in the order of first appearance.

    A row for each item and variant: shares are the means over its answers in all epochs; what
    these have in common is taken from the first.

    Args:
        columns: the outcomes.
        kind_of: what one answer's `own` says of it; item, cluster, variant and `ok` are not its.

    Raises:
        ValueError: a label is none of the form's, or a score is not between 0 and 1.
    """
    item, variant, own = (columns.coded(name) for name in ("item", "variant", "own"))
    ok, _ = columns.numbers("score")
    _check_scores(ok, item, variant)
    first = grouped(own.codes).first
    kinds = _rows(
        [
            replace(
                kind_of(value),
                item=item.values[int(item.codes[row])],
                variant=variant.values[int(variant.codes[row])],
            )
            for value, row in zip(own.values, first, strict=True)
        ],
        {},
        {},
        {},
    )
    cluster = columns.coded("cluster")
    found = {}
    for code, name in enumerate(variant.values):
        rows = np.flatnonzero(variant.codes == code).astype(np.int32)
        groups = grouped(item.codes[rows])
        found[name] = replace(
            _of_kinds(kinds, own.codes[rows], groups),
            item=item.codes[rows[groups.first]],
            cluster=cluster.codes[rows[groups.first]],
            ok=groups.means(ok[rows]),
        )
    return found


def _of_kinds(kinds: Table, kind: Ints, groups: Grouped) -> Table:
    """The rows of answers of these kinds; `ok` and what tells items apart is still the kinds'."""
    counts = np.zeros((groups.size, len(OUTPUTS)), dtype=np.uint16)
    np.add.at(counts, (groups.group, kinds.counts.argmax(axis=1)[kind]), 1)
    first = kind[groups.first]
    return replace(
        kinds,
        stratum=kinds.stratum[first],
        counts=counts,
        answers=counts.sum(axis=1, dtype=np.uint16),
        judged=groups.means(kinds.judged[kind]),
        suggested=kinds.suggested[first],
        at_suggestion=groups.means(kinds.at_suggestion[kind]),
        suggestion_is_gold=kinds.suggestion_is_gold[first],
        origin=kinds.origin[first],
    )


def _check_scores(ok: Floats, item: Coded, variant: Coded) -> None:
    bad = np.flatnonzero(~((ok >= 0) & (ok <= 1)))
    if bad.size:
        row = int(bad[0])
        named = item.values[int(item.codes[row])], variant.values[int(variant.codes[row])]
        raise ValueError(
            f"item {named[0]!r} under variant {named[1]!r}: the score {ok[row]} is not between 0 "
            "and 1"
        )


def _table(
    group: list[SettingOutcome],
    items: dict[str, int],
    clusters: dict[str, int],
    origins: dict[str, int],
) -> Table:
    table = _rows(group, items, clusters, origins)
    if len(set(table.item)) < len(group):
        twice = Counter(outcome.item for outcome in group).most_common(1)[0][0]
        raise ValueError(f"item {twice!r} stands twice under variant {group[0].variant!r}")
    return table


def _rows(
    group: list[SettingOutcome],
    items: dict[str, int],
    clusters: dict[str, int],
    origins: dict[str, int],
) -> Table:
    counts = np.array([_label_shares(o) for o in group])
    table = Table(
        item=_ints([items.setdefault(o.item, len(items)) for o in group]),
        cluster=_ints([clusters.setdefault(o.cluster, len(clusters)) for o in group]),
        stratum=_ints([_stratum(o) for o in group]),
        ok=np.array([o.ok for o in group], dtype=float),
        counts=counts,
        answers=_ints([bool(o.labels) for o in group]),
        judged=np.array([o.judged for o in group], dtype=float),
        suggested=_ints([_suggested(o) for o in group]),
        at_suggestion=_optional([o.at_suggestion for o in group]),
        suggestion_is_gold=_optional([o.suggestion_is_gold for o in group]),
        origin=_ints(
            [-1 if o.origin is None else origins.setdefault(o.origin, len(origins)) for o in group]
        ),
    )
    _check(table, group)
    return table


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int32)


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
    shares = [0.0] * len(OUTPUTS)
    for label, share in outcome.labels.items():
        if label not in LABELS[outcome.form] and label not in (INVALID, UNREAD):
            raise _bad(outcome, f"output {label!r} is no {outcome.form} label")
        shares[_COLUMN[label]] = share
    return shares


def _check(table: Table, group: list[SettingOutcome]) -> None:
    """Shares are between 0 and 1 (or nan where optional), and label shares sum to 1."""
    optional = np.column_stack([table.counts, table.at_suggestion])
    bad = ~((table.ok >= 0) & (table.ok <= 1) & (table.judged >= 0) & (table.judged <= 1))
    bad |= ((optional < 0) | (optional > 1)).any(axis=1)
    bad |= np.abs(table.counts.sum(axis=1) - table.answers) > 1e-6
    if bad.any():
        raise _bad(
            group[int(np.flatnonzero(bad)[0])],
            "ok, judged, labels and at_suggestion are shares from 0 to 1, labels summing to 1",
        )


def _bad(outcome: SettingOutcome, reason: str) -> ValueError:
    return ValueError(f"item {outcome.item!r} under variant {outcome.variant!r}: {reason}")


def _optional(column: Sequence[float | None]) -> Floats:
    return np.array([math.nan if value is None else value for value in column], dtype=float)
