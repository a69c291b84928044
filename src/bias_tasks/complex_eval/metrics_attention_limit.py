"""How many flaws a judge finds, by the number of flaws that there are (section 5.4, figure 5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from bias_tasks.complex_eval.items import MODES
from bias_tasks.complex_eval.outcomes import IssueCount
from bias_tasks.statistics.cluster_bootstrap import ClusterSums, estimate_by_draws, sum_clusters
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import Mask, OutcomeTable, build_outcome_table
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, rate

_FITTED = ("slope", "breakpoint", "ceiling")
_MIN_SLOPE = 1e-6
"""A line with a smaller slope has no breakpoint: it is its own plateau."""
_SLACK = 1e-9
"""By how much a later fit must be closer, so that rounding decides nothing."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of n items with k numbers of planted flaws under one mode; arrays are n by k.

    Counts are means over the parsed epochs; nan if there is none, or if one is unknown.
    """

    clusters: Ints
    """Cluster of each item."""
    planted: Ints
    """The k numbers of planted flaws, in increasing order."""
    reported: Floats
    located: Floats
    """Number of planted flaws among the reported ones."""
    by_chance: Floats
    """Mean number that as many random reports would locate."""
    unparsed: Floats
    """Share of answers; nan if the response was not judged."""
    intervals: bool = True
    """Whether intervals are computed."""


def compute_attention_metrics(
    outcomes: Sequence[IssueCount], intervals: bool = True
) -> dict[str, Estimate]:
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
        intervals: Whether intervals are computed.

    Raises:
        ValueError: A response is judged twice, or an item is in two clusters.
    """
    by_mode = {mode: [o for o in outcomes if o.mode == mode] for mode in MODES}
    return {
        f"{name}/{mode}": metric
        for mode, counts in by_mode.items()
        if counts
        for name, metric in compute_mode_metrics(build_counts(counts, intervals)).items()
    }


def compute_mode_metrics(counts: Counts) -> dict[str, Estimate]:
    """Return every metric of one mode, by its name without the mode."""
    planted = np.broadcast_to(counts.planted.astype(float), counts.reported.shape)
    return _compute_curve_metrics(counts) | {
        "recall": _estimate_share(counts, counts.located, planted),
        "precision": _estimate_share(counts, counts.located, counts.reported),
        "recall_chance": _estimate_chance_share(counts, planted),
        "precision_chance": _estimate_chance_share(counts, counts.reported),
        "unparsed": _estimate_share(counts, counts.unparsed, np.ones_like(counts.unparsed)),
    }


def build_counts(outcomes: Sequence[IssueCount], intervals: bool = True) -> Counts:
    """Return the counts of one mode.

    Raises:
        ValueError: As in `compute_attention_metrics`.
    """
    planted = sorted({outcome.planted for outcome in outcomes})
    table = build_outcome_table(
        outcomes, planted, column=attrgetter("planted"), intervals=intervals
    )
    parsed = ~np.isnan(table.grid(attrgetter("reported")))
    return Counts(
        clusters=table.clusters,
        planted=np.array(planted),
        unparsed=_average(table, "unparsed", table.has_outcome),
        **{name: _average(table, name, parsed) for name in ("reported", "located", "by_chance")},
        intervals=intervals,
    )


def _average(table: OutcomeTable, name: str, kept: Mask) -> Floats:
    """Return the means over the kept epochs, items by columns; nan if one of them is unknown."""
    values = table.grid(attrgetter(name))
    shape = (table.n_items, values.shape[1])
    total, count = np.zeros(shape), np.zeros(shape)
    np.add.at(total, table.item, np.where(kept, values, 0.0))
    np.add.at(count, table.item, kept)
    means: Floats = np.divide(total, count, out=np.full(shape, np.nan), where=count > 0)
    return means


def _estimate_share(counts: Counts, numerator: Floats, denominator: Floats) -> Estimate:
    """Return the ratio of two sums over the responses where the numerator is known."""
    known = ~np.isnan(numerator)
    top, bottom = numerator[known], denominator[known]
    values = np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)
    item, column = np.nonzero(known)
    strata = counts.planted[column]
    return rate(WeightedSample(values, counts.clusters[item], strata, bottom, counts.intervals))


def _estimate_chance_share(counts: Counts, denominator: Floats) -> Estimate:
    """Return recall or precision of as many random reports as the judge made in each answer.

    The means are known exactly. The interval shows how it would vary with other responses, which
    would have other numbers of reports.
    """
    used = ~np.isnan(counts.by_chance) & (denominator > 0)
    if not used.any():
        return NO_ESTIMATE
    columns = np.column_stack([counts.by_chance[used], denominator[used]])
    clusters = counts.clusters[np.nonzero(used)[0]]
    prior, strata = np.array([[1.0, 1.0], [0.0, 1.0]]), np.zeros_like(clusters)
    sums = sum_clusters(columns, clusters, strata, prior, intervals=counts.intervals)
    return sums.estimate(lambda s: s[:, 0] / s[:, 1], len(columns), (0.0, 1.0))


def _compute_curve_metrics(counts: Counts) -> dict[str, Estimate]:
    """Return what is reported if k flaws are planted, and the fitted line with a plateau."""
    parsed = ~np.isnan(counts.reported)
    used = parsed.any(axis=0)
    if not used.any():
        return dict.fromkeys(("floor", *_FITTED), NO_ESTIMATE)
    planted, parsed, reported = counts.planted[used], parsed[:, used], counts.reported[:, used]
    items = parsed.any(axis=1)
    n_clusters = [np.unique(counts.clusters[column]).size for column in parsed.T]
    sums = sum_clusters(
        np.hstack([np.where(parsed, reported, 0.0), parsed])[items],
        counts.clusters[items],
        np.zeros(int(items.sum()), dtype=np.int64),
        # Half an issue more keeps a mean of 0 from looking exactly known.
        np.eye(planted.size, 2 * planted.size),
        intervals=counts.intervals and min(n_clusters) > 1,
    )
    curve, draws = _split_curve(sums)
    n = parsed.sum(axis=0)
    metrics = {
        f"flaws_reported@k={k}": _build_estimate(
            float(curve[0, column]), draws, column, int(n[column])
        )
        for column, k in enumerate(planted.tolist())
    }
    metrics["floor"] = metrics.get("flaws_reported@k=0", NO_ESTIMATE)
    return metrics | _fit_metrics(curve, draws, planted.astype(float), n.astype(float))


def _split_curve(sums: ClusterSums) -> tuple[Floats, Floats | None]:
    """Return the mean numbers of reported flaws, 1 by k, and their draws, draws by k."""
    observed: Floats = np.divide(*np.split(sums.observed, 2, axis=1))
    if sums.draws is None:
        return observed, None
    draws: Floats = np.divide(*np.split(sums.draws, 2, axis=1))
    return observed, draws


def _build_estimate(value: float, draws: Floats | None, column: int, n: int) -> Estimate:
    if draws is None:
        return Estimate.without_interval(value, n)
    return estimate_by_draws(value, draws[:, column], n)


def _fit_metrics(
    curve: Floats, draws: Floats | None, planted: Floats, n: Floats
) -> dict[str, Estimate]:
    """Return slope, breakpoint and ceiling, with bounds from fits to drawn curves."""
    if planted.size < 3:
        return dict.fromkeys(_FITTED, NO_ESTIMATE)
    [observed] = _describe_fits(fit_plateau(curve, planted, n)).tolist()
    fits = None if draws is None else _describe_fits(fit_plateau(draws, planted, n))
    metrics = {
        name: _build_estimate(value, fits, column, int(n.min()))
        for column, (name, value) in enumerate(zip(_FITTED, observed, strict=True))
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
