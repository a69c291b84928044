"""The outcomes of a run as arrays, one table per variant."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
    """The outcomes of one variant; every field is an array with one row per item.

    Shares are between 0 and 1: they are 0 or 1 with one epoch, and means over several epochs.
    """

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
    """Number of answers: one per epoch."""

    def take(self, rows: Ints | Mask) -> "SettingTable":
        """Return the table of these rows."""
        if rows.dtype == np.bool_ and rows.all():
            return self
        return SettingTable(*(getattr(self, name)[rows] for name in self.__slots__))

    def has_gold(self, *labels: str) -> Mask:
        """Return a mask of the rows whose gold label is one of these."""
        return np.array([label in labels for label in GOLD])[self.stratum]

    def share(self, label: str) -> Floats:
        """Return the share of a label among each row's answers."""
        return self.shares[:, OUTPUTS.index(label)]


def build_tables(outcomes: Sequence[Outcome[SettingExtra]]) -> dict[str, SettingTable]:
    """Build one table per variant of a run, in the order of first appearance.

    A table has one row per item. Shares are means over the item's answers in all epochs; whatever
    these have in common is taken from the first answer.

    Args:
        outcomes: The outcomes of a run.

    Raises:
        ValueError: A label does not exist.
    """
    columns = OutcomeColumns(outcomes)
    item, cluster, variant, extra = (
        columns.coded(name) for name in ("item", "cluster", "variant", "extra")
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
    origin = np.where(known, origins, -1)[extra.codes]
    tables = {}
    for code, name in enumerate(variant.values):
        rows = np.flatnonzero(variant.codes == code)
        groups = group_rows(item.codes[rows])
        first = rows[groups.first]
        counts = np.zeros((groups.size, len(OUTPUTS)))
        np.add.at(counts, (groups.group, label[rows]), 1)
        tables[name] = SettingTable(
            item=item.codes[first],
            cluster=cluster.codes[first],
            stratum=gold[first],
            correct=groups.means(correct[rows]),
            shares=counts / counts.sum(axis=1, keepdims=True),
            graded=groups.means(graded[rows]),
            suggested=suggested[first],
            at_suggestion=groups.means(at_suggestion[rows]),
            suggestion_is_gold=suggestion_is_gold[first],
            origin=origin[first],
            n_answers=counts.sum(axis=1).astype(np.int32),
        )
    return tables


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
