"""The interval of a run's headline that holds whenever the run stops, and that of a difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bias_tasks.family import Family, Outcome, Plan
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import Kept, keeping_samples, limits_wanted, without_limits
from bias_tasks.statistics.sequences import (
    asymptotic_half_width,
    deleted_groups,
    jackknife_error,
    mean_limits,
)
from bias_tasks.stopping.until import Until, place_of

Card = Mapping[str, Estimate]
CardOf = Callable[[Sequence[Outcome]], Card]
"""The scorecard of outcomes."""
Clusters = list[list[Outcome]]
_NOTHING = Estimate(math.nan, math.nan, math.nan, 0)


def names_planned(family: Family, plan: Plan, options: Mapping[str, Any]) -> list[str]:
    """The names of the figures that a run has."""
    return list(_planned(family, plan, options))


def heaviest_cluster(family: Family, plan: Plan, options: Mapping[str, Any], figure: str) -> float:
    """The most that a cluster weighs in a figure, where all of its answers can be used."""
    found = _planned(family, plan, options)[figure]
    return float(_sums(found)[1].max()) if isinstance(found, Kept) else 0.0


def sequential_card(
    card_of: CardOf, outcomes: Sequence[Outcome], until: Until
) -> dict[str, Estimate]:
    """The scorecard of a run that may have stopped.

    The headline has its confidence sequence for an interval. Intervals of the others are made for
    runs whose number of items follows from nothing seen: they have none, and no p-values.
    """
    if not limits_wanted():
        return dict(card_of(outcomes))
    with without_limits():
        card = card_of(outcomes)
    found = {
        name: replace(figure, ci_low=math.nan, ci_high=math.nan, p=None)
        for name, figure in card.items()
    }
    if until.figure in found:
        found[until.figure] = interval_of(card_of, outcomes, until)
    return found


def interval_of(card_of: CardOf, outcomes: Sequence[Outcome], until: Until) -> Estimate:
    """The headline with its confidence sequence at these outcomes; nan bounds where it has none."""
    if until.asymptotic:
        return _asymptotic(
            lambda kept: _value(card_of, _flat(kept), until), _by_cluster(outcomes, until), until
        )
    with keeping_samples():
        found = card_of(outcomes).get(until.figure, _NOTHING)
    if not isinstance(found, Kept):
        return replace(found, ci_low=math.nan, ci_high=math.nan)
    sums, weights = _sums(found)
    low, high = _limits(sums, weights, until.largest, -1.0 if found.signed else 0.0)
    return _within(Estimate(found.value, low, high, found.n), until.low, until.high)


def difference_of(
    card_of: CardOf, outcomes: Sequence[Outcome], others: Sequence[Outcome], until: Until
) -> Estimate:
    """The headline of a run less a baseline's, over the same questions, with its sequence.

    Its p is 0 where the sequence leaves 0 out, and 1 otherwise: all that a sequence says of it.

    Args:
        card_of: the scorecard of either run.
        outcomes: of the run.
        others: of the baseline; what only one of them has is left out.
        until: when the run stops.
    """
    here, there = _shared(outcomes, others), _shared(others, outcomes)
    if not here:
        return replace(_NOTHING, p=1.0)
    found = _paired_means(card_of, here, there, until) if until.kind == "mean" else None
    if found is None:
        clusters = [
            [*one, *other]
            for one, other in zip(_by_cluster(here, until), _by_cluster(there, until), strict=True)
        ]
        mine = {id(outcome) for outcome in here}
        found = _asymptotic(
            lambda kept: (
                _value(card_of, _chosen(kept, mine, True), until)
                - _value(card_of, _chosen(kept, mine, False), until)
            ),
            clusters,
            until,
        )
    most = until.high - until.low
    found = _within(found, -most, most)
    return replace(found, p=0.0 if found.ci_low > 0 or found.ci_high < 0 else 1.0)


def _paired_means(
    card_of: CardOf, here: Sequence[Outcome], there: Sequence[Outcome], until: Until
) -> Estimate | None:
    """The mean difference by cluster; None where the runs weigh a cluster differently."""
    with keeping_samples():
        one = card_of(_flat(_by_cluster(here, until))).get(until.figure)
        other = card_of(_flat(_by_cluster(there, until))).get(until.figure)
    if not isinstance(one, Kept) or not isinstance(other, Kept):
        return None
    (sums, weights), (before, weighed) = _sums(one, whole=True), _sums(other, whole=True)
    if weights.shape != weighed.shape or not np.allclose(weights, weighed):
        return None
    span = 2.0 if one.signed else 1.0
    used = weights > 0
    low, high = _limits((sums - before)[used] / span, weights[used], until.largest, -1.0)
    return Estimate(one.value - other.value, low * span, high * span, min(one.n, other.n))


def _limits(sums: Floats, weights: Floats, largest: float, low: float) -> tuple[float, float]:
    """Limits of a mean of values from `low`, 0 or -1, to 1."""
    size = 1.0 - low
    scaled = np.clip((sums - low * weights) / size, 0.0, weights)
    least, most = mean_limits(scaled, weights, largest)
    return low + size * float(least), low + size * float(most)


def _asymptotic(
    statistic: Callable[[Clusters], float], clusters: Clusters, until: Until
) -> Estimate:
    """A statistic of clusters with its asymptotic sequence."""
    value, count = statistic(clusters), len(clusters)
    nothing = Estimate(value, math.nan, math.nan, count)
    if not math.isfinite(asymptotic_half_width(1.0, count, until.clusters)):
        return nothing
    groups = deleted_groups(count)
    left = [
        statistic([each for place, each in enumerate(clusters) if place % groups != group])
        for group in range(groups)
    ]
    error = jackknife_error(np.array(left), count, until.high - until.low)
    half = asymptotic_half_width(error, count, until.clusters)
    if not math.isfinite(half + value):
        return nothing
    return _within(Estimate(value, value - half, value + half, count), until.low, until.high)


def _value(card_of: CardOf, outcomes: Sequence[Outcome], until: Until) -> float:
    with without_limits():
        return card_of(outcomes).get(until.figure, _NOTHING).value


def _planned(family: Family, plan: Plan, options: Mapping[str, Any]) -> Card:
    outcomes = [family.outcome_with_all_figures(each.facts) for each in plan.questions]
    with keeping_samples():
        return family.scorecard(outcomes, options)


def _sums(kept: Kept, *, whole: bool = False) -> tuple[Floats, Floats]:
    """Of each cluster the weighted sum of its values, and its weight.

    `whole`: also of clusters that weigh nothing, at the place that the table gives them.
    """
    assert kept.sample is not None
    sample = kept.sample
    sums = np.bincount(sample.clusters, sample.weights * sample.values).astype(float)
    weights = np.bincount(sample.clusters, sample.weights).astype(float)
    used = weights > 0
    return (sums, weights) if whole else (sums[used], weights[used])


def _by_cluster(outcomes: Iterable[Outcome], until: Until) -> Clusters:
    """The outcomes of each cluster, in the order in which clusters are asked."""
    found: dict[str, list[Outcome]] = {}
    for each in outcomes:
        found.setdefault(each.cluster, []).append(each)
    names = sorted(found, key=lambda name: (place_of(name, until.seed), name))
    return [
        sorted(found[name], key=lambda each: (each.item, each.variant, each.epoch))
        for name in names
    ]


def _flat(clusters: Clusters) -> list[Outcome]:
    return [each for cluster in clusters for each in cluster]


def _chosen(clusters: Clusters, mine: set[int], which: bool) -> list[Outcome]:
    return [each for cluster in clusters for each in cluster if (id(each) in mine) == which]


def _shared(outcomes: Sequence[Outcome], others: Sequence[Outcome]) -> list[Outcome]:
    """Those of the outcomes whose question the others have too."""
    known = {(each.item, each.variant) for each in others}
    return [each for each in outcomes if (each.item, each.variant) in known]


def _within(figure: Estimate, low: float, high: float) -> Estimate:
    """The figure with limits that it can have, and that hold its value."""
    return replace(
        figure,
        ci_low=min(max(figure.ci_low, low), figure.value),
        ci_high=max(min(figure.ci_high, high), figure.value),
    )
