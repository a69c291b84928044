"""How much of the scores' variance is the items', the asking's, both together, and chance.

Two-way random effects: the score of item i asked in way v is

    mean + item_i + probe_v + interaction_iv + noise,

where the ways are the plain one and all probes. The four variances add up to that of one answer to
any item asked in any way. They are those of the closed-form analysis of variance: mean squares of
items, ways and residuals, and the noise of repeats, which the residuals hold too. For ways that are
these and no others the same numbers are: `item`, the mean covariance of two ways; `probe`, the
variance of their means; `noise`, that of one plain answer to an item; `interaction`, all that is
left of the mean variance of a way. It thus holds, beside items that take a probe in their own way,
what answers under probes vary more from draw to draw than plain ones.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import stdtrit

from bias_tasks.probing.metrics.table import Table
from bias_tasks.probing.metrics.ways import ways_of
from bias_tasks.statistics.columns import codes
from bias_tasks.statistics.covariance import joint_errors, ratio_covariance
from bias_tasks.statistics.effective_size import Floats, Ints
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import limits_wanted, wilson
from bias_tasks.statistics.jackknife import Sums, standard_errors, unbiased
from bias_tasks.statistics.level import QUANTILE, Z
from bias_tasks.statistics.magnitude import magnitude

PARTS = ("item", "probe", "interaction", "noise")
_BELOW, _ABOVE = 0.035, 0.015
"""How often the variance of ways may be below its interval, and above it: where it is 0 only the
first can happen."""
_ROUNDING = 1e-12


def variances(run: Table) -> dict[str, Estimate]:
    """The four shares as `variance/<part>`; none without a probe and a repeat.

    Over the items with a score in every way of asking and at least two plain ones.
    """
    if not run.probes or not run.repeats:
        return {}
    ways = ways_of(run)
    known = ~np.isnan(ways.noise)
    found = two_way(ways.scores[known], ways.cluster[known], ways.noise[known], ways.epochs[known])
    return {f"variance/{part}": figure for part, figure in found.items()}


def two_way(scores: Floats, cluster: Ints, noise: Floats, epochs: Floats) -> dict[str, Estimate]:
    """The shares of the four parts in their sum, each at least 0; they add up to 1.

    nan where there is no variance at all, and for fewer than two clusters. Items of one cluster
    count together: parts are free of the bias, and limits as wide, as leaving out one cluster after
    the other shows.

    Args:
        scores: n items by v ways, v at least 2.
        cluster: of each item.
        noise: the variance of a single answer to each item.
        epochs: how many answers each item's scores are the means of.
    """
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
    """A share with this standard error, from leaving out each of the clusters.

    Its limits are the symmetric ones (Student's t), or at either end Wilson's for as many answers
    as there are clusters, where these are wider: they keep a width where nothing is seen to vary.
    """
    if not limits_wanted():
        return Estimate(share, math.nan, math.nan, n)
    arm = float(stdtrit(clusters - 1, QUANTILE)) * error
    low, high = wilson(share, clusters)
    return Estimate(share, max(min(low, share - arm), 0.0), min(max(high, share + arm), 1.0), n)


def _probe(found: Estimate, scores: Floats, cluster: Ints, others: float) -> Estimate:
    """The share of the variance of the ways' means, given the sum of the other parts.

    Near 0, where it mostly lies, a standard error says little: its limits are those of a size seen
    through noise (see `magnitude`), beside which it is small how well the other parts are known.
    Those that it has stay where the means show no error.
    """
    covariance = ratio_covariance(scores, np.ones_like(scores), codes(cluster.tolist()))
    errors = joint_errors(Z * np.sqrt(np.diagonal(covariance)), covariance)
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
    found: Floats = np.column_stack(
        [covariance, probe, variance - covariance - noise_of_mean, noise]
    )
    return found
