"""The outcomes of a run as columns: one row for each epoch of a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bias_tasks.binary_qa.items import BINARY_LABELS, NEGATIVE, VARIANTS
from bias_tasks.contract.family import Outcome
from bias_tasks.names import PaperProtocol
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.outcomes import Coded, Mask, OutcomeColumns, grouped, means

Answers = NDArray[np.int8]

UNREAD, MISSING = 2, -1
"""Codes in `Table.answers` of an unread answer and of one that was not asked; the others are
positions in BINARY_LABELS."""
_COLUMN: dict[str, int] = {variant: column for column, variant in enumerate(VARIANTS)}
_LABELS: dict[Any, int] = {label: code for code, label in enumerate(BINARY_LABELS)}


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

    def of_domain(self, domain: int) -> "Table":
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


def table(outcomes: Sequence[Outcome]) -> Table:
    """The table of at least one outcome, in any order; an item's gold label, domain and cluster are
    those of its first. A ValueError where an answer stands twice, or a variant or label is unknown.
    """
    columns = OutcomeColumns(outcomes)
    item, cluster, variant, answer, own = (
        columns.coded(name) for name in ("item", "cluster", "variant", "answer", "own")
    )
    domains = sorted({kind["domain"] for kind in own.values})
    domain = np.array([domains.index(kind["domain"]) for kind in own.values])[own.codes]
    golds = Coded(own.codes, [kind["answer_to_original"] for kind in own.values])
    gold = _numbers("gold label", golds, _LABELS)
    column = _numbers("variant", variant, _COLUMN)
    said = _numbers("answer", answer, _LABELS | {None: UNREAD})
    first = grouped(item.codes).first
    epochs, epoch = np.unique(columns.numbers("epoch")[0], return_inverse=True)
    runs = grouped(item.codes.astype(np.int64) * epochs.size + epoch)
    cells = grouped(runs.group.astype(np.int64) * len(VARIANTS) + column)
    again = np.flatnonzero(cells.first[cells.group] != np.arange(said.size))
    if again.size:
        twice = outcomes[int(again[0])]
        raise ValueError(
            f"item {twice.item!r}: variant {twice.variant!r} stands twice in epoch {twice.epoch}"
        )
    answers = np.full((runs.size, len(VARIANTS)), MISSING, dtype=np.int8)
    answers[runs.group, column] = said
    return Table(
        domain=domain[first].astype(np.int32),
        gold=gold[first],
        cluster=grouped(cluster.codes[first]).group,
        question=item.codes[runs.first],
        answers=answers,
        domains=tuple(domains),
    )


def _numbers(what: str, column: Coded, known: Mapping[Any, int]) -> Answers:
    """The column's values by their numbers."""
    unknown = [value for value in column.values if value not in known]
    if unknown:
        expected = ", ".join(map(str, known))
        raise ValueError(f"{what} {unknown[0]!r} is unknown: expected {expected}")
    return np.array([known[value] for value in column.values], dtype=np.int8)[column.codes]


def agreement(table: Table, variants: Sequence[str], protocol: PaperProtocol) -> Values:
    """Whether the answers under all `variants` agree with the original's of the same epoch.

    So PRC, NRC, ARC and SC are made (paper, section 2.3, equations 1 and 3).

    To agree is to be the same answer, under a negative reformulation the opposite one. An epoch
    counts only where all of its answers are there and one was read. An unread answer agrees
    with nothing; under the published protocol it is a third answer like the other two.
    """
    original, *others = every = [table.answer(variant) for variant in ("original", *variants)]
    asked, read = np.array(every) != MISSING, np.array(every) != UNREAD
    same = [
        (answer != original) if variant in NEGATIVE else (answer == original)
        for variant, answer in zip(variants, others, strict=True)
    ]
    agrees, known = np.all(same, axis=0), asked.all(axis=0)
    if protocol == "corrected":
        return table.values(agrees & read.all(axis=0), known & read.any(axis=0))
    return table.values(agrees, known)
