"""The outcomes of a probed task as columns: a row for each item in each epoch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bias_tasks.family import Outcome
from bias_tasks.probing.items import PLAIN, PROBES_TRIED, is_repeat
from bias_tasks.statistics.columns import Mask, codes, means
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample


@dataclass(frozen=True, slots=True)
class Table:
    """k items in r rows, under v variants."""

    variants: tuple[str, ...]
    """Plain first."""
    cluster: Ints
    """Of each item."""
    item: Ints
    """Of each row."""
    score: Floats
    """r x v, in [0, 1]; nan where there is no score."""
    said: Ints
    """r x v: the answer's number among all answers to the item; -1 where none was read."""
    asked: Mask
    """r x v: whether the item was asked so."""
    in_vain: tuple[str, ...] = ()
    """Probes that the run tried and that no item was asked under."""

    def under(self, variants: Sequence[str]) -> Floats:
        """The scores under some variants, a column each."""
        return self.score[:, [self.variants.index(variant) for variant in variants]]

    @property
    def probes(self) -> tuple[str, ...]:
        """The variants that are probes."""
        return tuple(each for each in self.variants if each != PLAIN and not is_repeat(each))

    @property
    def repeats(self) -> tuple[str, ...]:
        """The variants that ask the plain question again."""
        return tuple(each for each in self.variants if is_repeat(each))

    def of(self, variant: str) -> Floats:
        """The scores under a variant, one a row."""
        column: Floats = self.score[:, self.variants.index(variant)]
        return column

    def answers(self, variant: str) -> Ints:
        """The answers under a variant, one a row."""
        column: Ints = self.said[:, self.variants.index(variant)]
        return column

    def sample(self, values: Floats, weights: Floats | None = None) -> WeightedSample:
        """One value for each item: the weighted mean over its rows whose value is a number.

        Args:
            values: one a row, nan where there is none.
            weights: one a row, not negative; None for 1.
        """
        known = ~np.isnan(values)
        size = self.cluster.size
        given = np.ones(values.size) if weights is None else weights
        known &= given > 0
        total = np.bincount(self.item[known], (values * given)[known], size)
        weight = np.bincount(self.item[known], given[known], size)
        value = np.divide(total, weight, out=np.zeros(size), where=weight > 0)
        _, counted = means(given, ~np.isnan(values), self.item, size)
        rows = np.bincount(self.item, minlength=size)
        share = np.divide(weight, rows, out=np.zeros(size), where=counted & (rows > 0))
        return WeightedSample(value, self.cluster, np.zeros(size, dtype=np.int64), share)


def table(outcomes: Sequence[Outcome]) -> Table:
    """The table of at least one outcome, in any order.

    Raises:
        ValueError: an item has two answers under one variant in one epoch or stands in two
            clusters, or a score lies outside of [0, 1].
    """
    # Sorted: errors are simulated way by way, and must be the same in whatever order answers come.
    variants = (PLAIN, *sorted({outcome.variant for outcome in outcomes} - {PLAIN}))
    column = {variant: place for place, variant in enumerate(variants)}
    rows = {key: row for row, key in enumerate(dict.fromkeys((o.item, o.epoch) for o in outcomes))}
    score = np.full((len(rows), len(variants)), math.nan)
    said = np.full((len(rows), len(variants)), -1)
    asked = np.zeros((len(rows), len(variants)), dtype=bool)
    known: dict[tuple[str, str], int] = {}
    for outcome in outcomes:
        place = rows[outcome.item, outcome.epoch], column[outcome.variant]
        if asked[place]:
            raise ValueError(
                f"{outcome.item} has two answers under {outcome.variant} in epoch {outcome.epoch}"
            )
        asked[place] = True
        if outcome.score is not None:
            if not 0 <= outcome.score <= 1:
                raise ValueError(f"{outcome.item}: the score {outcome.score} is not in [0, 1]")
            score[place] = outcome.score
        if outcome.answer is not None:
            said[place] = known.setdefault((outcome.item, outcome.answer), len(known))
    return Table(
        variants=variants,
        cluster=codes(_clusters(outcomes)),
        item=codes(item for item, _ in rows),
        score=score,
        said=said,
        asked=asked,
        in_vain=tuple(sorted(_tried(outcomes) - set(variants))),
    )


def _tried(outcomes: Sequence[Outcome]) -> set[str]:
    return {probe for outcome in outcomes for probe in outcome.own.get(PROBES_TRIED, ())}


def row_means(values: Floats) -> tuple[Floats, Floats]:
    """The mean of each row over its numbers, nan where it has none, and how many these are."""
    known = ~np.isnan(values)
    count = known.sum(axis=1).astype(float)
    total = np.where(known, values, 0.0).sum(axis=1)
    return np.divide(total, count, out=np.full(count.size, np.nan), where=count > 0), count


def _clusters(outcomes: Sequence[Outcome]) -> list[tuple[str, str]]:
    """The cluster of each item, in the order of the items; one without a name stands alone."""
    found: dict[str, str] = {}
    for outcome in outcomes:
        if found.setdefault(outcome.item, outcome.cluster) != outcome.cluster:
            raise ValueError(
                f"{outcome.item} stands in the clusters {found[outcome.item]!r} and "
                f"{outcome.cluster!r}"
            )
    return [(name, "" if name else item) for item, name in found.items()]
