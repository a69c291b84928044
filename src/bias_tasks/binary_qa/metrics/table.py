"""The outcomes of a run as columns: one row for each epoch of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bias_tasks.binary_qa.items import BINARY_LABELS, NEGATIVE, VARIANTS
from bias_tasks.binary_qa.metrics.outcome import BinaryOutcome
from bias_tasks.statistics.columns import Mask, codes, means
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample

Answers = NDArray[np.int8]

UNREAD, MISSING = 2, -1
"""What stands in `Table.answers` beside the positions in BINARY_LABELS."""
_COLUMN: dict[str, int] = {variant: column for column, variant in enumerate(VARIANTS)}
_CODE: dict[str | None, int] = {
    None: UNREAD,
    **{label: code for code, label in enumerate(BINARY_LABELS)},
}


@dataclass(frozen=True, slots=True)
class Values:
    """One value in [0, 1] for each question: the mean over the epochs that have one."""

    mean: Floats
    known: Mask
    """Which questions have a value; the others' mean is 0 and means nothing."""


@dataclass(frozen=True, slots=True)
class Table:
    """n questions, and an answer to each under every variant and epoch."""

    domain: Ints
    """Of each question, as a position in `domains`."""
    gold: Ints
    """Of each question, as a position in BINARY_LABELS."""
    cluster: Ints
    question: Ints
    """Of each row."""
    answers: Answers
    """Rows by VARIANTS: a position in BINARY_LABELS, UNREAD or MISSING."""
    domains: tuple[str, ...]

    def answer(self, variant: str) -> Answers:
        """The answers under one variant, one for each row."""
        column: Answers = self.answers[:, _COLUMN[variant]]
        return column

    def right(self, variant: str) -> Answers:
        """The right answers under one variant, one for each row."""
        flipped = int(variant in NEGATIVE)
        return ((self.gold[self.question] + flipped) % 2).astype(np.int8)

    def asked(self, *variants: str) -> bool:
        """Whether every one of these variants was asked at all."""
        return all((self.answer(variant) != MISSING).any() for variant in variants)

    def values(self, rows: Floats | Mask, known: Mask) -> Values:
        """The mean over each question's rows that are known."""
        return Values(*means(rows, known, self.question, self.gold.size))

    def sample(self, values: Values) -> WeightedSample:
        """The values with their design: strata are the domains' gold labels."""
        strata = self.domain * len(BINARY_LABELS) + self.gold
        return WeightedSample(values.mean, self.cluster, strata, values.known.astype(float))

    def of_domain(self, domain: int) -> Table:
        """The questions of one domain; `domains` stay as they are."""
        kept = self.domain == domain
        rows = kept[self.question]
        renumbered = np.cumsum(kept) - 1
        return Table(
            domain=self.domain[kept],
            gold=self.gold[kept],
            cluster=self.cluster[kept],
            question=renumbered[self.question[rows]],
            answers=self.answers[rows],
            domains=self.domains,
        )


def table(outcomes: Sequence[BinaryOutcome]) -> Table:
    """The table of at least one outcome, in any order.

    Raises:
        ValueError: an answer stands twice, a variant or label is unknown, or the outcomes of one
            item disagree about its gold label, domain or cluster.
    """
    questions: dict[str, BinaryOutcome] = {}
    rows: dict[tuple[str, int], int] = {}
    cells: dict[tuple[int, int], int] = {}
    for outcome in outcomes:
        _check(outcome, questions.setdefault(outcome.item, outcome))
        row = rows.setdefault((outcome.item, outcome.epoch), len(rows))
        cell = (row, _COLUMN[outcome.variant])
        if cell in cells:
            raise _bad(outcome, f"stands twice in epoch {outcome.epoch}")
        cells[cell] = _CODE[outcome.answer]
    answers = np.full((len(rows), len(VARIANTS)), MISSING, dtype=np.int8)
    where = np.array(list(cells))
    answers[where[:, 0], where[:, 1]] = list(cells.values())
    domains = sorted({outcome.domain for outcome in questions.values()})
    return Table(
        domain=np.array([domains.index(outcome.domain) for outcome in questions.values()]),
        gold=np.array([_CODE[outcome.gold] for outcome in questions.values()]),
        cluster=codes(outcome.cluster for outcome in questions.values()),
        question=codes(item for item, _ in rows),
        answers=answers,
        domains=tuple(domains),
    )


def _check(outcome: BinaryOutcome, first: BinaryOutcome) -> None:
    if outcome.variant not in _COLUMN:
        raise _bad(outcome, f"is unknown: variants are {', '.join(VARIANTS)}")
    if outcome.gold not in BINARY_LABELS:
        raise _bad(outcome, f"has the gold label {outcome.gold!r}: it is Yes or No")
    if outcome.answer not in _CODE:
        raise _bad(outcome, f"has the answer {outcome.answer!r}: it is Yes, No or None (unread)")
    for name in ("gold", "domain", "cluster"):
        here, there = getattr(outcome, name), getattr(first, name)
        if here != there:
            raise _bad(outcome, f"has {name} {here!r}, another outcome of the item {there!r}")


def _bad(outcome: BinaryOutcome, reason: str) -> ValueError:
    return ValueError(f"item {outcome.item!r}: variant {outcome.variant!r} {reason}")
