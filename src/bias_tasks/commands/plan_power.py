"""The smallest effect that a run's headline would show, and the items that a smaller one needs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from bias_tasks.commands.plan_draws import Pool
from bias_tasks.family import Family
from bias_tasks.statistics.estimate import Estimate

POWER = 0.8
_FROM_ZERO = ("difference", "percent squared")
"""Units of figures that are 0 where there is no effect; of others it is what they are without."""
_SHARES = tuple(float(share) for share in np.geomspace(0.004, 1, 14))
_LOOK, _PLAIN = 8, 30
"""Drawn runs at each share, to find out where to look, and without an effect."""
_RUNS, _ITEMS = (40, 120), 20_000
"""Runs at each share where the curve is fitted, fewest and most: of about so many items in all."""
_QUICK, _ANSWERS = 150, 20_000
"""Most runs at each share where they are quickly made: of at most so many answers in all."""
_ENOUGH = 0.7
"""The share of runs that must find an effect where power is looked for."""
_AROUND = (0.7, 0.85, 1.0, 1.2, 1.45)
_BETWEEN = tuple((each + 0.5) / 9 - 0.5 for each in range(9))
"""Parts of an item, evenly between two counts of items."""
_ATTEMPTS = 4
"""How often the fit is moved to where power is 80 %."""
_LARGEST = 20_000
_NEAR = 0.02
_TRIES, _FEWEST = 3, 8


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest effect found in 80 % of runs."""

    figure: str
    value: float
    """How far the headline then is from where it is without an effect, in its own unit."""
    null: float
    """Where it is without one."""
    share: float
    """Share of the items that the effect is on."""
    n: int
    """Items."""


def smallest_effect(
    family: Family, pool: Pool, n: int, *, epochs: int = 1, seed: int = 0
) -> Smallest | None:
    """The smallest effect of a run over n items; None where not even the largest would be found.

    A grid of effects is looked through for where power is about 80 %; there, runs are drawn, a
    probit line is fitted to the share that find the effect, and the headline is read off where the
    line is at 80 %.
    """
    rng = np.random.default_rng([seed, n])
    plain = [run for _ in range(_PLAIN) if (run := pool.run(rng, n, 0.0, epochs)) is not None]
    if not plain:
        return None
    name = plain[0][0]
    figure = family.figure(name)
    null = _null(figure is not None and figure.unit in _FROM_ZERO, [run for _, run in plain])

    def runs(share: float, times: int) -> list[Estimate]:
        found = (pool.run(rng, n, share, epochs) for _ in range(times))
        return [run[1] for run in found if run is not None]

    before = at = 0.0
    sign = 1.0
    for share in _SHARES:
        looked = runs(share, _LOOK)
        sign = math.copysign(1, _mean(looked) - null)
        if sum(found(run, null, sign) for run in looked) >= _ENOUGH * _LOOK:
            at = math.sqrt((before or share) * share)
            break
        before = share
    else:
        return None
    quick = min(round(_ANSWERS / (n * epochs * pool.answers_an_item)), _QUICK)
    times = max(int(np.clip(_ITEMS // (n * epochs), *_RUNS)), quick)
    for _ in range(_ATTEMPTS):
        shares = sorted({min(1.0, at * factor) for factor in _AROUND})
        made = [runs(share, times) for share in shares]
        at = at_power(shares, [power_of(each, null, sign) for each in made])
        if shares[0] < at < shares[-1] or at == 1.0:
            break
    # What one share's runs have by luck counts for less on a parabola through all the means.
    curve = np.polyfit(shares, [_mean(each) for each in made], min(2, len(shares) - 1))
    return Smallest(name, abs(float(np.polyval(curve, at)) - null), null, at, n)


def found(run: Estimate, null: float, sign: float) -> bool:
    """Whether an interval lies on the effect's side of where the figure is without one."""
    return run.ci_low > null if sign > 0 else run.ci_high < null


def power_of(runs: list[Estimate], null: float, sign: float) -> float:
    """The share of runs that find an effect, kept from 0 and 1.

    Where `null` is what a model happens to have, it is the average over models that have up to half
    an item more or less: a rate over n items moves in steps of 1/n, and where between two of them
    `null` lies makes up to four points of power over a hundred items.
    """
    steps = (0.0,) if null == 0 else _BETWEEN
    hits = sum(
        float(np.mean([found(run, null + step / max(run.n, 1), sign) for step in steps]))
        for run in runs
    )
    return (hits + 0.5) / (len(runs) + 1)


def at_power(shares: list[float], powers: list[float]) -> float:
    """Where a probit line through the powers is at 80 %, within the shares; where all of them are
    on one side of it, one of the ends."""
    if min(powers) > POWER:
        return shares[0]
    if max(powers) < POWER or len(shares) == 1:
        return shares[-1]
    slope, start = np.polyfit(np.log(shares), norm.ppf(powers), 1)
    at = math.exp((float(norm.ppf(POWER)) - start) / slope) if slope > 0 else shares[0]
    return float(np.clip(at, shares[0], shares[-1]))


def items_needed(
    family: Family, pool: Pool, effect: float, start: Smallest, *, epochs: int = 1
) -> int | None:
    """How many items a run needs to find an effect in 80 % of runs; None above 20,000.

    An interval is as wide as the root of the items is small, which gives a first guess; around it
    the smallest effect is drawn anew, and what it is times that root is averaged.
    """
    tried: list[float] = []
    guess = start.value * math.sqrt(start.n)
    if abs(start.value / effect - 1) <= _NEAR:
        return start.n
    for _ in range(_TRIES):
        n = max(_FEWEST, round((guess / effect) ** 2))
        if n > _LARGEST:
            return None
        there = smallest_effect(family, pool, n, epochs=epochs, seed=len(tried) + 1)
        if there is not None:
            tried.append(there.value * math.sqrt(n))
            guess = float(np.mean(tried))
    return max(_FEWEST, round((guess / effect) ** 2))


def _null(by_nature: bool, plain: list[Estimate]) -> float:
    """Where the headline is without an effect: at 0, if it is a difference and near to that."""
    at = _mean(plain)
    arm = float(np.nanmean([(run.ci_high - run.ci_low) / 2 for run in plain]))
    return 0.0 if by_nature and abs(at) <= arm / 2 else at


def _mean(runs: list[Estimate]) -> float:
    values = [run.value for run in runs if not math.isnan(run.value)]
    return float(np.mean(values)) if values else math.nan
