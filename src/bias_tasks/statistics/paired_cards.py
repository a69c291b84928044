"""Differences between two scorecards over the same items, whatever their figures are.

MOVER makes limits of a difference from those that both figures have, given how their errors
correlate, which figures of groups of clusters show: no figure needs a formula of its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri, stdtrit

from bias_tasks.statistics.effective_size import Floats, Ints
from bias_tasks.statistics.estimate import QUANTILE, Estimate, Z, standard_error
from bias_tasks.statistics.intervals import without_limits
from bias_tasks.statistics.mover import Limits, mover_of_alike, p_of

POWER = Z + float(ndtri(0.8))
"""Standard errors that a difference must have to be shown in 80 % of cases: 2.80."""


class Replicated(NamedTuple):
    """A run's scorecard, and each figure's values group by group."""

    card: Mapping[str, Estimate]
    values: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class PairedFigure:
    """One figure of two runs."""

    first: Estimate
    second: Estimate
    difference: Estimate
    """Second less first; its p-value is not adjusted."""
    correlation: float

    @property
    def smallest(self) -> float:
        """The difference that would be shown in 80 % of cases, at the standard error seen here."""
        return POWER * standard_error(self.difference)


def paired_figures(
    first: Replicated, second: Replicated, groups: Groups
) -> dict[str, PairedFigure]:
    """The figures that both scorecards have."""
    found = {}
    for name in (name for name in first.card if name in second.card):
        related = UNKNOWN
        if name in first.values and name in second.values:
            related = correlation(first.values[name], second.values[name], groups)
        found[name] = _paired(first.card[name], second.card[name], related)
    return found


def _paired(first: Estimate, second: Estimate, related: Correlation) -> PairedFigure:
    value, n = second.value - first.value, min(first.n, second.n)
    # As if two of the n items had been answered independently: a few that happen to be answered
    # alike don't show that all would be.
    related = Correlation(related.value * max(1 - 2 / n, 0.0) if n else 0.0, related.df)
    limits, others = _limits(second), _limits(first)
    low, high = mover_of_alike(limits, others, related.value)
    if math.isnan(low) or math.isnan(high):
        nothing = Estimate(value, math.nan, math.nan, n, math.nan)
        return PairedFigure(first, second, nothing, related.value)
    centre = limits[1] - others[1]
    wider = 1.0 if math.isinf(related.df) else float(stdtrit(related.df, QUANTILE)) / Z
    low, high = centre - wider * (centre - low), centre + wider * (high - centre)
    difference = Estimate(value, min(low, value), max(high, value), n, p_of(centre, low, high))
    return PairedFigure(first, second, difference, related.value)


def _limits(figure: Estimate) -> Limits:
    """A figure's lower limit, its value held between the limits, and its upper limit. The value may
    lie above both where noise makes the true size look larger."""
    value = min(max(figure.value, figure.ci_low), figure.ci_high)
    return figure.ci_low, value, figure.ci_high


_MOST_GROUPS, _FEWEST_GROUPS, _GROUPS_ALONE = 40, 20, 25
_MUCH = 8000
"""Answers from which groups are looked at alone, where each has `_ENOUGH` clusters."""
_ENOUGH = 30
_FEWEST = 8
"""Degrees of freedom below which a correlation is not trusted."""


@dataclass(frozen=True, slots=True)
class Groups:
    """The clusters of a run, dealt into `count` groups; `of` has the group of each."""

    of: Mapping[str, int]
    count: int
    alone: bool
    """Whether figures are of each group by itself, instead of all the others."""
    kinds: Floats
    """How many answers of each kind a group holds, `count` by the number of kinds; what differs in
    it is by design, no error."""


def deal(clusters: Sequence[str], kinds: Sequence[str]) -> Groups:
    """Groups that have the same number of clusters, and of each kind, as nearly as can be.

    Clusters and kinds are those of each answer. Kinds are what the design fixes the numbers of,
    such as the right answer; where there are many, they are left aside.
    """
    own: dict[str, Counter[str]] = {}
    for cluster, kind in zip(clusters, kinds, strict=True):
        own.setdefault(cluster, Counter())[kind] += 1
    shuffled = np.random.default_rng(0).permutation(len(own))
    names = list(own)
    ordered = sorted((names[place] for place in shuffled), key=lambda name: sorted(own[name]))
    alone = len(clusters) > _MUCH and len(own) >= _ENOUGH * _GROUPS_ALONE
    fit = min(max(20 * _MUCH // max(len(clusters), 1), _FEWEST_GROUPS), _MOST_GROUPS)
    count = min(_GROUPS_ALONE if alone else fit, len(own))
    of = {name: place % count for place, name in enumerate(ordered)}
    known = sorted(set(kinds))
    if len(known) > count // 4:
        return Groups(of, count, alone, np.zeros((count, 0)))
    held = np.zeros((count, len(known)))
    for cluster, kind in zip(clusters, kinds, strict=True):
        held[of[cluster], known.index(kind)] += 1
    return Groups(of, count, alone, held)


def replicates(
    card_of: Callable[[Ints], Mapping[str, Estimate]], clusters: Sequence[str], groups: Groups
) -> dict[str, Floats]:
    """Each figure's values group by group, nan where there is none; `card_of` gives the scorecard
    of answers by their places in `clusters`."""
    group = np.array([groups.of[cluster] for cluster in clusters])
    found: dict[str, Floats] = {}
    for number in range(groups.count):
        chosen = np.flatnonzero((group == number) == groups.alone)
        if not chosen.size:
            continue
        with without_limits():
            card = card_of(chosen)
        for name, figure in card.items():
            found.setdefault(name, np.full(groups.count, math.nan))[number] = figure.value
    return found


class Correlation(NamedTuple):
    """How the errors of two figures correlate, from -1 to 1 (0 where it could not be told), and the
    degrees of freedom of the difference's variance, infinite where nothing was estimated."""

    value: float
    df: float


UNKNOWN = Correlation(0.0, math.inf)
"""Items that are hard for both runs make it positive, so that 0 is on the safe side."""


def correlation(first: Floats, second: Floats, groups: Groups) -> Correlation:
    """The correlation of two figures' errors, from their replicates."""
    known = np.isfinite(first) & np.isfinite(second)
    design = np.column_stack([np.ones(int(known.sum())), groups.kinds[known]])
    rank = int(np.linalg.matrix_rank(design)) if known.any() else 0
    free = int(known.sum()) - rank
    if free < _FEWEST:
        return UNKNOWN
    values = np.column_stack([first[known], second[known]])
    rest = values - design @ np.linalg.lstsq(design, values, rcond=None)[0]
    spread = np.sqrt((rest**2).sum(axis=0))
    if (spread <= 1e-9 * np.maximum(np.abs(values).max(axis=0), 1e-9)).any():
        return UNKNOWN
    related = float(np.clip((rest[:, 0] @ rest[:, 1]) / (spread[0] * spread[1]), -1.0, 1.0))
    # The standard error of r is (1 - r^2) / sqrt(free), and the variance goes with 1 - r.
    return Correlation(related, 2 * free / (1 + related) ** 2 if related > -1 else math.inf)
