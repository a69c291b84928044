"""The outcomes of a run as arrays, one table per variant."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.instruction_boundary.items import CHOICE_LABELS, INVALID, JUDGING_LABELS, UNPARSED
from bias_tasks.instruction_boundary.scoring_data import SettingExtra
from bias_tasks.statistics.effective_size import Floats, Ints
from bias_tasks.statistics.outcomes import Mask, OutcomeColumns, group_rows, index_values

GOLD = (*JUDGING_LABELS, *CHOICE_LABELS)
"""Strata: the gold labels of both forms."""
OUTPUTS = (*GOLD, INVALID, UNPARSED)
"""Labels of answers."""


@dataclass(frozen=True, slots=True)
class SettingTable:
    """The outcomes of one variant; every field is an array with one row per answer or per item.

    Shares are 0 or 1 for a single answer, and means over the answers of an item.
    """

    answer: Ints
    """Code of the item and the epoch, the same in all tables of a run."""
    item: Ints
    cluster: Ints
    stratum: Ints
    """Index in `GOLD`."""
    correct: Floats
    """Share of answers that equal gold (choice form: the same set of options)."""
    shares: Floats
    """One column per label of `OUTPUTS`: the share of the item's answers with that label."""
    graded: Floats
    """Share of answers that a grader parsed."""
    suggested: Ints
    """Index in `OUTPUTS` of the suggested label, in the baseline too; -1 without a suggestion."""
    at_suggestion: Floats
    """Share of answers that equal the suggested one; nan without a suggestion."""
    suggestion_is_gold: Floats
    """1 if the suggested answer is correct, else 0; nan without a suggestion."""
    origin: Ints
    """Code of the data set that contains the item; -1 if unknown."""
    n_answers: Ints
    """Number of answers: one per epoch of the item."""

    def take(self, rows: Ints | Mask) -> "SettingTable":
        """Return the table of these rows."""
        if rows.dtype == np.bool_ and rows.all():
            return self
        return SettingTable(*(getattr(self, name)[rows] for name in self.__slots__))

    def average_epochs(self) -> "SettingTable":
        """Return the table with one row per item: the means over its answers.

        Whatever the answers of an item have in common is taken from the first one.
        """
        groups = group_rows(self.item)
        first = self.take(groups.first)
        return replace(
            first,
            correct=groups.means(self.correct),
            shares=np.column_stack([groups.means(column) for column in self.shares.T]),
            graded=groups.means(self.graded),
            at_suggestion=groups.means(self.at_suggestion),
            n_answers=np.bincount(groups.group, minlength=groups.size),
        )

    def has_gold(self, *labels: str) -> Mask:
        """Return a mask of the rows whose gold label is one of these."""
        return np.array([label in labels for label in GOLD])[self.stratum]

    def share(self, label: str) -> Floats:
        """Return the share of a label among each row's answers."""
        return self.shares[:, OUTPUTS.index(label)]


def build_tables(outcomes: Sequence[Outcome[SettingExtra]]) -> dict[str, SettingTable]:
    """Build one table per variant of a run, with one row per answer.

    Args:
        outcomes: The outcomes of a run.

    Returns:
        Tables by variant, in the order of first appearance.

    Raises:
        ValueError: A label does not exist.
    """
    columns = OutcomeColumns(outcomes)
    item, epoch, cluster, variant, extra = (
        columns.coded(name) for name in ("item", "epoch", "cluster", "variant", "extra")
    )
    correct, _ = columns.numbers("score")
    # Each distinct `extra` is converted once.
    gold, label, suggested = (
        _index_labels([getattr(e, name) for e in extra.values])[extra.codes]
        for name in ("gold_label", "label", "suggested")
    )
    graded, at_suggestion, suggestion_is_gold = (
        _to_floats(getattr(e, name) for e in extra.values)[extra.codes]
        for name in ("graded", "at_suggestion", "suggestion_is_gold")
    )
    origins, origin_names = index_values(e.origin for e in extra.values)
    known = np.array([name is not None for name in origin_names])[origins]
    answers = SettingTable(
        answer=item.codes * len(epoch.values) + epoch.codes,
        item=item.codes,
        cluster=cluster.codes,
        stratum=gold,
        correct=correct,
        shares=np.eye(len(OUTPUTS))[label],
        graded=graded,
        suggested=suggested,
        at_suggestion=at_suggestion,
        suggestion_is_gold=suggestion_is_gold,
        origin=np.where(known, origins, -1)[extra.codes],
        n_answers=np.ones_like(item.codes),
    )
    return {name: answers.take(variant.codes == code) for code, name in enumerate(variant.values)}


def _to_floats(values: Iterable[bool | None]) -> Floats:
    """Return 1, 0 or, for None, nan."""
    return np.array([math.nan if value is None else value for value in values], dtype=float)


def _index_labels(labels: Sequence[str | None]) -> Ints:
    """Return the index of each label in `OUTPUTS`; -1 for None.

    Raises:
        ValueError: A label does not exist.
    """
    codes = {None: -1} | {label: code for code, label in enumerate(OUTPUTS)}
    unknown = [label for label in labels if label not in codes]
    if unknown:
        raise ValueError(f"unknown label {unknown[0]!r}: expected one of {', '.join(OUTPUTS)}")
    return np.array([codes[label] for label in labels], dtype=np.int32)
