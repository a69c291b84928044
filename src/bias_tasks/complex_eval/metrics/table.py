"""The judgements of a run as columns: one row for each epoch of an item."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from bias_tasks.complex_eval.items import JudgedKind
from bias_tasks.complex_eval.metrics.outcome import AUX_OF, RESPONSES_OF, SCALES, Judgement
from bias_tasks.statistics.columns import Mask, codes, means
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample

Column = tuple[str, str]
"""Auxiliary information and response."""


@dataclass(frozen=True, slots=True)
class Table:
    """n items, and a score of each response under each condition, epoch by epoch."""

    family: JudgedKind
    domains: tuple[str, ...]
    domain: Ints
    """Of each item, as a position in `domains`."""
    cluster: Ints
    gold: Ints
    """Of each item; 0 but for math."""
    item: Ints
    """Of each row."""
    columns: tuple[Column, ...]
    """What was judged at all."""
    scores: Floats
    """Rows by columns; nan where unread or not judged."""
    judged: Mask
    """Rows by columns."""

    def score(self, aux: str, response: str) -> Floats:
        """One score for each row; the column must be there."""
        column: Floats = self.scores[:, self.columns.index((aux, response))]
        return column

    def asked(self, aux: str, *responses: str) -> Mask:
        """In which rows all of these were judged; false in all where a column is not there."""
        asked = np.ones(self.item.size, dtype=np.bool_)
        for response in responses:
            column = (aux, response)
            asked &= self.judged[:, self.columns.index(column)] if column in self.columns else False
        return asked

    def sample(self, rows: Floats | Mask, known: Mask) -> WeightedSample:
        """Each item's mean over its rows that are known, with the design: strata are domains."""
        values, there = means(rows, known, self.item, self.domain.size)
        return WeightedSample(values, self.cluster, self.domain, there.astype(float))

    def unread(self) -> WeightedSample:
        """Share of each item's judgements that have no score."""
        judged = self.judged.sum(axis=1)
        unread = (self.judged & np.isnan(self.scores)).sum(axis=1)
        return self.sample(unread / judged, judged > 0)


def table(judgements: Sequence[Judgement], families: Collection[JudgedKind]) -> Table:
    """The table of at least one judgement, in any order.

    Raises:
        ValueError: the judgements are not all of one of `families`; a response is judged twice;
            a name is unknown or a score impossible in the family; or judgements of one item
            disagree about its domain, cluster or gold position.
    """
    family = judgements[0].family
    if family not in families:
        raise _bad(judgements[0], f"is of family {family!r}, not of {' or '.join(families)}")
    items: dict[str, Judgement] = {}
    rows: dict[tuple[str, int], int] = {}
    columns: dict[Column, int] = {}
    cells: dict[tuple[int, int], float] = {}
    for judgement in judgements:
        if judgement.family != family:
            raise _bad(judgement, f"is of family {judgement.family!r}, others are of {family!r}")
        _check(judgement, items.setdefault(judgement.item, judgement))
        row = rows.setdefault((judgement.item, judgement.epoch), len(rows))
        column = columns.setdefault((judgement.aux, judgement.response), len(columns))
        if (row, column) in cells:
            raise _bad(judgement, f"is judged twice in epoch {judgement.epoch}")
        cells[row, column] = math.nan if judgement.score is None else judgement.score
    where = tuple(np.array(list(cells)).T)
    scores = np.full((len(rows), len(columns)), math.nan)
    scores[where] = list(cells.values())
    judged = np.zeros(scores.shape, dtype=np.bool_)
    judged[where] = True
    domains = {name: code for code, name in enumerate(sorted({j.domain for j in items.values()}))}
    return Table(
        family=family,
        domains=tuple(domains),
        domain=np.array([domains[j.domain] for j in items.values()]),
        cluster=codes(judgement.cluster for judgement in items.values()),
        gold=np.array([j.gold or 0 for j in items.values()]),
        item=codes(item for item, _ in rows),
        columns=tuple(columns),
        scores=scores,
        judged=judged,
    )


def _check(judgement: Judgement, first: Judgement) -> None:
    for name in ("domain", "cluster", "gold"):
        here, there = getattr(judgement, name), getattr(first, name)
        if here != there:
            raise _bad(judgement, f"has {name} {here!r}, another judgement of the item {there!r}")
    family = judgement.family
    for name, known in (("aux", AUX_OF[family]), ("response", RESPONSES_OF[family])):
        value = getattr(judgement, name)
        if value not in known:
            raise _bad(judgement, f"has the {name} {value!r}: {family} has {', '.join(known)}")
    if family == "math" and (judgement.gold is None or judgement.gold < -1):
        raise _bad(judgement, f"has gold {judgement.gold!r}: math needs a position from 0, or -1")
    if judgement.score is not None and not _possible(judgement.score, family):
        raise _bad(
            judgement, f"has the score {judgement.score!r}, not {_RANGE[family]} or None (unread)"
        )


def _possible(score: float, family: JudgedKind) -> bool:
    if family == "math":
        return -1 <= score <= _LAST_STEP and score == int(score)
    low, high = SCALES[family]
    return low <= score <= high


_LAST_STEP = 10**6
"""No solution has more steps."""
_RANGE: dict[JudgedKind, str] = {
    "math": "a position from 0, or -1 (no wrong step),",
    **{family: f"a number from {low:g} to {high:g}" for family, (low, high) in SCALES.items()},
}


def _bad(judgement: Judgement, reason: str) -> ValueError:
    return ValueError(
        f"item {judgement.item!r}, {judgement.response!r} under {judgement.aux!r}: {reason}"
    )
