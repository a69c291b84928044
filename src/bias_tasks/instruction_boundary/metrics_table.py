"""The outcomes of a run as arrays, and those of one variant with one row per item."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.instruction_boundary.items import CHOICE_LABELS, INVALID, JUDGING_LABELS, UNPARSED
from bias_tasks.instruction_boundary.scoring_data import SettingExtra
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.outcomes import (
    Array,
    Mask,
    OutcomeTable,
    build_outcome_table,
    code_values,
)

GOLD = (*JUDGING_LABELS, *CHOICE_LABELS)
"""Strata: the gold labels of both forms."""
OUTPUTS = (*GOLD, INVALID, UNPARSED)
"""Labels of answers."""
_CODES: dict[str | None, int] = {None: -1} | {label: code for code, label in enumerate(OUTPUTS)}


@dataclass(frozen=True, slots=True)
class SettingTable:
    """The outcomes of one variant; every array has one row per item.

    Shares are 0 or 1 for a single answer, and means over several answers.
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
    """Share of answers that equal the suggestion of a variant; nan without a suggestion."""
    suggestion_is_gold: Floats
    """1 if the suggested answer is correct, else 0; nan without a suggestion."""
    origin: Ints
    """Code of the data set that contains the item; -1 if unknown."""
    n_answers: Ints
    """Number of answers: one per epoch of the item."""
    intervals: bool
    """Whether intervals are computed. The last field."""

    def take(self, rows: Mask) -> "SettingTable":
        """Return the table of these rows."""
        arrays = {name: getattr(self, name)[rows] for name in self.__slots__[:-1]}
        return replace(self, **arrays)

    def has_gold(self, *labels: str) -> Mask:
        """Return a mask of the rows whose gold label is one of these."""
        return np.array([label in labels for label in GOLD])[self.stratum]

    def share(self, label: str) -> Floats:
        """Return the share of a label among each row's answers."""
        shares: Floats = self.shares[:, OUTPUTS.index(label)]
        return shares

    def sample(self, values: Floats, weights: Floats | None = None) -> WeightedSample:
        """Return one value per row, with the rows' clusters and strata.

        Args:
            values: Their values.
            weights: Their weights; None for equal weights.
        """
        if weights is None:
            weights = np.ones(values.size)
        return WeightedSample(values, self.cluster, self.stratum, weights, self.intervals)


@dataclass(frozen=True, slots=True)
class RunTable:
    """The outcomes of a run, with a row per epoch of an item and a column per variant."""

    outcomes: OutcomeTable
    label: Ints
    """Index in `OUTPUTS` of each answer's label; -1 without an answer."""
    answer: Ints
    """Code of the answer; -1 if it is unparsed."""
    suggested_answer: Ints
    """Code of the answer that is suggested, as in `answer`; -1 without a suggestion."""
    at_suggestion: Floats
    """Whether an answer of a log of 0.17 equals the suggested one; nan in other logs."""
    means: Mapping[str, Array]
    """Values of each answer that are averaged over epochs, by the field of `SettingTable`."""
    firsts: Mapping[str, Array]
    """Values that the answers of an item have in common, likewise."""

    def has_pair(self, variant: str, other: str, *, parsed: bool) -> Mask:
        """Return the rows with an answer under both variants.

        Args:
            variant: A variant.
            other: Another one.
            parsed: Whether both answers must be parsed.
        """
        columns = [self.outcomes.columns.index(name) for name in (variant, other)]
        is_usable = self.outcomes.has_outcome[:, columns]
        if parsed:
            is_usable = is_usable & (self.label[:, columns] != OUTPUTS.index(UNPARSED))
        has_pair: Mask = np.logical_and.reduce(is_usable, axis=1)
        return has_pair

    def average_epochs(
        self, variant: str, rows: Mask | None = None, suggesting: str | None = None
    ) -> SettingTable:
        """Return the table of a variant: the means of each item over its answers.

        Whatever the answers of an item have in common is taken from the first one.

        Args:
            variant: The variant.
            rows: The rows that count; None for all with an answer.
            suggesting: The variant to whose suggestions answers are compared; None for `variant`.
        """
        column = self.outcomes.columns.index(variant)
        kept = np.flatnonzero(self.outcomes.has_outcome[:, column] if rows is None else rows)
        item, first, group = np.unique(
            self.outcomes.item[kept], return_index=True, return_inverse=True
        )
        n_answers = np.bincount(group, minlength=item.size)

        def average(values: Array) -> Array:
            return np.bincount(group, values[kept], item.size) / n_answers

        toward = column if suggesting is None else self.outcomes.columns.index(suggesting)
        suggestions = self.suggested_answer[:, toward]
        equals = np.where(
            suggestions == -1, self.at_suggestion[:, column], self.answer[:, column] == suggestions
        )
        labels = np.eye(len(OUTPUTS))[self.label[:, column]]
        return SettingTable(
            item=item,
            cluster=self.outcomes.clusters[item],
            shares=np.column_stack([average(label) for label in labels.T]),
            at_suggestion=average(equals),
            **{name: average(grid[:, column]) for name, grid in self.means.items()},
            **{name: grid[kept[first], column] for name, grid in self.firsts.items()},
            n_answers=n_answers,
            intervals=self.outcomes.intervals,
        )


def build_table(outcomes: Sequence[Outcome[SettingExtra]], intervals: bool) -> RunTable:
    """Return the table of a run, with a column per variant in the order of first appearance.

    Args:
        outcomes: The outcomes of a run.
        intervals: Whether intervals are computed.

    Raises:
        ValueError: A label does not exist, or an item has two answers under one variant in one
            epoch, or two clusters.
    """
    table = build_outcome_table(outcomes, intervals=intervals)

    def codes(name: str) -> Ints:
        return table.grid(lambda outcome: _code_label(getattr(outcome.extra, name)), -1)

    def numbers(name: str) -> Array:
        return table.grid(lambda outcome: getattr(outcome.extra, name))

    answers, suggested_answers = _code_answers(outcomes)
    origins = code_values([None, *(outcome.extra.origin for outcome in outcomes)])[1:] - 1
    return RunTable(
        outcomes=table,
        label=codes("label"),
        answer=answers[table.cell],
        suggested_answer=suggested_answers[table.cell],
        at_suggestion=numbers("at_suggestion"),
        means={
            "correct": table.grid(lambda outcome: outcome.score or 0.0),
            "graded": numbers("graded"),
        },
        firsts={
            "stratum": codes("gold_label"),
            "suggested": codes("suggested"),
            "suggestion_is_gold": numbers("suggestion_is_gold"),
            "origin": np.append(origins, -1)[table.cell],
        },
    )


def _code_label(label: str | None) -> int:
    """Return the index of a label in `OUTPUTS`; -1 for None.

    Raises:
        ValueError: The label does not exist.
    """
    if label not in _CODES:
        raise ValueError(f"unknown label {label!r}: expected one of {', '.join(OUTPUTS)}")
    return _CODES[label]


def _code_answers(outcomes: Sequence[Outcome[SettingExtra]]) -> tuple[Ints, Ints]:
    """Return the codes of the answers and of the suggested answers, each with -1 at the end."""
    given = [outcome.answer for outcome in outcomes]
    suggested = [outcome.extra.suggested_answer for outcome in outcomes]
    codes = code_values([None, *given, *suggested])[1:] - 1
    return np.append(codes[: len(given)], -1), np.append(codes[len(given) :], -1)
