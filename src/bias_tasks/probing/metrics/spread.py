"""How far the scores of all ways of asking lie apart, and what of that is chance.

The spread is highest less lowest score. It is above 0 even where nothing depends on the asking:
each way has its own luck with what is sampled, and each item, out of all that could have been
asked, its own way of taking a wording. Both show in how an item's changes differ from the other
items' changes. Repeats show the first alone, and at temperature 0 nothing.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import brentq

from bias_tasks.probing.metrics.table import Table
from bias_tasks.probing.metrics.ways import ways_of
from bias_tasks.statistics.columns import codes
from bias_tasks.statistics.covariance import joint_errors, ratio_covariance
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.extremes import least_of
from bias_tasks.statistics.intervals import NOTHING, Pairs, pairs_of
from bias_tasks.statistics.level import Z


def spreads(run: Table) -> dict[str, Estimate]:
    """`spread`, `spread_noise` and `spread_corrected`; none without a probe.

    Over the items with a score in every way of asking, plain and all probes.
    """
    if not run.probes:
        return {}
    ways = ways_of(run)
    return spread_of(ways.scores, ways.cluster)


def spread_of(scores: Floats, cluster: Ints) -> dict[str, Estimate]:
    """The three figures of n items by at least two ways of asking.

    `spread` and `spread_corrected` estimate the same true spread and share its limits: from the
    differences of all pairs of ways, of which the spread is the greatest (see `least_of`).
    Corrected, the scores are drawn together until spread and chance would make what is seen.
    """
    n = scores.shape[0]
    if not n:
        return dict.fromkeys(("spread", "spread_noise", "spread_corrected"), NOTHING)
    least = least_of([pairs for way in combinations(scores.T, 2) for pairs in _both(way, cluster)])
    low, high = max(-least.ci_high, 0.0), -least.ci_low
    means = scores.mean(axis=0)
    seen = float(np.ptp(means))
    noise, corrected = _corrected(means, _errors(scores, cluster))
    return {
        "spread": Estimate(seen, min(low, seen), high, n),
        "spread_noise": Estimate(noise, np.nan, np.nan, n),
        "spread_corrected": Estimate(corrected, min(low, corrected), high, n),
    }


def _both(ways: tuple[Floats, Floats], cluster: Ints) -> tuple[Pairs, Pairs]:
    """What lies between two ways, and the same the other way round."""
    size = cluster.size
    found = pairs_of(
        WeightedSample(ways[1] - ways[0], cluster, np.zeros(size, dtype=np.int64), np.ones(size))
    )
    return found, found.turned()


def _errors(scores: Floats, cluster: Ints) -> Floats:
    """Simulated errors of the mean of each way, ways by draws, each draw beside its opposite."""
    covariance = ratio_covariance(scores, np.ones_like(scores), codes(cluster.tolist()))
    drawn = joint_errors(Z * np.sqrt(np.diagonal(covariance)), covariance).T
    return np.hstack([drawn, -drawn])


def _corrected(means: Floats, errors: Floats) -> tuple[float, float]:
    """The spread that errors alone make on average, and the one that makes what is seen with them.

    The more the means lie apart, the less errors add: so they are drawn together by the one factor
    under which means and errors have the spread that is seen, on average; by 0 where errors alone
    have more.
    """
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
