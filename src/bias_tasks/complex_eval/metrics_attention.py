"""How many flaws a judge finds, against how many there are (section 5.4, figure 5)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from bias_tasks.complex_eval.items import MODES
from bias_tasks.complex_eval.outcomes import IssueCount
from bias_tasks.statistics.covariance import ratio_covariance
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import QUANTILE, Estimate
from bias_tasks.statistics.intervals import NOTHING, rate, wilson
from bias_tasks.statistics.outcomes import Mask, codes, means, positions

DRAWS = 1000
SEED = 20250903
_FITTED = ("slope", "breakpoint", "ceiling")
_FLAT = 1e-6
"""A line with no more slope leaves nothing: it is its own plateau."""
_RESIDUE = 1e-18
"""A variance below it is what rounding leaves of none."""
_SLACK = 1e-9
"""By how much a later fit must be closer, so that rounding decides nothing."""


@dataclass(frozen=True, slots=True)
class Counts:
    """n responses under one mode; every field is an array with one value for each.

    Counts are means over the epochs that were read; nan where none was, or one is not known.
    """

    item: Ints
    cluster: Ints
    planted: Ints
    found: Floats
    located: Floats
    by_chance: Floats
    """What blind reports would locate."""
    unread: Floats
    """Share of epochs."""


def attention_scorecard(outcomes: Sequence[IssueCount]) -> dict[str, Estimate]:
    """Every figure of found against planted flaws with its 95 % interval, by its name
    (`figures.yaml`).

    A line with a plateau, floor + slope * min(k, breakpoint), is fitted to the mean numbers of
    flaws found where k are planted. A breakpoint at the largest k planted means that the curve
    never left its line, and the ceiling is then no limit.

    A figure without answers is nan with n = 0 (`floor` without k = 0, the fitted ones with fewer
    than three k, `breakpoint` without a slope, `recall` where it is not known what was located),
    one where some k rests on a single cluster has nan bounds. A ValueError where a response is
    judged twice, or an item is in two clusters.

    Of the outcomes there is at most one for each item, mode, number of planted flaws and epoch; a
    response's value is the mean over its epochs that were read."""
    return {
        f"{name}/{mode}": figure
        for mode, run in counts(outcomes).items()
        for name, figure in figures_of(run).items()
    }


def figures_of(run: Counts) -> dict[str, Estimate]:
    """Every figure of one mode, by its name without the mode."""
    planted = run.planted.astype(float)
    return _curve(run) | {
        "recall": _share(run, run.located, planted),
        "precision": _share(run, run.located, run.found),
        "recall_chance": _chance_share(run, planted),
        "precision_chance": _chance_share(run, run.found),
        "unread": _share(run, run.unread, np.ones_like(run.unread)),
    }


def counts(outcomes: Sequence[IssueCount]) -> dict[str, Counts]:
    """The counts of every mode that was run, in the order of MODES; raises as the scorecard."""
    cluster_of: dict[str, str] = {}
    seen: set[tuple[str, int, str, int]] = set()
    modes: dict[str, list[IssueCount]] = {}
    for each in outcomes:
        what = f"item {each.item!r} with {each.planted} flaws, mode {each.mode!r}"
        if cluster_of.setdefault(each.item, each.cluster) != each.cluster:
            raise ValueError(f"{what}: stands in two clusters")
        key = (each.item, each.planted, each.mode, each.epoch)
        if key in seen:
            raise ValueError(f"{what}: is judged twice in epoch {each.epoch}")
        seen.add(key)
        modes.setdefault(each.mode, []).append(each)
    items = {item: code for code, item in enumerate(cluster_of)}
    clusters = codes(cluster_of.values())
    return {mode: _counts(modes[mode], items, clusters) for mode in MODES if mode in modes}


def _counts(run: Sequence[IssueCount], items: Mapping[str, int], clusters: Ints) -> Counts:
    response, different = positions((each.item, each.planted) for each in run)
    item = np.array([items[name] for name, _ in different])
    read = np.array([each.found is not None for each in run])

    def mean(name: str) -> Floats:
        values = np.array([getattr(each, name) for each in run], dtype=float)  # None is nan
        mean, known = means(values, read, response, item.size)
        return np.where(known, mean, math.nan)

    return Counts(
        item=item,
        cluster=clusters[item],
        planted=np.array([planted for _, planted in different]),
        found=mean("found"),
        located=mean("located"),
        by_chance=mean("by_chance"),
        unread=means(~read, np.ones_like(read), response, item.size)[0],
    )


def _share(run: Counts, top: Floats, bottom: Floats) -> Estimate:
    """The sum of one number by that of another, over the responses where the first is known."""
    known = ~np.isnan(top)
    top, bottom = np.where(known, top, 0.0), np.where(known, bottom, 0.0)
    values = np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)
    return rate(WeightedSample(values, run.cluster, run.planted, bottom))


def _chance_share(run: Counts, bottom: Floats) -> Estimate:
    """Recall or precision of as many blind reports as the judge made in each answer. The means are
    known exactly: intervals say how far other responses would have had other numbers of reports."""
    used = ~np.isnan(run.by_chance)
    used[used] = bottom[used] > 0
    if not used.any():
        return NOTHING
    top, bottom = run.by_chance[used], bottom[used]
    cluster = np.unique(run.cluster[used], return_inverse=True)[1]
    value, freedom = float(top.sum() / bottom.sum()), int(cluster.max())
    if not freedom:
        return Estimate(value, math.nan, math.nan, top.size)
    variance = float(ratio_covariance(top[:, None], bottom[:, None], cluster)[0, 0])
    if variance < _RESIDUE:
        return Estimate(value, *wilson(value, freedom + 1), top.size)
    arm = float(stdtrit(freedom, QUANTILE)) * math.sqrt(variance)
    return Estimate(value, max(value - arm, 0.0), min(value + arm, 1.0), top.size)


def _curve(run: Counts) -> dict[str, Estimate]:
    """What is found where k are planted, and the line with a plateau that is fitted to it."""
    read = ~np.isnan(run.found)
    planted, column = np.unique(run.planted[read], return_inverse=True)
    if not planted.size:
        return dict.fromkeys(("floor", *_FITTED), NOTHING)
    found, there, cluster = _grid(run, read, column)
    answers = there.sum(axis=0)
    curve: Floats = found.sum(axis=0) / answers
    covariance, freedom = _errors(found, there, cluster)
    low, high = _mean_limits(curve, np.diagonal(covariance), answers, freedom)
    columns = zip(*(each.tolist() for each in (curve, low, high, answers)), strict=True)
    figures = {
        f"found@k={k}": Estimate(value, low, high, int(n))
        for k, (value, low, high, n) in zip(planted, columns, strict=True)
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
    The half issue is in the mean as it is in its variance (`_errors`)."""
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
    columns = (seen, np.minimum(limits[0], seen), np.maximum(limits[1], seen))
    figures = {
        name: Estimate(value, low, high, n)
        for name, (value, low, high) in zip(_FITTED, np.transpose(columns).tolist(), strict=True)
    }
    if abs(figures["slope"].value) < _FLAT:
        figures["breakpoint"] = NOTHING
    return figures


def _described(fits: Floats) -> Floats:
    """Slope, breakpoint and ceiling of fitted lines."""
    intercept, slope, knot = fits.T
    # A plateau is a mean of counts, below which no line leads.
    return np.column_stack([slope, knot, np.maximum(intercept + slope * knot, 0.0)])


def fit_plateau(curves: Floats, planted: Floats, weights: Floats) -> Floats:
    """The least squares fit of intercept + slope * min(planted, breakpoint) to each of b curves.

    Returns b by 3: intercept, slope and breakpoint. The best fit breaks at a point of the curve, or
    between two: then a line fits the points before it and their own mean those after it, and the
    two meet between. At the last point the curve has no plateau within sight.

    The curves are b by k, of `planted` k numbers, at least three, that rise; `weights` of the k
    points are above 0."""
    fits = np.full((len(curves), 3), np.nan)
    least = np.full(len(curves), np.inf)
    root = np.sqrt(weights)[:, None]
    scaled = curves.T * root
    for lines, place in _shapes(planted):
        solved = np.linalg.pinv(lines * root) @ scaled
        misses = scaled - (lines * root) @ solved
        misfit = np.einsum("kb,kb->b", misses, misses)
        knot = _knot(solved, planted, place)
        better = ~np.isnan(knot) & (misfit < least - _SLACK)
        fits[better] = np.column_stack([*solved[:2], knot])[better]
        least[better] = misfit[better]
    return fits


def _shapes(planted: Floats) -> Iterator[tuple[Floats, int]]:
    """Lines that break at each point, and those that break between it and the next."""
    for place in range(1, planted.size):
        yield np.column_stack([np.ones(planted.size), np.minimum(planted, planted[place])]), place
        if place < planted.size - 1:
            before = (planted <= planted[place]).astype(float)
            yield np.column_stack([before, before * planted, 1 - before]), place


def _knot(solved: Floats, planted: Floats, place: int) -> Floats:
    """Where each line breaks; nan where it does not meet its plateau between the two points."""
    if len(solved) == 2:
        return np.full(solved.shape[1], planted[place])
    intercept, slope, height = solved
    missing = np.full_like(slope, np.nan)
    knot = np.divide(height - intercept, slope, out=missing, where=np.abs(slope) > _SLACK)
    between = (planted[place] < knot) & (knot < planted[place + 1])
    return np.where(between, knot, np.nan)
