"""How many flaws a judge finds, against how many there are (section 5.4, figure 5)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

from bias_tasks.complex_eval.metrics.by_chance import chance_shares
from bias_tasks.complex_eval.metrics.counts import Counts, counts
from bias_tasks.complex_eval.metrics.outcome import IssueCount
from bias_tasks.complex_eval.metrics.plateau import fit_plateau
from bias_tasks.statistics.columns import Mask
from bias_tasks.statistics.covariance import ratio_covariance
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import NOTHING, rate
from bias_tasks.statistics.level import QUANTILE

DRAWS = 1000
SEED = 20250903
_FITTED = ("slope", "breakpoint", "ceiling")


def attention_scorecard(outcomes: Sequence[IssueCount]) -> dict[str, Estimate]:
    """Every figure of found against planted flaws with its 95 % interval, by its name.

    What each figure is stands in `figures.yaml`. A line with a plateau, floor + slope *
    min(k, breakpoint), is fitted to the mean numbers of flaws found where k are planted. A
    breakpoint at the largest k planted means that the curve never left its line, and the ceiling is
    then no limit.

    No outcomes give no figures. A figure without answers is nan with n = 0 (`floor` without k = 0,
    the fitted ones with fewer than three k, `breakpoint` without a slope, `recall` where it is
    not known what was located), one where some k rests on a single cluster has nan bounds.

    Args:
        outcomes: at most one for each item, mode, number of planted flaws and epoch, in any order.
            A response's value is the mean over its epochs that were read.

    Raises:
        ValueError: a response is judged twice, an item is in two clusters, a mode is unknown, or a
            number is impossible.
    """
    return {
        f"{name}/{mode}": figure
        for mode, run in counts(outcomes).items()
        for name, figure in figures_of(run).items()
    }


def figures_of(run: Counts) -> dict[str, Estimate]:
    """Every figure of one mode, by its name without the mode."""
    return _found(run) | _shares(run)


def _shares(run: Counts) -> dict[str, Estimate]:
    """What was located of the planted and of the reported, by chance too, and what was unread."""
    return {
        "recall": _ratio(run, run.located, run.planted.astype(float)),
        "precision": _ratio(run, run.located, run.found),
        **chance_shares(run),
        "unread": _ratio(run, run.unread, np.ones_like(run.unread)),
    }


def _ratio(run: Counts, top: Floats, bottom: Floats) -> Estimate:
    """The sum of one number by that of another, over the responses where the first is known."""
    known = ~np.isnan(top)
    top, bottom = np.where(known, top, 0.0), np.where(known, bottom, 0.0)
    values = np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)
    return rate(WeightedSample(values, run.cluster, run.planted, bottom))


def _found(run: Counts) -> dict[str, Estimate]:
    """The curve, and the line with a plateau that is fitted to it."""
    read = ~np.isnan(run.found)
    planted, column = np.unique(run.planted[read], return_inverse=True)
    if not planted.size:
        return dict.fromkeys(("floor", *_FITTED), NOTHING)
    found, there, cluster = _grid(run, read, column)
    answers = there.sum(axis=0)
    curve: Floats = found.sum(axis=0) / answers
    covariance, freedom = _errors(found, there, cluster)
    low, high = _mean_limits(curve, np.diagonal(covariance), answers, freedom)
    figures = {
        f"found@k={k}": Estimate(
            float(curve[at]), float(low[at]), float(high[at]), int(answers[at])
        )
        for at, k in enumerate(planted)
    }
    figures["floor"] = figures.get("found@k=0", NOTHING)
    return figures | _fitted(curve, covariance, freedom, planted.astype(float), answers)


def _grid(run: Counts, read: Mask, column: Ints) -> tuple[Floats, Floats, Ints]:
    """Items by numbers of planted flaws: what was found, and 1 where that is known; clusters."""
    items, row = np.unique(run.item[read], return_inverse=True)
    found, there = np.zeros((2, items.size, int(column.max()) + 1))
    found[row, column] = run.found[read]
    there[row, column] = 1.0
    cluster = np.zeros(items.size, dtype=np.int64)
    cluster[row] = run.cluster[read]
    return found, there, np.unique(cluster, return_inverse=True)[1]


def _errors(found: Floats, there: Floats, cluster: Ints) -> tuple[Floats, int]:
    """The covariance of the means, and its degrees of freedom; nan where a mean has no spread."""
    clusters = np.array([np.unique(cluster[column > 0]).size for column in there.T])
    freedom = int(clusters.min()) - 1
    if not freedom:
        return np.full((clusters.size, clusters.size), math.nan), freedom
    covariance = ratio_covariance(found, there, cluster)
    # One count off by half an issue, so that no mean passes for known exactly.
    return covariance + np.diag(0.5 / there.sum(axis=0) ** 2), freedom


def _mean_limits(
    means: Floats, variances: Floats, answers: Floats, freedom: int
) -> tuple[Floats, Floats]:
    """Score limits of mean counts, whose variance grows with the mean as a Poisson count's does.

    They stay above 0; the half issue is in the mean as it is in its variance (`_errors`).
    """
    spread = stdtrit(freedom, QUANTILE) ** 2 * variances / (means + 0.5 / answers)
    arms = np.sqrt(spread * means + spread**2 / 4)
    return np.maximum(means + spread / 2 - arms, 0.0), means + spread / 2 + arms


def _fitted(
    curve: Floats, covariance: Floats, freedom: int, planted: Floats, answers: Floats
) -> dict[str, Estimate]:
    """Slope, breakpoint and ceiling; bounds from fits to curves that may as well have been seen."""
    if planted.size < 3:
        return dict.fromkeys(_FITTED, NOTHING)
    n = int(answers.min())
    [seen] = _described(fit_plateau(curve[None], planted, answers))
    if math.isnan(covariance[0, 0]):
        limits = np.full((2, len(_FITTED)), math.nan)
    else:
        rng = np.random.default_rng(SEED)
        errors = rng.multivariate_normal(np.zeros(curve.size), covariance, DRAWS, method="eigh")
        errors *= np.sqrt(freedom / rng.chisquare(freedom, (DRAWS, 1)))
        drawn = _described(fit_plateau(curve + errors, planted, answers))
        limits = np.quantile(drawn, [1 - QUANTILE, QUANTILE], axis=0)
    figures = {
        name: Estimate(
            float(value), min(float(low), float(value)), max(float(high), float(value)), n
        )
        for name, value, low, high in zip(_FITTED, seen, *limits, strict=True)
    }
    if abs(figures["slope"].value) < _FLAT:
        figures["breakpoint"] = NOTHING
    return figures


def _described(fits: Floats) -> Floats:
    """Slope, breakpoint and ceiling of fitted lines."""
    intercept, slope, knot = fits.T
    # A plateau is a mean of counts, below which no line leads.
    return np.column_stack([slope, knot, np.maximum(intercept + slope * knot, 0.0)])


_FLAT = 1e-6
"""A line with no more slope leaves nothing: it is its own plateau."""
