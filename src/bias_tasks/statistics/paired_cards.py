"""Differences between two scorecards over the same items, whatever their figures are.

Each figure has its own 95 % limits already, made for what it is. MOVER makes limits of the
difference of them, given how the errors of both correlate (`delete_groups`), so that pairs count
without a formula for each figure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from scipy.special import ndtri, stdtrit

from bias_tasks.statistics.delete_groups import UNKNOWN, Correlation, Groups, correlation
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate, standard_error
from bias_tasks.statistics.level import QUANTILE, Z
from bias_tasks.statistics.mover import Limits, mover_of_alike, p_of

_POWER = Z + float(ndtri(0.8))
"""Standard errors that a difference must have to be shown in 80 % of cases: 2.80."""


@dataclass(frozen=True, slots=True)
class Replicated:
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
        return _POWER * standard_error(self.difference)


def paired_figures(
    first: Replicated, second: Replicated, groups: Groups
) -> dict[str, PairedFigure]:
    """The figures that both scorecards have."""
    return {
        name: _paired(one, second.card[name], _related(name, first, second, groups))
        for name, one in first.card.items()
        if name in second.card
    }


def same_figures(card: Mapping[str, Estimate]) -> dict[str, PairedFigure]:
    """What there is to say of two runs whose answers are the same: no figure differs."""
    return {
        name: PairedFigure(figure, figure, Estimate(0.0, 0.0, 0.0, figure.n, 1.0), 1.0)
        if math.isfinite(figure.value)
        else _paired(figure, figure, UNKNOWN)
        for name, figure in card.items()
    }


def _related(name: str, first: Replicated, second: Replicated, groups: Groups) -> Correlation:
    if name not in first.values or name not in second.values:
        return UNKNOWN
    found = correlation(first.values[name], second.values[name], groups)
    # As if two of the n items had been answered independently: a few that happen to be answered
    # alike don't show that all would be.
    n = min(first.card[name].n, second.card[name].n)
    return Correlation(found.value * max(1 - 2 / n, 0.0) if n else 0.0, found.df)


def _paired(first: Estimate, second: Estimate, related: Correlation) -> PairedFigure:
    value, n = second.value - first.value, min(first.n, second.n)
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
    """A figure's limits about a value between them: what is seen may lie outside, where the limits
    are those of a truth that noise makes look larger."""
    value = min(max(figure.value, figure.ci_low), figure.ci_high)
    return figure.ci_low, value, figure.ci_high
