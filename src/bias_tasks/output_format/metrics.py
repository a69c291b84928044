"""Metrics of one category of formats (FormatEval, sections 3.1 and 3.2)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, compress
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.cluster_bootstrap import bootstrap_errors
from bias_tasks.statistics.delta_method import correlation, ratio_covariance
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate, Z
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.magnitude import magnitude
from bias_tasks.statistics.mover import interval_p_value, mover
from bias_tasks.statistics.outcomes import Mask, code_values
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, rate, tango, wilson

Metrics = dict[str, Estimate]
"""Estimates by the printed names of their metrics."""
FORMAT_METRICS = ("fi", "sys", "est_true")
"""The metrics of each format (equations 2, 3 and 5)."""
MIN_FI, MIN_FOLLOWING = 0.1, 10
"""The share and the number of answers that must follow a format, for `bias_f` to include it."""
PERCENT_SQUARED = 100.0**2
"""Factor from a variance of shares to one in percent squared."""
_ALPHA_LOW, _ALPHA_HIGH = 0.035, 0.015
"""Error rates of the lower and the upper bound of a variance. They are not equal, because at a true
variance of 0 only the lower bound can be wrong."""
_VARIANCE_TOLERANCE = 1e-15
"""A variance of shares below it is a rounding error."""
_MAX_STD = 0.5
"""Maximum standard deviation of shares."""
_EQUALITY_TOLERANCE = 1e-9
"""Two shares or correlations that differ by less are equal; a smaller deviation is 0."""


@dataclass(frozen=True, slots=True)
class MetricOptions:
    """The parameters on which metrics depend."""

    moe: float = 0.05
    """Margin of error within which `est_true` is reliable, as a share."""
    alpha: float = 0.05
    """1 minus the confidence of that verdict."""
    protocol: PaperProtocol = "corrected"
    """`published` uses the paper's degrees of freedom."""

    @classmethod
    def from_values(cls, values: ParameterValues) -> "MetricOptions":
        """Return the options with these values; others are ignored."""
        known = {name: values[name] for name in cls.__slots__ if name in values}
        if known.get("protocol") == "paper_text":  # differs from published in prompts alone
            known["protocol"] = "published"
        return cls(**known)


class VarianceEstimate(NamedTuple):
    """The variance of a metric over formats, in shares squared."""

    observed: float
    noise: float
    """What sampling errors add to the observed variance on average."""
    ci_low: float
    """Lower bound of the true variance, at least 0; nan if no format has an interval."""
    ci_high: float


@dataclass(frozen=True, slots=True)
class FormatOutcome:
    """The outcome of one item in one format, as the mean over epochs."""

    item: str
    cluster: str
    format: str
    follows: float
    """Share of the answers that follow the format."""
    score: float
    """From 0 to 1. An answer that does not follow has 0; published, it may have a score."""
    recovered: float = 0.0
    """Share of the answers that do not follow, and whose value was parsed in another way."""
    recovered_score: float = 0.0
    """Mean score of these values over all answers, from 0 to `recovered`."""


@dataclass(frozen=True, slots=True)
class FormatTable:
    """The outcomes of n items in k formats as arrays of n rows and k columns.

    Cells are 0 if an item was not prompted in a format. Items and formats are sorted, so that no
    metric depends on the order of the outcomes.
    """

    formats: tuple[str, ...]
    cluster: Ints
    """Number of each item's cluster, from 0."""
    answered: Mask
    """Whether the item was prompted in the format."""
    follows: Floats
    score: Floats
    recovered: Floats
    recovered_score: Floats
    intervals: bool = True
    """Whether intervals are computed."""

    def select_formats(self, selected: Mask) -> "FormatTable":
        """Return the table with the selected columns."""
        names = ("answered", "follows", "score", "recovered", "recovered_score")
        arrays = {name: getattr(self, name)[:, selected] for name in names}
        return replace(self, formats=tuple(compress(self.formats, selected)), **arrays)

    def ratio(self, name: str) -> tuple[Floats, Floats]:
        """Return numerators and denominators of a metric; it is the ratio of their column sums.

        Args:
            name: One of `FORMAT_METRICS`.
        """
        if name == "est_true":
            return self.score, self.follows
        return (self.follows if name == "fi" else self.score), self.answered.astype(float)


def build_table(outcomes: Iterable[FormatOutcome], *, intervals: bool = True) -> FormatTable:
    """Return the table of at least one outcome.

    Args:
        outcomes: At most one outcome per item and format, in any order.
        intervals: Whether intervals are computed.
    """
    rows = sorted(outcomes, key=lambda row: row.item)
    clusters = {row.item: row.cluster for row in rows}
    formats = sorted({row.format for row in rows})
    row_indices = code_values(row.item for row in rows)
    columns = [formats.index(row.format) for row in rows]
    cells = np.zeros((5, len(clusters), len(formats)))
    cells[:, row_indices, columns] = np.array(
        [(1.0, row.follows, row.score, row.recovered, row.recovered_score) for row in rows]
    ).T
    return FormatTable(
        formats=tuple(formats),
        cluster=code_values(clusters.values()),
        answered=cells[0] > 0,
        follows=cells[1],
        score=cells[2],
        recovered=cells[3],
        recovered_score=cells[4],
        intervals=intervals,
    )


def compute_format_metrics(
    outcomes: Sequence[FormatOutcome],
    options: MetricOptions | None = None,
    *,
    intervals: bool = True,
) -> Metrics:
    """Compute the metrics of one run in one category, with 95 % intervals.

    `bias_f` covers the formats that enough answers follow (`find_comparable`), the differences
    those that at least one answer follows, `fi_var` all formats. An undefined metric is nan with
    n = 0: `est_true` of a format that no answer follows, `true_score` if no answer that does not
    follow was parsed, and a variance of fewer than two formats. With a single cluster the bounds
    are nan.

    Args:
        outcomes: At most one outcome per item and format, in any order.
        options: Parameters on which metrics depend; by default those of the task functions.
        intervals: Whether intervals are computed.

    Returns:
        The metrics by name; empty without outcomes.
    """
    options = options or MetricOptions()
    if not outcomes:
        return {}
    run = build_table(outcomes, intervals=intervals)
    metrics: Metrics = {}
    for column, name in enumerate(run.formats):
        for metric in FORMAT_METRICS:
            metrics[f"{metric}/{name}"] = find_estimate(run, metric, column)
        answered, followers = run.answered[:, column], _sample_followers(run, column)
        metrics[f"reliable/{name}"], metrics[f"needed_fi/{name}"] = reliability(
            followers.values[answered], followers.weights[answered], options
        )
        true_scores = compute_true_scores(run, column)
        metrics |= {f"{metric}/{name}": value for metric, value in true_scores.items()}
    return metrics | _compare_formats(run, metrics, options.protocol)


def find_comparable(run: FormatTable, protocol: PaperProtocol) -> Mask:
    """Return which formats `bias_f` includes.

    Corrected, `MIN_FOLLOWING` answers and a share of `MIN_FI` must follow. With m answers that
    follow, the noise of EstTrue is estimated from m scores, on average a share 1 / m too low, and
    `bias_f_corrected` is too high by what is missing: with m = 1 all noise counts as bias. Below an
    FI of 0.1 the bounds of the true score are more than 0.9 apart, so that EstTrue says nothing of
    the other answers. Published, one answer is enough.

    Args:
        run: The table of a run.
        protocol: `corrected` or `published`.
    """
    n_following = run.follows.sum(axis=0)
    if protocol == "published":
        return np.asarray(n_following > 0)
    needed = np.maximum(MIN_FI * run.answered.sum(axis=0), MIN_FOLLOWING)
    return np.asarray(n_following >= needed - _EQUALITY_TOLERANCE)


def _compare_formats(run: FormatTable, metrics: Metrics, protocol: PaperProtocol) -> Metrics:
    """Compute the metrics that compare formats from those of each format."""
    followed = run.select_formats(run.follows.sum(axis=0) > 0)
    comparable = find_comparable(run, protocol)
    compared, n_items = run.select_formats(comparable), run.cluster.size
    scores = {name: metrics[f"est_true/{name}"] for name in followed.formats}
    covariance, n_clusters = error_covariance(followed, "est_true")
    rates = [metrics[f"fi/{name}"] for name in run.formats]
    return {
        **variance_metrics(
            [scores[name] for name in compared.formats],
            *error_covariance(compared, "est_true"),
            int(compared.follows.any(axis=1).sum()),
        ),
        "fi_var": variance_metrics(rates, *error_covariance(run, "fi"), n_items)["bias_f"],
        "n_formats": Estimate.without_interval(float(comparable.sum()), n_items),
        "n_formats_excluded": Estimate.without_interval(float((~comparable).sum()), n_items),
        **_pairwise_differences(scores, correlation(covariance), n_clusters),
    }


def find_estimate(run: FormatTable, name: str, column: int) -> Estimate:
    """Compute FI, Sys or EstTrue of one format.

    EstTrue is Sys / FI. Corrected, it equals the mean score of the answers that follow.

    Args:
        run: The table of a run.
        name: One of `FORMAT_METRICS`.
        column: Index of the format.
    """
    if name != "est_true":
        numerators, denominators = run.ratio(name)
        return rate(build_sample(run, numerators[:, column], denominators[:, column]))
    followers = _sample_followers(run, column)
    estimate = rate(followers)
    surplus = np.maximum(run.score[:, column] - run.follows[:, column], 0.0)
    return _add_surplus(estimate, surplus, followers) if estimate.n and surplus.any() else estimate


def compute_true_scores(run: FormatTable, column: int) -> Metrics:
    """Compute the True score of one format (definition 3.2), its bounds and its coverage.

    The True score is the mean score of all answers, whether they follow or not. EstTrue equals it
    if both kinds score alike. Without that assumption it is between Sys, if all answers that do not
    follow are wrong, and Sys + 1 - FI, if all are correct (worst-case bounds, Manski 1989). Sys has
    the scores of answers that follow alone, under both protocols.

    Args:
        run: The table of a run.
        column: Index of the format.

    Returns:
        `true_score_low` and `true_score_high`; `true_score`, the mean over the answers that follow
        or were parsed in another way; `true_score_coverage`, their share; and
        `right_in_wrong_format`, the score of the latter over all answers (case 1 of figure 1).
        `true_score` and the last are nan if some answers do not follow, and none of these was
        parsed: the true score would be EstTrue.
    """
    answered = run.answered[:, column].astype(float)
    follows, recovered = run.follows[:, column], run.recovered[:, column]
    followed_score = np.minimum(run.score[:, column], follows)
    known = follows + recovered
    scores = followed_score + run.recovered_score[:, column]
    means = np.divide(scores, known, out=np.zeros_like(scores), where=known > 0)
    is_known = recovered.any() or np.array_equal(follows, answered)
    most = followed_score + answered - follows
    return {
        "true_score_low": rate(build_sample(run, followed_score, answered)),
        "true_score_high": rate(build_sample(run, most, answered)),
        "true_score": rate(build_sample(run, means, known)) if is_known else NO_ESTIMATE,
        "true_score_coverage": rate(build_sample(run, known, answered)),
        "right_in_wrong_format": rate(build_sample(run, run.recovered_score[:, column], answered))
        if is_known
        else NO_ESTIMATE,
    }


def build_sample(run: FormatTable, values: Floats, weights: Floats) -> WeightedSample:
    """Return values of the run's items as a sample with one stratum.

    Args:
        run: The table of a run.
        values: One value per item.
        weights: One weight per item.
    """
    strata = np.zeros_like(run.cluster)
    return WeightedSample(values, run.cluster, strata, weights, run.intervals)


def _sample_followers(run: FormatTable, column: int) -> WeightedSample:
    """Return the mean score of each item's answers that follow, weighted by their share.

    Published, answers that do not follow may have a score, too. Over several epochs, scores are
    attributed to the answers that follow first.
    """
    follows = run.follows[:, column]
    attributed = np.minimum(run.score[:, column], follows)
    values = np.divide(attributed, follows, out=np.zeros_like(attributed), where=follows > 0)
    return build_sample(run, values, follows)


def _add_surplus(estimate: Estimate, surplus: Floats, followers: WeightedSample) -> Estimate:
    """Add the scores of answers that do not follow, divided by the number of those that do.

    The two parts are uncorrelated, and the arms of their intervals add up in squares (MOVER; Zou
    and Donner 2008).
    """
    follows = followers.weights
    ratio = surplus.sum() / follows.sum()
    influence = (surplus - ratio * follows) / follows.sum()
    arm = Z * math.sqrt(float((np.bincount(followers.clusters, influence) ** 2).sum()))
    value = estimate.value + float(ratio)
    low = value - math.hypot(arm, estimate.value - estimate.ci_low)
    high = value + math.hypot(arm, estimate.ci_high - estimate.value)
    return replace(estimate, value=value, ci_low=max(low, 0.0), ci_high=high)


def reliability(
    scores: Floats, follows: Floats, options: MetricOptions
) -> tuple[Estimate, Estimate]:
    """Compute whether EstTrue of one format is reliable, and the FI above which it would be.

    EstTrue is reliable if the t interval of the mean score of the n answers that follow, with the
    finite population correction (N - n) / N, is within the margin of error (theorem 3.1). With the
    standard deviation s of the scores:

        n / N > 1 / (1 + N * (moe / (t * s))**2)

    The degrees of freedom of t are n - 1; published, they are n.

    Scores that are all equal have s = 0. The formula then calls any two answers reliable, though
    two equal answers say little about the others: both results are nan. Published, they are 1 and
    0, as in the formula.

    Args:
        scores: Mean score of the answers that follow, over epochs, for each of N items.
        follows: Share of the answers that follow, for each of N items.
        options: Margin of error, confidence and protocol.

    Returns:
        The verdict (1 or 0), which is nan at n = 0 and 0 for a single answer, which gives no s; and
        the right-hand side, which is nan without s. Corrected, both are nan at s = 0.
    """
    total, n = follows.size, float(follows.sum())
    n_items = int((follows > 0).sum())
    undefined = Estimate.without_interval(math.nan, n_items)
    if n <= 1:
        return Estimate.without_interval(0.0 if n else math.nan, n_items), undefined
    centred = scores - (follows @ scores) / n
    deviation = math.sqrt(float(follows @ centred**2) / (n - 1))
    if deviation < _EQUALITY_TOLERANCE and options.protocol == "corrected":
        return undefined, undefined
    degrees = n if options.protocol == "published" else n - 1
    critical = float(stdtrit(degrees, 1 - options.alpha / 2))
    ratio = critical * deviation / options.moe
    needed = ratio**2 / (ratio**2 + total)
    return (
        Estimate.without_interval(float(n / total > needed), n_items),
        Estimate.without_interval(needed, n_items),
    )


def error_covariance(run: FormatTable, name: str) -> tuple[Floats, int]:
    """Compute the covariance of a metric's sampling errors over formats.

    Args:
        run: The table of a run.
        name: One of `FORMAT_METRICS`.

    Returns:
        The covariance matrix, k by k, and the number of clusters in the format with the fewest.
    """
    numerators, denominators = run.ratio(name)
    n_clusters = (np.unique(run.cluster[column > 0]).size for column in denominators.T)
    covariance = ratio_covariance(numerators, denominators, run.cluster)
    return covariance, min(n_clusters, default=0)


def variance_metrics(
    estimates: Sequence[Estimate], covariance: Floats, n_clusters: int, n_items: int
) -> Metrics:
    """Compute the variance of a metric over k formats (equation 8).

    `bias_f` is the observed variance, `bias_f_noise` what sampling errors add to it on average, and
    `bias_f_corrected` their difference, which may be negative. Both variances have one interval.

    Args:
        estimates: The metric of each format.
        covariance: Covariance of the estimates' errors, as in `error_covariance`.
        n_clusters: As in `error_covariance`.
        n_items: Number of items of the result.

    Returns:
        The metrics; all nan for fewer than two formats.
    """
    if len(estimates) < 2:
        return dict.fromkeys(
            ("format_std", "bias_f", "bias_f_corrected", "bias_f_noise"), NO_ESTIMATE
        )
    variance = estimate_variance(estimates, covariance, n_clusters)
    bounds = variance.ci_low, variance.ci_high
    difference = _round_variance(variance.observed - variance.noise)
    corrected = to_percent_squared(difference, bounds, n_items)
    noise = Estimate.without_interval(variance.noise * PERCENT_SQUARED, n_items)
    return {
        "format_std": square_root(corrected),
        "bias_f": to_percent_squared(variance.observed, bounds, n_items),
        "bias_f_corrected": corrected,
        "bias_f_noise": noise,
    }


def square_root(variance: Estimate) -> Estimate:
    """Return the standard deviation in points, at least 0, of a variance in percent squared."""
    parts = (variance.value, variance.ci_low, variance.ci_high)
    value, low, high = (p if math.isnan(p) else math.sqrt(max(p, 0.0)) for p in parts)
    return Estimate(value, low, high, variance.n)


def to_percent_squared(value: float, bounds: tuple[float, float], n: int) -> Estimate:
    """Return a variance, or a change of one, in percent squared.

    Args:
        value: The variance of shares.
        bounds: Its confidence bounds; they are extended if they do not include the value.
        n: Number of items.
    """
    # min and max return a nan that comes first.
    low, high = min(bounds[0], value), max(bounds[1], value)
    return Estimate(PERCENT_SQUARED * value, PERCENT_SQUARED * low, PERCENT_SQUARED * high, n)


def estimate_variance(
    estimates: Sequence[Estimate], covariance: Floats, n_clusters: int
) -> VarianceEstimate:
    """Estimate the population variance of k estimates.

    If the true variance is smaller than the observed one, the true values are closer together, and
    each estimate errs by the arm of its interval toward the others. The upper bound uses the mean
    of both arms.

    If all formats have the same outcome on every item, errors give no information. The upper bound
    is then exact (the rule of three, Hanley and Lippman-Hand 1983): a share 1 - 0.05^(1/n) of all
    items may differ between formats, and their variance is largest if half of the formats are
    correct on these items.

    Args:
        estimates: The metric of each format, as a share.
        covariance: Covariance of their errors.
        n_clusters: Number of clusters n of the exact bound.
    """
    k, values = len(estimates), np.array([estimate.value for estimate in estimates])
    observed = _round_variance(float(np.var(values)))
    noise = _round_variance(float(np.trace(covariance) / k - covariance.sum() / k**2))
    if all(math.isnan(estimate.ci_low) for estimate in estimates):
        return VarianceEstimate(observed, noise, math.nan, math.nan)
    if not observed and not noise:
        differing = 1 - 0.05 ** (1 / n_clusters)
        high = differing**2 * (k // 2) * (k - k // 2) / k**2
        return VarianceEstimate(observed, noise, 0.0, high)
    deviations = values - values.mean()
    down, up = np.array([_interval_arms(estimate) for estimate in estimates]).T
    inward = np.select([deviations > 0, deviations < 0], [down, up], np.maximum(down, up))

    def bounds(arms: Floats) -> tuple[float, float]:
        errors = bootstrap_errors(arms, covariance)
        size = magnitude(deviations, errors - errors.mean(axis=1, keepdims=True))
        return size.interval(_ALPHA_LOW, _ALPHA_HIGH)

    low, high = bounds(inward)[0], bounds((down + up) / 2)[1]
    if values.max() <= 1:  # published, EstTrue may be higher
        high = min(high, _MAX_STD)
    return VarianceEstimate(observed, noise, low**2, high**2)


def _round_variance(variance: float) -> float:
    """Return a variance of shares, 0 if it is only a rounding error."""
    return 0.0 if abs(variance) < _VARIANCE_TOLERANCE else variance


def _interval_arms(estimate: Estimate) -> tuple[float, float]:
    """Return the distances of a share from its lower and its upper bound."""
    low, high = estimate.ci_low, estimate.ci_high
    if math.isnan(low):  # a single cluster counts as one answer
        low, high = wilson(min(estimate.value, 1.0), 1)
    return estimate.value - low, max(high - estimate.value, 0.0)


def _pairwise_differences(
    estimates: Mapping[str, Estimate], error_correlation: Floats, n_clusters: int
) -> Metrics:
    """Compute `est_true_diff/<a>-<b>` for every pair of formats.

    P-values are Holm-adjusted over all pairs. Two formats with the same outcome on every item have
    Tango's interval of pairs without a difference.
    """
    differences: Metrics = {}
    pairs = combinations(enumerate(estimates.items()), 2)
    for (i, (first_name, first)), (j, (second_name, second)) in pairs:
        value, related = first.value - second.value, float(error_correlation[i, j])
        low, high = mover(
            (first.ci_low, first.value, first.ci_high),
            (second.ci_low, second.value, second.ci_high),
            related,
        )
        if related > 1 - _EQUALITY_TOLERANCE and abs(value) < _EQUALITY_TOLERANCE:
            low, high = tango(0.0, 0.0, n_clusters)
        p = math.nan if math.isnan(low) else interval_p_value(value, low, high)
        low, high = max(low, min(-1.0, value)), min(high, max(1.0, value))  # published, it may be 2
        differences[f"est_true_diff/{first_name}-{second_name}"] = Estimate(
            value, low, high, min(first.n, second.n), p
        )
    return holm_adjusted(differences)
