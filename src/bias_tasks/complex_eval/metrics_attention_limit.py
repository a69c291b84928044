"""How many flaws a judge finds, by the number of flaws that there are (section 5.4, figure 5)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from bias_tasks.complex_eval.items import MODES
from bias_tasks.complex_eval.outcomes import IssueCount
from bias_tasks.statistics.delta_method import ratio_covariance
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import QUANTILE, Estimate
from bias_tasks.statistics.outcomes import Mask, code_values, index_values, item_means
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, rate, wilson

N_DRAWS = 1000
"""Simulated curves for the intervals of a fit."""
SEED = 20250903
_FITTED = ("slope", "breakpoint", "ceiling")
_MIN_SLOPE = 1e-6
"""A line with a smaller slope has no breakpoint: it is its own plateau."""
_MIN_VARIANCE = 1e-18
"""A smaller variance is the rounding error of zero."""
_SLACK = 1e-9
"""By how much a later fit must be closer, so that rounding decides nothing."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of n responses under one mode; every field has one value per response.

    Counts are means over the parsed epochs; nan if there is none, or if one is unknown.
    """

    item: Ints
    cluster: Ints
    planted: Ints
    """Number of planted flaws."""
    reported: Floats
    located: Floats
    """Number of planted flaws among the reported ones."""
    by_chance: Floats
    """Mean number that as many random reports would locate."""
    unparsed: Floats
    """Share of answers."""


@dataclass(frozen=True, slots=True)
class _Curve:
    """The mean number of reported flaws by number of planted flaws."""

    planted: Floats
    means: Floats
    covariance: Floats
    """Covariance of the means; nan if a mean has no spread."""
    freedom: int
    """Degrees of freedom of the covariance."""
    n: Floats
    """Number of answers behind each mean."""


def compute_attention_metrics(outcomes: Sequence[IssueCount]) -> dict[str, Estimate]:
    """Return every metric of reported against planted flaws with its 95 % interval.

    A line with a plateau, floor + slope * min(k, breakpoint), is fitted to the mean numbers of
    flaws that are reported if k are planted. A breakpoint at the largest k means that the curve
    never leaves its line; the ceiling is then no limit.

    A metric without answers is nan with n = 0: `floor` without k = 0, fitted ones with fewer than
    three k, `breakpoint` without a slope, `recall` if it is unknown what was located. A metric has
    nan bounds if some k rests on a single cluster.

    Args:
        outcomes: At most one for each item, mode, number of planted flaws and epoch. The value of a
            response is the mean over its parsed epochs.

    Raises:
        ValueError: A response is judged twice, or an item is in two clusters.
    """
    return {
        f"{name}/{mode}": metric
        for mode, counts in build_counts(outcomes).items()
        for name, metric in compute_mode_metrics(counts).items()
    }


def compute_mode_metrics(counts: Counts) -> dict[str, Estimate]:
    """Return every metric of one mode, by its name without the mode."""
    planted = counts.planted.astype(float)
    return _compute_curve_metrics(counts) | {
        "recall": _estimate_share(counts, counts.located, planted),
        "precision": _estimate_share(counts, counts.located, counts.reported),
        "recall_chance": _estimate_chance_share(counts, planted),
        "precision_chance": _estimate_chance_share(counts, counts.reported),
        "unparsed": _estimate_share(counts, counts.unparsed, np.ones_like(counts.unparsed)),
    }


def build_counts(outcomes: Sequence[IssueCount]) -> dict[str, Counts]:
    """Return the counts of every mode that was run, in the order of `MODES`.

    Raises:
        ValueError: As in `compute_attention_metrics`.
    """
    item_clusters: dict[str, str] = {}
    seen: set[tuple[str, int, str, int]] = set()
    by_mode: dict[str, list[IssueCount]] = {}
    for outcome in outcomes:
        description = f"item {outcome.item!r} with {outcome.planted} flaws, mode {outcome.mode!r}"
        if item_clusters.setdefault(outcome.item, outcome.cluster) != outcome.cluster:
            raise ValueError(f"{description}: the item is in two clusters")
        key = (outcome.item, outcome.planted, outcome.mode, outcome.epoch)
        if key in seen:
            raise ValueError(f"{description}: judged twice in epoch {outcome.epoch}")
        seen.add(key)
        by_mode.setdefault(outcome.mode, []).append(outcome)
    items = {item: code for code, item in enumerate(item_clusters)}
    clusters = code_values(item_clusters.values())
    return {mode: _build_mode(by_mode[mode], items, clusters) for mode in MODES if mode in by_mode}


def _build_mode(outcomes: Sequence[IssueCount], items: Mapping[str, int], clusters: Ints) -> Counts:
    response, responses = index_values((outcome.item, outcome.planted) for outcome in outcomes)
    item = np.array([items[name] for name, _ in responses])
    parsed = np.array([outcome.reported is not None for outcome in outcomes])
    unparsed = np.array([outcome.unparsed for outcome in outcomes])

    def average(values: Sequence[float | None]) -> Floats:
        numbers = np.array(values, dtype=float)  # None becomes nan
        mean, known = item_means(numbers, parsed, response, item.size)
        return np.where(known, mean, math.nan)

    return Counts(
        item=item,
        cluster=clusters[item],
        planted=np.array([planted for _, planted in responses]),
        reported=average([outcome.reported for outcome in outcomes]),
        located=average([outcome.located for outcome in outcomes]),
        by_chance=average([outcome.by_chance for outcome in outcomes]),
        unparsed=item_means(unparsed, np.ones_like(parsed), response, item.size)[0],
    )


def _estimate_share(counts: Counts, numerator: Floats, denominator: Floats) -> Estimate:
    """Return the ratio of two sums over the responses where the numerator is known."""
    known = ~np.isnan(numerator)
    top, bottom = np.where(known, numerator, 0.0), np.where(known, denominator, 0.0)
    values = np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)
    return rate(WeightedSample(values, counts.cluster, counts.planted, bottom))


def _estimate_chance_share(counts: Counts, denominator: Floats) -> Estimate:
    """Return recall or precision of as many random reports as the judge made in each answer.

    The means are known exactly. The interval shows how it would vary with other responses, which
    would have other numbers of reports.
    """
    used = ~np.isnan(counts.by_chance)
    used[used] = denominator[used] > 0
    if not used.any():
        return NO_ESTIMATE
    top, bottom = counts.by_chance[used], denominator[used]
    cluster = np.unique(counts.cluster[used], return_inverse=True)[1]
    value, freedom = float(top.sum() / bottom.sum()), int(cluster.max())
    if not freedom:
        return Estimate.without_interval(value, top.size)
    variance = float(ratio_covariance(top[:, None], bottom[:, None], cluster)[0, 0])
    if variance < _MIN_VARIANCE:
        return Estimate(value, *wilson(value, freedom + 1), top.size)
    margin = float(stdtrit(freedom, QUANTILE)) * math.sqrt(variance)
    return Estimate(value, max(value - margin, 0.0), min(value + margin, 1.0), top.size)


def _compute_curve_metrics(counts: Counts) -> dict[str, Estimate]:
    """Return what is reported if k flaws are planted, and the fitted line with a plateau."""
    parsed = ~np.isnan(counts.reported)
    if not parsed.any():
        return dict.fromkeys(("floor", *_FITTED), NO_ESTIMATE)
    curve = _build_curve(counts, parsed)
    low, high = _bound_means(curve)
    columns = (curve.planted, curve.means, low, high, curve.n)
    metrics = {
        f"flaws_reported@k={int(k)}": Estimate(mean, mean_low, mean_high, int(n))
        for k, mean, mean_low, mean_high, n in np.column_stack(columns).tolist()
    }
    metrics["floor"] = metrics.get("flaws_reported@k=0", NO_ESTIMATE)
    return metrics | _fit_metrics(curve)


def _build_curve(counts: Counts, parsed: Mask) -> _Curve:
    """Return the curve of the parsed responses."""
    planted, column = np.unique(counts.planted[parsed], return_inverse=True)
    items, row = np.unique(counts.item[parsed], return_inverse=True)
    reported, known = np.zeros((2, items.size, planted.size))  # items by numbers of planted flaws
    reported[row, column] = counts.reported[parsed]
    known[row, column] = 1.0
    item_clusters = np.zeros(items.size, dtype=np.int64)
    item_clusters[row] = counts.cluster[parsed]
    cluster = np.unique(item_clusters, return_inverse=True)[1]
    n = known.sum(axis=0)
    n_clusters = np.array([np.unique(cluster[present > 0]).size for present in known.T])
    freedom = int(n_clusters.min()) - 1
    if freedom:
        # Half an issue more in one count keeps a mean from looking exactly known.
        covariance = ratio_covariance(reported, known, cluster) + np.diag(0.5 / n**2)
    else:
        covariance = np.full((planted.size, planted.size), math.nan)
    return _Curve(planted.astype(float), reported.sum(axis=0) / n, covariance, freedom, n)


def _bound_means(curve: _Curve) -> tuple[Floats, Floats]:
    """Return score bounds of mean counts, whose variance grows with the mean as in Poisson counts.

    The half issue is in the mean as it is in the variance (`_build_curve`).
    """
    variances = np.diagonal(curve.covariance)
    spread = stdtrit(curve.freedom, QUANTILE) ** 2 * variances / (curve.means + 0.5 / curve.n)
    margins = np.sqrt(spread * curve.means + spread**2 / 4)
    centres = curve.means + spread / 2
    return np.maximum(centres - margins, 0.0), centres + margins


def _fit_metrics(curve: _Curve) -> dict[str, Estimate]:
    """Return slope, breakpoint and ceiling, with bounds from fits to simulated curves."""
    if curve.planted.size < 3:
        return dict.fromkeys(_FITTED, NO_ESTIMATE)
    n = int(curve.n.min())
    [observed] = _describe_fits(fit_plateau(curve.means[None], curve.planted, curve.n))
    if math.isnan(curve.covariance[0, 0]):
        bounds = np.full((2, len(_FITTED)), math.nan)
    else:
        rng = np.random.default_rng(SEED)
        zeros = np.zeros(curve.means.size)
        errors = rng.multivariate_normal(zeros, curve.covariance, N_DRAWS, method="eigh")
        errors *= np.sqrt(curve.freedom / rng.chisquare(curve.freedom, (N_DRAWS, 1)))
        simulated = _describe_fits(fit_plateau(curve.means + errors, curve.planted, curve.n))
        bounds = np.quantile(simulated, [1 - QUANTILE, QUANTILE], axis=0)
    columns = (observed, np.minimum(bounds[0], observed), np.maximum(bounds[1], observed))
    metrics = {
        name: Estimate(value, low, high, n)
        for name, (value, low, high) in zip(_FITTED, np.transpose(columns).tolist(), strict=True)
    }
    if abs(metrics["slope"].value) < _MIN_SLOPE:
        metrics["breakpoint"] = NO_ESTIMATE
    return metrics


def _describe_fits(fits: Floats) -> Floats:
    """Return slope, breakpoint and ceiling of fitted lines."""
    intercept, slope, knot = fits.T
    # A plateau is a mean of counts, which is not negative.
    return np.column_stack([slope, knot, np.maximum(intercept + slope * knot, 0.0)])


def fit_plateau(curves: Floats, planted: Floats, weights: Floats) -> Floats:
    """Fit intercept + slope * min(planted, breakpoint) to curves by least squares.

    The best fit breaks at a point of the curve or between two. In the second case a line fits the
    points before the break, their mean fits those after it, and the two meet in between. A fit that
    breaks at the last point has no plateau in the observed range.

    Args:
        curves: b by k means.
        planted: k increasing numbers of planted flaws, at least three.
        weights: k positive weights of the points.

    Returns:
        b by 3: intercept, slope and breakpoint.
    """
    fits = np.full((len(curves), 3), np.nan)
    best = np.full(len(curves), np.inf)
    root = np.sqrt(weights)[:, None]
    scaled = curves.T * root
    for lines, index in _build_shapes(planted):
        solved = np.linalg.pinv(lines * root) @ scaled
        residuals = scaled - (lines * root) @ solved
        misfit = np.einsum("kb,kb->b", residuals, residuals)
        knot = _find_knots(solved, planted, index)
        better = ~np.isnan(knot) & (misfit < best - _SLACK)
        fits[better] = np.column_stack([*solved[:2], knot])[better]
        best[better] = misfit[better]
    return fits


def _build_shapes(planted: Floats) -> Iterator[tuple[Floats, int]]:
    """Yield lines that break at each point, and lines that break between it and the next."""
    for index in range(1, planted.size):
        yield np.column_stack([np.ones(planted.size), np.minimum(planted, planted[index])]), index
        if index < planted.size - 1:
            before = (planted <= planted[index]).astype(float)
            yield np.column_stack([before, before * planted, 1 - before]), index


def _find_knots(solved: Floats, planted: Floats, index: int) -> Floats:
    """Return where each line breaks; nan if it meets its plateau elsewhere."""
    if len(solved) == 2:
        return np.full(solved.shape[1], planted[index])
    intercept, slope, height = solved
    undefined = np.full_like(slope, np.nan)
    knot = np.divide(height - intercept, slope, out=undefined, where=np.abs(slope) > _SLACK)
    between = (planted[index] < knot) & (knot < planted[index + 1])
    return np.where(between, knot, np.nan)
