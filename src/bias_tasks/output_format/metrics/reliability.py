"""Whether so few answers follow a format that EstTrue says too little (theorem 3.1, eq. 6)."""

from __future__ import annotations

import math

from scipy.special import stdtrit

from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate


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
