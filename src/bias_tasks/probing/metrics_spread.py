"""How much the scores of all prompt variants spread, and how much of their variance is chance.

A variant is the baseline prompt or a probe. The spread is the highest minus the lowest mean score.
It is above 0 even if no score depends on the prompt, since each variant has sampling error.

The variance is decomposed by two-way random effects: the score of item i under variant v is the
mean + item_i + probe_v + interaction_iv + noise. The four variances are those of the closed-form
analysis of variance: mean squares of items, variants and residuals, and the noise of repeats, which
the residuals contain too. `interaction` also contains what answers under probes vary more than
baseline answers.
"""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
from scipy.optimize import brentq
from scipy.special import stdtrit

from bias_tasks.statistics.cluster_bootstrap import bootstrap_errors
from bias_tasks.statistics.delta_method import ratio_covariance
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import QUANTILE, Estimate, Z
from bias_tasks.statistics.holm import smallest_difference
from bias_tasks.statistics.jackknife import Sums, correct_bias, standard_errors
from bias_tasks.statistics.magnitude import magnitude
from bias_tasks.statistics.outcomes import code_values
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, summarize_pairs, wilson

PARTS = ("item", "probe", "interaction", "noise")
_TAIL_BELOW, _TAIL_ABOVE = 0.035, 0.015
"""How often the variance of variants may be below its interval, and above it. If it is 0, only the
first can happen."""
_ROUNDING = 1e-12


def compute_spread(scores: Floats, cluster: Ints, *, intervals: bool = True) -> dict[str, Estimate]:
    """Return `spread`, `spread_noise` and `spread_corrected`.

    `spread` and `spread_corrected` share the confidence bounds of the true spread: it is the
    largest difference among all pairs of variants (see `smallest_difference`). For the correction,
    the mean scores are shrunk until spread and chance together give the observed spread.

    Args:
        scores: n items by at least two variants.
        cluster: The cluster of each item.
        intervals: Whether intervals are computed.
    """
    n = scores.shape[0]
    if not n:
        return dict.fromkeys(("spread", "spread_noise", "spread_corrected"), NO_ESTIMATE)
    strata, weights = np.zeros(n, dtype=np.int64), np.ones(n)
    differences = [
        summarize_pairs(WeightedSample(second - first, cluster, strata, weights, intervals))
        for first, second in combinations(scores.T, 2)
    ]
    least = smallest_difference([pairs for d in differences for pairs in (d, d.reversed())])
    low, high = max(-least.ci_high, 0.0), -least.ci_low
    means = scores.mean(axis=0)
    observed = float(np.ptp(means))
    errors = _simulate_errors(scores, cluster).T
    noise, corrected = _correct_spread(means, np.hstack([errors, -errors]))
    return {
        "spread": Estimate(observed, min(low, observed), high, n),
        "spread_noise": Estimate.without_interval(noise, n),
        "spread_corrected": Estimate(corrected, min(low, corrected), high, n),
    }


def _simulate_errors(scores: Floats, cluster: Ints) -> Floats:
    """Return simulated errors of the mean of each variant, draws by variants."""
    covariance = ratio_covariance(scores, np.ones_like(scores), code_values(cluster.tolist()))
    return bootstrap_errors(Z * np.sqrt(np.diagonal(covariance)), covariance)


def _correct_spread(means: Floats, errors: Floats) -> tuple[float, float]:
    """Return the mean spread by errors alone, and the spread without what errors add to it.

    The means are shrunk by the factor for which means and errors together have, on average, the
    observed spread. The factor is 0 if errors alone have a larger spread.
    """
    deviations = (means - means.mean())[:, None]
    observed = float(np.ptp(means))

    def expected_spread(factor: float) -> float:
        shrunk = factor * deviations + errors
        return float((shrunk.max(axis=0) - shrunk.min(axis=0)).mean())

    noise = expected_spread(0.0)
    if np.isnan(noise):  # a single cluster does not show the size of errors
        return noise, math.nan
    if noise >= observed:
        return noise, 0.0
    if expected_spread(1.0) <= observed:  # there are no errors except by rounding
        return noise, observed
    factor = brentq(lambda factor: expected_spread(factor) - observed, 0.0, 1.0, xtol=1e-9)
    return noise, observed * float(factor)


def compute_variance_shares(
    scores: Floats, cluster: Ints, noise: Floats, epochs: Floats, *, intervals: bool = True
) -> dict[str, Estimate]:
    """Return the shares of the four parts in the variance, each at least 0; their sum is 1.

    Bias and confidence bounds are those of the jackknife over clusters. The shares are nan if there
    is no variance, and for fewer than two clusters.

    Args:
        scores: n items by at least two variants.
        cluster: The cluster of each item.
        noise: The variance of a single answer to each item; items with nan are skipped.
        epochs: The number of answers whose mean each item's scores are.
        intervals: Whether intervals are computed.
    """
    known = ~np.isnan(noise)
    scores, cluster, noise, epochs = scores[known], cluster[known], noise[known], epochs[known]
    n, n_clusters = scores.shape[0], np.unique(cluster).size
    undefined = dict.fromkeys(PARTS, Estimate.without_interval(math.nan, n))
    if n_clusters < 2:
        return undefined
    squares = (scores**2).sum(axis=1), scores.sum(axis=1) ** 2
    columns = np.column_stack([scores, *squares, noise, noise / epochs, np.ones(n)])
    sums = Sums.from_columns(columns, cluster)
    all_items, jackknife = _decompose(sums.all_items), _decompose(sums.without)
    parts = np.maximum(correct_bias(all_items[0], jackknife), 0.0)
    total = float(parts.sum())
    if total <= _ROUNDING:
        return undefined
    shares = parts / total
    if not intervals:
        return {
            part: Estimate.without_interval(share, n)
            for part, share in zip(PARTS, shares.tolist(), strict=True)
        }
    changes = (jackknife - shares * jackknife.sum(axis=1, keepdims=True)) / total
    rows = zip(PARTS, shares.tolist(), standard_errors(changes).tolist(), strict=True)
    metrics = {part: _estimate_share(share, error, n_clusters, n) for part, share, error in rows}
    share = _bound_probe_share(metrics["probe"], scores, cluster, total - float(parts[1]))
    return metrics | {"probe": share}


def _estimate_share(share: float, error: float, n_clusters: int, n: int) -> Estimate:
    """Return a share with the bounds of its standard error (Student's t).

    At either end, Wilson's bound for as many answers as clusters replaces one that is narrower: the
    interval keeps a width if no variation is observed.
    """
    arm = float(stdtrit(n_clusters - 1, QUANTILE)) * error
    low, high = wilson(share, n_clusters)
    return Estimate(share, max(min(low, share - arm), 0.0), min(max(high, share + arm), 1.0), n)


def _bound_probe_share(
    share: Estimate, scores: Floats, cluster: Ints, other_parts: float
) -> Estimate:
    """Return the share of the variance of the variants' means with better bounds.

    Near 0 a standard error is not informative: the bounds are those of a size that is observed with
    noise (see `magnitude`), unless the means have no error.

    Args:
        share: The share with bounds by its standard error.
        scores: n items by variants.
        cluster: The cluster of each item.
        other_parts: The sum of the other three variances.
    """
    errors = _simulate_errors(scores, cluster)
    errors -= errors.mean(axis=1, keepdims=True)
    if np.abs(errors).max() <= _ROUNDING:
        return share
    means = scores.mean(axis=0)
    sizes = magnitude(means - means.mean(), errors).interval(_TAIL_BELOW, _TAIL_ABOVE)
    low, high = (size**2 * means.size / (means.size - 1) for size in sizes)
    low, high = low / (low + other_parts), high / (high + other_parts)
    return replace(share, ci_low=min(low, share.value), ci_high=max(high, share.value))


def _decompose(sums: Floats) -> Floats:
    """Return the four variances, r by 4, of r rows of sums over items; biased for few items."""
    n, n_variants = sums[:, -1:], sums.shape[1] - 5
    means = sums[:, :n_variants] / n
    square, square_of_sum, noise, noise_of_mean = (sums[:, n_variants : n_variants + 4] / n).T
    variance = (square - (means**2).sum(axis=1)) / n_variants
    variance_of_sum = (square_of_sum - means.sum(axis=1) ** 2) / n_variants
    covariance = (variance_of_sum - variance) / (n_variants - 1)
    probe = means.var(axis=1, ddof=1)
    interaction = variance - covariance - noise_of_mean
    return np.column_stack([covariance, probe, interaction, noise])
