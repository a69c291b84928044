"""How far the scores of all ways of asking lie apart, and what of their variance is chance.

A way is to ask plain, or under one of the probes. The spread is highest less lowest score; it is
above 0 even where nothing depends on the asking, since each way has its own luck.

The variance is parted by two-way random effects: the score of item i asked in way v is the mean +
item_i + probe_v + interaction_iv + noise. The four variances are those of the closed-form analysis
of variance: mean squares of items, ways and residuals, and the noise of repeats, which residuals
hold too. `interaction` also holds what answers under probes vary more than plain ones.
"""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
from scipy.optimize import brentq
from scipy.special import stdtrit

from bias_tasks.statistics.covariance import (
    Sums,
    joint_errors,
    ratio_covariance,
    standard_errors,
    unbiased,
)
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import QUANTILE, Estimate, Z
from bias_tasks.statistics.holm import least_of
from bias_tasks.statistics.intervals import NOTHING, limits_wanted, pairs_of, wilson
from bias_tasks.statistics.magnitude import magnitude
from bias_tasks.statistics.outcomes import codes

PARTS = ("item", "probe", "interaction", "noise")
_BELOW, _ABOVE = 0.035, 0.015
"""How often the variance of ways may be below its interval, and above it: where it is 0 only the
first can happen."""
_ROUNDING = 1e-12


def spread_of(scores: Floats, cluster: Ints) -> dict[str, Estimate]:
    """`spread`, `spread_noise` and `spread_corrected` of n items by at least two ways of asking.

    `spread` and `spread_corrected` share the limits of the true spread: from the differences of all
    pairs of ways, of which it is the greatest (see `least_of`). Corrected, the scores are drawn
    together until spread and chance would make what is seen.
    """
    n = scores.shape[0]
    if not n:
        return dict.fromkeys(("spread", "spread_noise", "spread_corrected"), NOTHING)
    flat = np.zeros(n, dtype=np.int64), np.ones(n)
    pairs = combinations(scores.T, 2)
    apart = [pairs_of(WeightedSample(one - other, cluster, *flat)) for other, one in pairs]
    least = least_of([each for found in apart for each in (found, found.turned())])
    low, high = max(-least.ci_high, 0.0), -least.ci_low
    means = scores.mean(axis=0)
    seen = float(np.ptp(means))
    drawn = _errors(scores, cluster).T
    noise, corrected = _corrected(means, np.hstack([drawn, -drawn]))
    return {
        "spread": Estimate(seen, min(low, seen), high, n),
        "spread_noise": Estimate(noise, np.nan, np.nan, n),
        "spread_corrected": Estimate(corrected, min(low, corrected), high, n),
    }


def _errors(scores: Floats, cluster: Ints) -> Floats:
    """Simulated errors of the mean of each way, draws by ways."""
    covariance = ratio_covariance(scores, np.ones_like(scores), codes(cluster.tolist()))
    return joint_errors(Z * np.sqrt(np.diagonal(covariance)), covariance)


def _corrected(means: Floats, errors: Floats) -> tuple[float, float]:
    """The spread that errors alone make on average, and the one that makes what is seen with them:
    the means are drawn together by the factor under which both have, on average, the spread seen;
    by 0 where errors alone have more."""
    apart = (means - means.mean())[:, None]
    seen = float(np.ptp(means))

    def expected(factor: float) -> float:
        moved = factor * apart + errors
        return float((moved.max(axis=0) - moved.min(axis=0)).mean())

    noise = expected(0.0)
    if np.isnan(noise) or noise >= seen:
        return noise, noise * 0.0  # nan where a single cluster tells nothing of errors
    if expected(1.0) <= seen:  # there are no errors, but for rounding
        return noise, seen
    return noise, seen * float(brentq(lambda factor: expected(factor) - seen, 0.0, 1.0, xtol=1e-9))


def two_way(scores: Floats, cluster: Ints, noise: Floats, epochs: Floats) -> dict[str, Estimate]:
    """The shares of the four parts in their sum, each at least 0; they add up to 1. nan where there
    is no variance at all, and for fewer than two clusters. Bias and limits are those that leaving
    out one cluster after the other shows.

    The scores are n items by v ways, v at least 2, with the cluster of each item, the variance of a
    single answer to it (nan where it does not count), and how many answers they are means of."""
    known = ~np.isnan(noise)
    scores, cluster, noise, epochs = scores[known], cluster[known], noise[known], epochs[known]
    n, clusters = scores.shape[0], np.unique(cluster).size
    undefined = dict.fromkeys(PARTS, Estimate(math.nan, math.nan, math.nan, n))
    if clusters < 2:
        return undefined
    squares = (scores**2).sum(axis=1), scores.sum(axis=1) ** 2
    columns = np.column_stack([scores, *squares, noise, noise / epochs, np.ones(n)])
    sums = Sums.of(columns, cluster)
    every, without = _parts(sums.every), _parts(sums.without)
    parts = np.maximum(unbiased(every[0], without), 0.0)
    total = float(parts.sum())
    if total <= _ROUNDING:
        return undefined
    shares = parts / total
    apart = (without - shares * without.sum(axis=1, keepdims=True)) / total
    of_each = zip(PARTS, shares.tolist(), standard_errors(apart).tolist(), strict=True)
    found = {part: _share(share, error, clusters, n) for part, share, error in of_each}
    return found | {"probe": _probe(found["probe"], scores, cluster, total - float(parts[1]))}


def _share(share: float, error: float, clusters: int, n: int) -> Estimate:
    """A share with this standard error. Its limits are the symmetric ones (Student's t), or at
    either end Wilson's for as many answers as clusters, where these are wider: they keep a width
    where nothing is seen to vary."""
    if not limits_wanted():
        return Estimate(share, math.nan, math.nan, n)
    arm = float(stdtrit(clusters - 1, QUANTILE)) * error
    low, high = wilson(share, clusters)
    return Estimate(share, max(min(low, share - arm), 0.0), min(max(high, share + arm), 1.0), n)


def _probe(found: Estimate, scores: Floats, cluster: Ints, others: float) -> Estimate:
    """The share of the variance of the ways' means, given the sum of the other parts. Near 0 a
    standard error says little: its limits are those of a size seen through noise (see `magnitude`),
    but where the means show no error."""
    errors = _errors(scores, cluster)
    errors -= errors.mean(axis=1, keepdims=True)
    if not limits_wanted() or np.abs(errors).max() <= _ROUNDING:
        return found
    means = scores.mean(axis=0)
    sizes = magnitude(means - means.mean(), errors).limits(_BELOW, _ABOVE)
    low, high = (size**2 * means.size / (means.size - 1) for size in sizes)
    low, high = low / (low + others), high / (high + others)
    return replace(found, ci_low=min(low, found.value), ci_high=max(high, found.value))


def _parts(sums: Floats) -> Floats:
    """The four parts, r by 4, of r rows of sums over items, not corrected for their number."""
    n, ways = sums[:, -1:], sums.shape[1] - 5
    means = sums[:, :ways] / n
    own, both, noise, noise_of_mean = (sums[:, ways : ways + 4] / n).T
    variance = (own - (means**2).sum(axis=1)) / ways
    together = (both - means.sum(axis=1) ** 2) / ways
    covariance = (together - variance) / (ways - 1)
    probe = means.var(axis=1, ddof=1)
    interaction = variance - covariance - noise_of_mean
    found: Floats = np.column_stack([covariance, probe, interaction, noise])
    return found
