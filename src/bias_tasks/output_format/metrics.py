"""The figures of one run in one category of formats (FormatEval, sections 3.1 and 3.2)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, compress

import numpy as np
from scipy.special import stdtrit

from bias_tasks.names import PaperProtocol
from bias_tasks.statistics.covariance import correlation, joint_errors, ratio_covariance
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate, Z
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.intervals import NOTHING, rate, tango, wilson
from bias_tasks.statistics.magnitude import magnitude
from bias_tasks.statistics.mover import mover, p_of
from bias_tasks.statistics.outcomes import Mask, codes

Card = dict[str, Estimate]
Variance = tuple[float, float, tuple[float, float]]
"""As seen, what sampling errors add to it on average, and the limits of the true one, at least 0;
nan where no figure has bounds."""
FIGURES = ("fi", "sys", "est_true")
"""Of each format (equations 2, 3 and 5)."""
PERCENT_SQUARED = 100.0**2
_BELOW, _ABOVE = 0.035, 0.015
"""How often the variance may be below its interval, and above it: where it is 0 only the first can
happen."""
_RESIDUE, _SAME = 1e-15, 1e-9
"""What rounding may leave of a variance of shares that is 0, and of a share or a correlation."""


def format_scorecard(
    outcomes: "Sequence[FormatOutcome]",
    *,
    moe: float = 0.05,
    alpha: float = 0.05,
    protocol: PaperProtocol = "corrected",
) -> Card:
    """Every figure of one run with its 95 % interval, by its name; no outcomes give none.

    `bias_f` and the differences are taken over the formats that any answer follows, `fi_var` over
    all. A figure that is not defined is nan with n = 0: `est_true` of a format that no answer
    follows, a variance of fewer than two formats. On a single cluster the bounds are nan.

    `outcomes` are at most one for each item and format, in any order.
    """
    if not outcomes:
        return {}
    run = table(outcomes)
    card: Card = {}
    for column, name in enumerate(run.formats):
        card |= {f"{figure}/{name}": figure_of(run, figure, column) for figure in FIGURES}
        asked, followers = run.asked[:, column], _followers(run, column)
        card[f"reliable/{name}"], card[f"needed_fi/{name}"] = reliability(
            followers.values[asked], followers.weights[asked], moe, alpha, protocol
        )
    return card | _across(run, card)


def _across(run: "Table", card: Card) -> Card:
    """The figures that compare formats."""
    followed: Mask = run.follows.sum(axis=0) > 0
    compared = run.with_formats(followed)
    scores = {name: card[f"est_true/{name}"] for name in compared.formats}
    covariance, clusters = errors(compared, "est_true")
    items, every = int(compared.follows.any(axis=1).sum()), run.cluster.size
    follow = [card[f"fi/{name}"] for name in run.formats]
    return {
        **variance_card(list(scores.values()), covariance, clusters, items),
        "fi_var": variance_card(follow, *errors(run, "fi"), every)["bias_f"],
        "formats_compared": _plain(float(followed.sum()), every),
        "left_out": _plain(float((~followed).sum()), every),
    } | _differences(scores, correlation(covariance), clusters)


def _plain(value: float, n: int) -> Estimate:
    return Estimate(value, math.nan, math.nan, n)


def figure_of(run: "Table", name: str, column: int) -> Estimate:
    """FI, Sys, or EstTrue = Sys / FI: corrected, the mean score of the answers that follow."""
    if name != "est_true":
        top, bottom = run.ratio(name)
        return rate(sample(run, top[:, column], bottom[:, column]))
    followers = _followers(run, column)
    gated = rate(followers)
    extra = np.maximum(run.score[:, column] - run.follows[:, column], 0.0)
    return _with_extra(gated, extra, followers) if gated.n and extra.any() else gated


def sample(run: "Table", values: Floats, weights: Floats) -> WeightedSample:
    """Values of the run's items."""
    return WeightedSample(values, run.cluster, np.zeros_like(run.cluster), weights)


def _followers(run: "Table", column: int) -> WeightedSample:
    """The mean score of each item's answers that follow, weighted by how many do. Published, others
    may have scored too: of several epochs those that follow are taken to have scored first."""
    follows = run.follows[:, column]
    gated = np.minimum(run.score[:, column], follows)
    values = np.divide(gated, follows, out=np.zeros_like(gated), where=follows > 0)
    return sample(run, values, follows)


def _with_extra(gated: Estimate, extra: Floats, followers: WeightedSample) -> Estimate:
    """Adds what answers that do not follow scored, over the number of those that do: uncorrelated
    parts, whose arms add up in squares (MOVER; Zou and Donner 2008)."""
    follows = followers.weights
    ratio = extra.sum() / follows.sum()
    influence = (extra - ratio * follows) / follows.sum()
    arm = Z * math.sqrt(float((np.bincount(followers.clusters, influence) ** 2).sum()))
    value = gated.value + float(ratio)
    low = value - math.hypot(arm, gated.value - gated.ci_low)
    high = value + math.hypot(arm, gated.ci_high - gated.value)
    return replace(gated, value=value, ci_low=max(low, 0.0), ci_high=high)


def reliability(
    scores: Floats, follows: Floats, moe: float, alpha: float, protocol: PaperProtocol
) -> tuple[Estimate, Estimate]:
    """Whether EstTrue of one format is reliable (1 or 0), and the `fi` above which it would be.

    Reliable: the t interval of the mean score of the n answers that follow, with the finite
    population correction (N - n) / N, lies within the margin of error: with s their spread,

        n / N > 1 / (1 + N * (moe / (t * s))**2).

    The verdict is nan at n = 0, and 0 where a single answer tells nothing of s. The `fi` is the
    right-hand side; nan where there is no s. `scores` and `follows` are of the N items the mean
    score of the answers that follow, over epochs, and their share; t has n - 1 degrees of freedom,
    published n.
    """
    total, n = follows.size, float(follows.sum())
    count = int((follows > 0).sum())
    if n <= 1:
        return _plain(0.0 if n else math.nan, count), _plain(math.nan, count)
    centred = scores - (follows @ scores) / n
    spread = math.sqrt(float(follows @ centred**2) / (n - 1))
    critical = float(stdtrit(n if protocol == "published" else n - 1, 1 - alpha / 2))
    ratio = critical * spread / moe
    needed = ratio**2 / (ratio**2 + total)
    return _plain(float(n / total > needed), count), _plain(needed, count)


def errors(run: "Table", name: str) -> tuple[Floats, int]:
    """The covariance of a figure's errors over formats, and how many clusters the least has."""
    top, bottom = run.ratio(name)
    clusters = (np.unique(run.cluster[column > 0]).size for column in bottom.T)
    return ratio_covariance(top, bottom, run.cluster), min(clusters, default=0)


def variance_card(
    figures: Sequence[Estimate], covariance: Floats, clusters: int, items: int
) -> Card:
    """The variance over k formats of a figure that each of them has (equation 8); nan for k below
    2. `covariance` and `clusters` are `errors`, `items` is the n.

    `bias_f` is as seen, `bias_f_noise` what sampling errors add to it on average, and
    `bias_f_corrected` the one less the other, which may be below 0; both share one interval.
    """
    if len(figures) < 2:
        return dict.fromkeys(("bias_points", "bias_f", "bias_f_corrected", "bias_f_noise"), NOTHING)
    seen, noise, limits = variance_over(figures, covariance, clusters)
    corrected = in_percent_squared(_rounded(seen - noise), limits, items)
    return {
        "bias_points": in_points(corrected),
        "bias_f": in_percent_squared(seen, limits, items),
        "bias_f_corrected": corrected,
        "bias_f_noise": _plain(noise * PERCENT_SQUARED, items),
    }


def in_points(variance: Estimate) -> Estimate:
    """The root of a variance in percent squared: a standard deviation in points, 0 or more."""
    parts = (variance.value, variance.ci_low, variance.ci_high)
    value, low, high = (each if math.isnan(each) else math.sqrt(max(each, 0.0)) for each in parts)
    return Estimate(value, low, high, variance.n)


def in_percent_squared(value: float, limits: tuple[float, float], n: int) -> Estimate:
    """A variance or a change of one, its interval reaching out to the value itself."""
    # min and max keep a nan that comes first.
    low, high = min(limits[0], value), max(limits[1], value)
    return Estimate(PERCENT_SQUARED * value, PERCENT_SQUARED * low, PERCENT_SQUARED * high, n)


def variance_over(figures: Sequence[Estimate], covariance: Floats, clusters: int) -> Variance:
    """The population variance of k figures, in shares squared.

    Were it smaller, the figures would lie closer together and each would err by its interval's arm
    toward the others; for the upper limit the mean of both arms serves. Where all formats came to
    the same on every item, errors tell nothing, and it is the exact limit (the rule of three,
    Hanley and Lippman-Hand 1983): a share 1 - 0.05^(1/n) of all items may differ between formats,
    which lie furthest apart where it is right in half of them.
    """
    k, values = len(figures), np.array([figure.value for figure in figures])
    seen = _rounded(float(np.var(values)))
    noise = _rounded(float(np.trace(covariance) / k - covariance.sum() / k**2))
    if all(math.isnan(figure.ci_low) for figure in figures):
        return seen, noise, (math.nan, math.nan)
    if not seen and not noise:
        differing = 1 - 0.05 ** (1 / clusters)
        return seen, noise, (0.0, differing**2 * (k // 2) * (k - k // 2) / k**2)
    deviations = values - values.mean()
    down, up = np.array([_arms(figure) for figure in figures]).T
    inward = np.select([deviations > 0, deviations < 0], [down, up], np.maximum(down, up))
    lower, upper = (
        magnitude(deviations, drawn - drawn.mean(axis=1, keepdims=True)).limits(_BELOW, _ABOVE)
        for drawn in (joint_errors(inward, covariance), joint_errors((down + up) / 2, covariance))
    )
    return seen, noise, (lower[0] ** 2, upper[1] ** 2)


def _rounded(variance: float) -> float:
    """A variance of shares, 0 where it is so small that rounding made it."""
    return 0.0 if abs(variance) < _RESIDUE else variance


def _arms(figure: Estimate) -> tuple[float, float]:
    low, high = figure.ci_low, figure.ci_high
    if math.isnan(low):  # what a single cluster says counts for one answer
        low, high = wilson(min(figure.value, 1.0), 1)
    return figure.value - low, max(high - figure.value, 0.0)


def _differences(figures: Mapping[str, Estimate], related: Floats, clusters: int) -> Card:
    """`difference/<a>-<b>` of EstTrue for every pair of formats, p-values Holm-adjusted across all;
    `related` are the correlations of the figures' errors, k by k. Two formats that came to the same
    on every item have Tango's interval of no pair that differs."""
    pairs: Card = {}
    for (a, (name, one)), (b, (other_name, other)) in combinations(enumerate(figures.items()), 2):
        value, together = one.value - other.value, float(related[a, b])
        first, second = ((each.ci_low, each.value, each.ci_high) for each in (one, other))
        low, high = mover(first, second, together)
        if together > 1 - _SAME and abs(value) < _SAME:
            low, high = tango(0.0, 0.0, clusters)
        p = math.nan if math.isnan(low) else p_of(value, low, high)
        limits = max(low, -1.0), min(high, 1.0)
        pairs[f"difference/{name}-{other_name}"] = Estimate(value, *limits, min(one.n, other.n), p)
    return holm_adjusted(pairs)


@dataclass(frozen=True, slots=True)
class FormatOutcome:
    """What became of one item in one format, on average over epochs."""

    item: str
    cluster: str
    format: str
    follows: float
    score: float
    """From 0 to 1; of an answer that does not follow 0, published what could be taken out of it."""


@dataclass(frozen=True, slots=True)
class Table:
    """n items asked in k formats; arrays are n by k, with 0 where an item was not asked. Items and
    formats stand in the order of the alphabet, so that no figure depends on that of outcomes."""

    formats: tuple[str, ...]
    cluster: Ints
    """Of each item, from 0."""
    asked: Mask
    follows: Floats
    score: Floats

    def with_formats(self, chosen: Mask) -> "Table":
        """The columns of these formats."""
        arrays = {name: getattr(self, name)[:, chosen] for name in ("asked", "follows", "score")}
        return replace(self, formats=tuple(compress(self.formats, chosen)), **arrays)

    def ratio(self, name: str) -> tuple[Floats, Floats]:
        """What a figure is, in each column the sum of the first array over that of the second."""
        if name == "est_true":
            return self.score, self.follows
        return (self.follows if name == "fi" else self.score), self.asked.astype(float)


def table(outcomes: Iterable[FormatOutcome]) -> Table:
    """The table of at least one outcome: at most one for each item and format, in any order."""
    found = sorted(outcomes, key=lambda each: each.item)
    clusters = {each.item: each.cluster for each in found}
    formats = sorted({each.format for each in found})
    rows = codes(each.item for each in found)
    columns = [formats.index(each.format) for each in found]
    asked, follows, score = values = np.zeros((3, len(clusters), len(formats)))
    values[:, rows, columns] = np.array([(1.0, each.follows, each.score) for each in found]).T
    return Table(tuple(formats), codes(clusters.values()), asked > 0, follows, score)
