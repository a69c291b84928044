"""Confidence sequences: 95 % intervals that hold at all times at once, however often one looks.

For means of bounded values the betting sequence of Waudby-Smith and Ramdas (2024), with bets
diversified over a grid (their "diversified Kelly"). It holds for any number of clusters. For smooth
functions of means the asymptotic sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas
(2024, theorem 2.2), with the delta method's variance; it holds from a number of clusters on.

Clusters are what is independent, and come in an order that nothing of their answers tells.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from bias_tasks.statistics.effective_size import Floats

ALPHA = 0.05
BURN_IN = 200
"""Clusters before which an asymptotic sequence has no interval."""
_BETS = 0.95 * 0.5 ** np.arange(9)
"""What is staked on each cluster, as shares of what may be staked without ever losing all."""
_HALVINGS = 40
"""Of the range in which a limit lies: it is exact to 1e-12."""


def mean_limits(
    sums: Floats, weights: Floats, largest: float = 1.0, counts: Floats | None = None
) -> tuple[Floats, Floats]:
    """The limits of a mean of values in [0, 1]: the betting sequence at one time.

    A bet on each side of a candidate m starts with half of what there is, and is worth
    mean_f prod_c (1 + f (S_c - m M_c) / (m B)) below the truth, with S_c and M_c a cluster's sums,
    and B the largest M; the other side is the same of the values' complements. Candidates at
    which either is worth 1 / ALPHA are out (Ville's inequality). The order of clusters is of no
    account for the limits at one time.

    Args:
        sums: weighted sums of the values of each cluster, 0 to its weight; the last axis are
            clusters, others are runs of their own.
        weights: of each cluster, at most `largest`; 0 says nothing.
        largest: the most that a cluster can weigh, known before any answer.
        counts: how many clusters there are of each kind; one by default.

    Returns:
        The lower and the upper limits, 0 and 1 where nothing is known.

    Raises:
        ValueError: a cluster weighs more than `largest`.
    """
    if weights.size and float(weights.max()) > largest * (1 + 1e-9):
        raise ValueError(f"a cluster weighs {weights.max():g}, more than the {largest:g} planned")
    many = np.ones_like(sums) if counts is None else counts
    return _lower(sums, weights, largest, many), 1 - _lower(weights - sums, weights, largest, many)


def _lower(sums: Floats, weights: Floats, largest: float, counts: Floats) -> Floats:
    """The least candidate that is not out, by halving: the worth of the bet falls with it."""
    wins, stakes = sums / largest, weights / largest
    low, high = np.zeros(sums.shape[:-1]), np.ones(sums.shape[:-1])
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        out = _log_worth(wins, stakes, middle, counts) >= math.log(2 / ALPHA)
        low, high = np.where(out, middle, low), np.where(out, high, middle)
    return low


def _log_worth(wins: Floats, stakes: Floats, m: Floats, counts: Floats) -> Floats:
    """Logarithm of what the bet against means up to `m` is worth."""
    gains = wins / m[..., None] - stakes
    logs = np.stack([(counts * np.log1p(bet * gains)).sum(axis=-1) for bet in _BETS])
    found: Floats = np.logaddexp.reduce(logs, axis=0) - math.log(_BETS.size)
    return found


def asymptotic_half_width(error: float, clusters: int, planned: int) -> float:
    """The half-width of the asymptotic sequence at one time; infinite before `BURN_IN`.

    sigma sqrt(2 (t rho^2 + 1) / (t^2 rho^2) log(sqrt(t rho^2 + 1) / ALPHA)), with rho such that it
    is narrowest at a quarter of what is planned.

    Args:
        error: the standard error of the figure, sigma / sqrt(t).
        clusters: t, how many there are.
        planned: how many clusters the whole run has.
    """
    if clusters < BURN_IN or not math.isfinite(error):
        return math.inf
    narrowest = max(BURN_IN, planned / 4)
    spent = -2 * math.log(ALPHA)
    mixed = clusters * (spent + math.log(spent) + 1) / narrowest
    bound = 2 * (mixed + 1) / mixed * math.log(math.sqrt(mixed + 1) / ALPHA)
    return error * math.sqrt(bound)


def deleted_groups(clusters: int) -> int:
    """In how many groups clusters are left out to see how a figure moves.

    They grow with the clusters, so that the variance is found in the end, and more slowly, since
    each costs a scorecard.
    """
    return min(clusters, math.ceil(10 * math.sqrt(clusters)))


def jackknife_error(replicates: Floats, clusters: int, span: float) -> float:
    """The standard error of a figure from its values without each group; nan where one has none.

    It is not below `least_error`.

    Args:
        replicates: the figure without each of the groups.
        clusters: how many these are made of.
        span: the figure's range.
    """
    groups = replicates.size
    variance = (groups - 1) / groups * float(((replicates - replicates.mean()) ** 2).sum())
    return max(math.sqrt(variance), least_error(clusters, span))


def least_error(clusters: int, span: float) -> float:
    """The least standard error of a figure: half a cluster that moves it four times as far as it
    would a mean. Where all answers of a kind are alike, nothing passes for known exactly.

    Args:
        clusters: how many the figure is made of.
        span: the figure's range.
    """
    return math.sqrt(0.5) * 4 * span / clusters


def looks(step: float) -> Iterator[int]:
    """Numbers of clusters at which to look: each by `step` more than the one before, and one.

    A sequence may be looked at always; each look costs time.
    """
    number = 1
    while True:
        number += max(1, int(number * step))
        yield number
