"""FI, Sys and EstTrue of one format (FormatEval, equations 2, 3 and 5), and their reliability."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import stdtrit

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.metrics.table import Table
from bias_tasks.statistics.effective_size import Floats, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import rate
from bias_tasks.statistics.level import Z


def follow_rate(table: Table, column: int) -> Estimate:
    """FI: the share of answers that follow the format."""
    return _mean(table, column, table.follows[:, column])


def systematic(table: Table, column: int) -> Estimate:
    """Sys: the mean score over all answers."""
    return _mean(table, column, table.score[:, column])


def est_true(table: Table, column: int) -> Estimate:
    """EstTrue = Sys / FI: corrected, the mean score of the answers that follow."""
    sample = followers(table, column)
    gated = rate(sample)
    extra = np.maximum(table.score[:, column] - table.follows[:, column], 0.0)
    if not gated.n or not extra.any():
        return gated
    return _with_extra(gated, extra, sample)


def followers(table: Table, column: int) -> WeightedSample:
    """The mean score of each item's answers that follow, weighted by how many of them do.

    Published: answers that do not follow may have scored too. Where an item has several epochs
    nothing tells the two kinds apart, and those that follow are taken to have scored first.
    """
    follows = table.follows[:, column]
    gated = np.minimum(table.score[:, column], follows)
    values = np.divide(gated, follows, out=np.zeros_like(gated), where=follows > 0)
    return WeightedSample(values, table.cluster, np.zeros_like(table.cluster), follows)


def _mean(table: Table, column: int, values: Floats) -> Estimate:
    asked = table.asked[:, column].astype(float)
    return rate(WeightedSample(values, table.cluster, np.zeros_like(table.cluster), asked))


def _with_extra(gated: Estimate, extra: Floats, sample: WeightedSample) -> Estimate:
    """Adds what answers that do not follow scored, over the number of those that do.

    The two parts are uncorrelated, so that their arms add up in squares (MOVER; Zou and Donner
    2008).
    """
    follows = sample.weights
    ratio = extra.sum() / follows.sum()
    influence = (extra - ratio * follows) / follows.sum()
    arm = Z * math.sqrt(float((np.bincount(sample.clusters, influence) ** 2).sum()))
    value = gated.value + float(ratio)
    low = value - math.hypot(arm, gated.value - gated.ci_low)
    high = value + math.hypot(arm, gated.ci_high - gated.value)
    return replace(gated, value=value, ci_low=max(low, 0.0), ci_high=high)


def reliability(
    scores: Floats, follows: Floats, moe: float, alpha: float, protocol: PaperProtocol
) -> tuple[Estimate, Estimate]:
    """Whether EstTrue of one format is reliable (1 or 0), and the `fi` above which it would be.

    Reliable: the t interval of the mean score of the n answers that follow, with the finite
    population correction (N - n) / N, lies within the margin of error. That is

        n / N > 1 / (1 + N * (moe / (t * s))**2).

    The verdict is nan at n = 0, and 0 where a single answer tells nothing of their spread s. The
    `fi` is the right-hand side with t and s as they are now; nan where there is no s. Clusters
    play no part. Over several epochs an item counts with its share of answers that follow.

    Args:
        scores: of the N items, the mean score of the answers that follow.
        follows: of the N items, the share of their answers that follow.
        moe: margin of error, a share.
        alpha: one less the confidence.
        protocol: t has n - 1 degrees of freedom; published: n.
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


def _plain(value: float, n: int) -> Estimate:
    return Estimate(value, math.nan, math.nan, n)
