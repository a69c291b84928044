"""The outcomes of a run as columns, one table a variant."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bias_tasks.contract.family import JUDGED, Outcome
from bias_tasks.instruction_boundary.items import CHOICE_LABELS, INVALID, JUDGING_LABELS, UNREAD
from bias_tasks.statistics.effective_size import Floats, Ints
from bias_tasks.statistics.outcomes import OutcomeColumns, grouped

GOLD = (*JUDGING_LABELS, *CHOICE_LABELS)
"""Strata: the gold labels of both forms."""
OUTPUTS = (*GOLD, INVALID, UNREAD)


@dataclass(frozen=True, slots=True)
class Table:
    """The outcomes of one variant; every field is an array with one row an item.

    Shares are between 0 and 1: over one epoch they are 0 or 1, over several their mean.
    """

    item: Ints
    cluster: Ints
    stratum: Ints
    """Position in GOLD."""
    ok: Floats
    """Share of answers that equal gold (choice form: the same set of options)."""
    shares: Floats
    """Of each of OUTPUTS (columns), the share of the item's answers that had that label."""
    judged: Floats
    """Share of answers that a judge model read."""
    suggested: Ints
    """Position in OUTPUTS of what was, or for the vanilla twin would have been, suggested; -1
    where nothing was."""
    at_suggestion: Floats
    """Share of answers that are the suggested one; nan where nothing was suggested."""
    suggestion_is_gold: Floats
    """1, 0, or nan where nothing was suggested."""
    origin: Ints
    """Number of the data set that the item was taken from; -1 where that is unknown."""
    answers: Ints
    """How often the item was asked: once an epoch."""

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> "Table":
        """The table of these rows."""
        if rows.dtype == np.bool_ and rows.all():
            return self
        return Table(*(getattr(self, name)[rows] for name in self.__slots__))

    def of(self, *labels: str) -> NDArray[np.bool_]:
        """Which rows' gold label is one of these."""
        return np.array([label in labels for label in GOLD])[self.stratum]

    def share(self, label: str) -> Floats:
        """The share of an output label among each row's answers."""
        share: Floats = self.shares[:, OUTPUTS.index(label)]
        return share


def tables(outcomes: Sequence[Outcome]) -> dict[str, Table]:
    """One table for every variant of a run, in the order of first appearance.

    A row for each item and variant: shares are the means over its answers in all epochs; what these
    have in common is taken from the first. A ValueError where a label is none that there is."""
    columns = OutcomeColumns(outcomes)
    item, cluster, variant, own = (
        columns.coded(name) for name in ("item", "cluster", "variant", "own")
    )
    ok, _ = columns.numbers("score")
    # What a table takes of `own` is worked out once for each different one.
    kinds = own.values
    stratum, label = (_places([kind[name] for kind in kinds]) for name in ("gold_label", "label"))
    suggested = _places([kind.get("suggested") for kind in kinds], (*OUTPUTS, None))
    suggested[suggested == len(OUTPUTS)] = -1
    judged, at_suggestion, is_gold = (
        np.array([kind.get(name, math.nan) for kind in kinds], dtype=float)
        for name in (JUDGED, "at_suggestion", "suggestion_is_gold")
    )
    numbers: dict[str | None, int] = {None: -1}
    origin = np.array(
        [numbers.setdefault(kind.get("origin"), len(numbers) - 1) for kind in kinds], dtype=np.int32
    )
    found = {}
    for code, name in enumerate(variant.values):
        rows = np.flatnonzero(variant.codes == code).astype(np.int32)
        groups = grouped(item.codes[rows])
        kind = own.codes[rows]
        first = kind[groups.first]
        counts = np.zeros((groups.size, len(OUTPUTS)))
        np.add.at(counts, (groups.group, label[kind]), 1)
        found[name] = Table(
            item=item.codes[rows[groups.first]],
            cluster=cluster.codes[rows[groups.first]],
            stratum=stratum[first],
            ok=groups.means(ok[rows]),
            shares=counts / counts.sum(axis=1, keepdims=True),
            judged=groups.means(judged[kind]),
            suggested=suggested[first],
            at_suggestion=groups.means(at_suggestion[kind]),
            suggestion_is_gold=is_gold[first],
            origin=origin[first],
            answers=counts.sum(axis=1).astype(np.int32),
        )
    return found


def _places(labels: Sequence[str | None], known: Sequence[str | None] = OUTPUTS) -> Ints:
    """The position of each label among those that there are."""
    unknown = [label for label in labels if label not in known]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is none of {', '.join(OUTPUTS)}")
    return np.array([known.index(label) for label in labels], dtype=np.int32)
