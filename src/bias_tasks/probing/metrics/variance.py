"""How much of the scores' variance is the items', the asking's, both together, and chance.

Two-way random effects: the score of item i asked in way v is

    mean + item_i + probe_v + interaction_iv + noise,

where the ways are the plain one and all probes. The four variances add up to that of one answer to
any item asked in any way. They are those of the closed-form analysis of variance: mean squares of
items, ways and residuals, and the noise of repeats, which the residuals hold too. For ways that are
these and no others the same numbers are: `item`, the mean covariance of two ways; `probe`, the
variance of their means; `interaction`, what is left of the mean variance of a way but noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bias_tasks.probing.metrics.table import Table
from bias_tasks.probing.metrics.ways import ways_of
from bias_tasks.statistics.effective_size import Floats, Ints
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import NOTHING, wilson
from bias_tasks.statistics.jackknife import Sums, standard_errors, unbiased

PARTS = ("item", "probe", "interaction", "noise")


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
    n = scores.shape[0]
    if np.unique(cluster).size < 2:
        return dict.fromkeys(PARTS, Estimate(math.nan, math.nan, math.nan, n) if n else NOTHING)
    squares = (scores**2).sum(axis=1), scores.sum(axis=1) ** 2
    columns = np.column_stack([scores, *squares, noise, noise / epochs, np.ones(n)])
    sums = Sums.of(columns, cluster)
    every, without = _parts(sums.every), _parts(sums.without)
    parts = np.maximum(unbiased(every[0], without), 0.0)
    total = parts.sum()
    if total <= 1e-12:
        return dict.fromkeys(PARTS, Estimate(math.nan, math.nan, math.nan, n))
    errors = standard_errors(without / without.sum(axis=1, keepdims=True))
    return {
        part: _share(float(share), float(error), n)
        for part, share, error in zip(PARTS, parts / total, errors, strict=True)
    }


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


def _share(share: float, error: float, n: int) -> Estimate:
    return Estimate(share, max(share - 1.96 * error, 0), min(share + 1.96 * error, 1), n)
