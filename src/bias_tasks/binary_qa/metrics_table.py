"""The outcomes of a run as columns: one row for each epoch of a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bias_tasks.binary_qa.items import BINARY_LABELS, NEGATIVE, VARIANTS, BinaryOutcome
from bias_tasks.names import PaperProtocol
from bias_tasks.statistics.columns import Mask, means
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.outcomes import Coded, OutcomeColumns, grouped

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
    rows = OutcomeColumns(outcomes)
    return _table(rows, outcomes, np.arange(len(outcomes)))


def table_of(
    columns: OutcomeColumns, kind_of: Callable[[str | None, Mapping[str, Any]], BinaryOutcome]
) -> Table:
    """The table of the outcomes in columns, of which there is one at least; errors as `table` has.

    Args:
        columns: the outcomes.
        kind_of: what an answer and its `own` say; item, cluster, variant and epoch are not its.
    """
    variant, answer, own = (columns.coded(name) for name in ("variant", "answer", "own"))
    for code, said in enumerate(answer.values):
        if said not in _CODE:  # of these there might be any number, each a kind by itself
            item = columns.coded("item")
            name = item.values[item.codes[np.flatnonzero(answer.codes == code)[0]]]
            raise ValueError(f"answer {said!r} of item {name}: expected Yes, No or nothing")
    key = variant.codes.astype(np.int64) * len(answer.values) + answer.codes
    groups = grouped(key * len(own.values) + own.codes)
    found = [
        replace(
            kind_of(answer.values[answer.codes[row]], own.values[own.codes[row]]),
            variant=variant.values[variant.codes[row]],
        )
        for row in groups.first
    ]
    return _table(columns, found, groups.group)


def _table(columns: OutcomeColumns, kinds: Sequence[BinaryOutcome], kind: Ints) -> Table:
    """The table of answers of which each is of one of some kinds."""
    item, cluster = columns.coded("item"), columns.coded("cluster")
    rows = _Rows(item, kinds, kind)
    rows.check_kinds()
    domains = sorted({each.domain for each in kinds})
    domain = np.array([domains.index(each.domain) for each in kinds], dtype=np.int32)[kind]
    gold = np.array([_CODE[each.gold] for each in kinds], dtype=np.int8)[kind]
    first = grouped(item.codes).first
    rows.check_alike("gold", gold, first, lambda row: kinds[kind[row]].gold)
    rows.check_alike("domain", domain, first, lambda row: kinds[kind[row]].domain)
    named = cluster.values
    rows.check_alike("cluster", cluster.codes, first, lambda row: named[cluster.codes[row]])
    epochs, epoch = np.unique(columns.numbers("epoch")[0], return_inverse=True)
    runs = grouped(item.codes.astype(np.int64) * epochs.size + epoch)
    column = np.array([_COLUMN[each.variant] for each in kinds])[kind]
    cells = grouped(runs.group.astype(np.int64) * len(VARIANTS) + column)
    again = np.flatnonzero(cells.first[cells.group] != np.arange(kind.size))
    if again.size:
        raise rows.bad(int(again[0]), f"stands twice in epoch {epochs[epoch[again[0]]]:.0f}")
    answers = np.full((runs.size, len(VARIANTS)), MISSING, dtype=np.int8)
    answers[runs.group, column] = np.array([_CODE[each.answer] for each in kinds])[kind]
    return Table(
        domain=domain[first],
        gold=gold[first],
        cluster=grouped(cluster.codes[first]).group,
        question=item.codes[runs.first],
        answers=answers,
        domains=tuple(domains),
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """The answers, and what may be wrong with them."""

    item: Coded
    kinds: Sequence[BinaryOutcome]
    kind: Ints

    def check_kinds(self) -> None:
        """Raise where an answer is impossible by itself."""
        for number, each in enumerate(self.kinds):
            if (problem := _problem(each)) is not None:
                raise self.bad(int(np.flatnonzero(self.kind == number)[0]), problem)

    def check_alike(
        self, name: str, values: Ints, first: Ints, shown: Callable[[int], object]
    ) -> None:
        """Raise where an answer has another value than the item's first one."""
        others = np.flatnonzero(values != values[first][self.item.codes])
        if others.size:
            here, there = int(others[0]), int(first[self.item.codes[others[0]]])
            raise self.bad(
                here,
                f"has {name} {shown(here)!r}, another outcome of the item {shown(there)!r}",
            )

    def bad(self, row: int, reason: str) -> ValueError:
        """What is wrong with the answer in a row."""
        item, kind = self.item.values[self.item.codes[row]], self.kinds[self.kind[row]]
        return ValueError(f"item {item!r}: variant {kind.variant!r} {reason}")


def _problem(kind: BinaryOutcome) -> str | None:
    """What is wrong with an outcome by itself."""
    if kind.variant not in _COLUMN:
        return f"is unknown: variants are {', '.join(VARIANTS)}"
    if kind.gold not in BINARY_LABELS:
        return f"has the gold label {kind.gold!r}: it is Yes or No"
    if kind.answer not in _CODE:
        return f"has the answer {kind.answer!r}: it is Yes, No or None (unread)"
    return None


COMPARED: Mapping[str, tuple[str, ...]] = {
    "prc": ("synonym", "polite"),
    "nrc": ("contradictory", "false"),
    "arc": ("reversed",),
    "sc": ("repeat_2", "repeat_3"),
}
"""Variants whose answers are compared with the original's; all of them must agree with it."""


def consistency(table: Table, name: str, protocol: PaperProtocol) -> Values:
    """Whether all answers compared agree with the original's (equations 1, 3); see `agreement`."""
    return agreement(table, COMPARED[name], protocol)


def agreement(table: Table, variants: Sequence[str], protocol: PaperProtocol) -> Values:
    """Whether the answers under all `variants` agree with the original's of the same epoch.

    To agree is to be the same answer, under a negative reformulation the opposite one. An epoch
    counts only where all of its answers are there. An unread answer agrees with nothing; under the
    published protocol it is a third answer like the other two.
    """
    original = table.answer("original")
    known = original != MISSING
    agrees = np.ones(original.size, dtype=bool)
    for variant in variants:
        answer = table.answer(variant)
        known &= answer != MISSING
        agrees &= (answer != original) if variant in NEGATIVE else (answer == original)
        if protocol == "corrected":
            agrees &= (answer != UNREAD) & (original != UNREAD)
    return table.values(agrees, known)
