"""The smallest effect that a run's headline would show, and the items that a smaller one needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from bias_tasks.family import Family
from bias_tasks.figures import Figure
from bias_tasks.planning.simulated import Pool
from bias_tasks.statistics.estimate import Estimate

POWER = 0.8
_FROM_ZERO = ("difference", "percent squared")
"""Units of figures that are 0 where there is no effect; of others it is what they are without."""
_SHARES = tuple(float(share) for share in np.geomspace(0.004, 1, 14))
_LOOK, _PLAIN = 8, 30
"""Simulated runs at each share, to find out where to look, and without an effect."""
_RUNS, _ITEMS = (40, 120), 20_000
"""Runs at each share where the curve is fitted, fewest and most: of about so many items in all."""
_QUICK, _ANSWERS = 300, 40_000
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


def found(run: Estimate, null: float, sign: float) -> bool:
    """Whether an interval lies on the effect's side of where the figure is without one."""
    return run.ci_low > null if sign > 0 else run.ci_high < null


def smallest_effect(
    family: Family, pool: Pool, n: int, *, epochs: int = 1, seed: int = 0
) -> Smallest | None:
    """The smallest effect of a run over n items; None where not even the largest would be found.

    A grid of effects is looked through for where power is about 80 %; there, runs are simulated, a
    probit curve is fitted to the share that find the effect, and the headline is read off where
    the curve is at 80 %.
    """
    rng = np.random.default_rng([seed, n])
    plain = [run for _ in range(_PLAIN) if (run := pool.run(rng, n, 0.0, epochs)) is not None]
    if not plain:
        return None
    name = plain[0][0]
    null = _null(family.figure(name), [run for _, run in plain])
    looked = _look(pool, rng, n, epochs, null)
    if looked is None:
        return None
    share, sign = looked
    times = _times(n * epochs, pool.answers_an_item)
    for _ in range(_ATTEMPTS):
        curve = curve_around(share, lambda each: pool.run(rng, n, each, epochs), times, null, sign)
        at = curve.at_power()
        if curve.shares[0] < at < curve.shares[-1] or at == 1.0:
            break
        share = at
    return Smallest(name, abs(curve.mean_at(at) - null), null, at, n)


def _found_about(run: Estimate, null: float, sign: float) -> float:
    """Whether a run finds an effect; where `null` is what a model happens to have, on average over
    models that have up to half an item more or less.

    A rate over n items moves in steps of 1/n. Where between two steps `null` lies makes up to four
    points of power over a hundred items, and another model lies elsewhere.
    """
    if null == 0:
        return float(found(run, null, sign))
    return float(np.mean([found(run, null + step / max(run.n, 1), sign) for step in _BETWEEN]))


class Curve:
    """Power, and the headline's mean, by the share of items that the effect is on."""

    def __init__(self) -> None:
        self.shares: list[float] = []
        self.hits: list[float] = []
        self._powers: list[float] = []
        self._means: list[float] = []

    def add(self, share: float, runs: list[Estimate], null: float, sign: float) -> None:
        """What the runs at a share found."""
        hits = sum(_found_about(run, null, sign) for run in runs)
        self.shares.append(share)
        self.hits.append(hits)
        self._powers.append((hits + 0.5) / (len(runs) + 1))
        self._means.append(_mean([run.value for run in runs]))

    def at_power(self) -> float:
        """Where a probit line through the powers is at 80 %, within the shares looked at.

        Where all of them are on one side of it, that is one of the ends.
        """
        if min(self._powers) > POWER:
            return self.shares[0]
        if max(self._powers) < POWER or len(self.shares) == 1:
            return self.shares[-1]
        slope, start = self._line()
        at = math.exp((float(norm.ppf(POWER)) - start) / slope) if slope > 0 else self.shares[0]
        return float(np.clip(at, self.shares[0], self.shares[-1]))

    def power_at(self, share: float) -> float:
        """The share of runs that find an effect on a share of the items, by that line."""
        slope, start = self._line()
        return float(norm.cdf(start + slope * math.log(share)))

    def _line(self) -> tuple[float, float]:
        slope, start = np.polyfit(np.log(self.shares), norm.ppf(self._powers), 1)
        return float(slope), float(start)

    def mean_at(self, share: float) -> float:
        """The headline's mean at a share, on a parabola through all the means.

        What a single share's runs have by luck then counts for less: between two of them alone the
        mean would stray half as far again.
        """
        degree = min(2, len(self.shares) - 1)
        return float(np.polyval(np.polyfit(self.shares, self._means, degree), share))


def curve_around(
    share: float,
    run: Callable[[float], tuple[str, Estimate] | None],
    times: int,
    null: float,
    sign: float,
) -> Curve:
    """The curve through shares around one, from so many runs at each."""
    curve = Curve()
    for each in sorted({min(1.0, share * factor) for factor in _AROUND}):
        runs = [run(each) for _ in range(times)]
        curve.add(each, [made[1] for made in runs if made is not None], null, sign)
    return curve


def items_needed(
    family: Family, pool: Pool, effect: float, start: Smallest, *, epochs: int = 1
) -> int | None:
    """How many items a run needs to find an effect in 80 % of runs; None above 20,000.

    An interval is as wide as the root of the items is small, which gives a first guess; around it
    the smallest effect is simulated anew, and what it is times that root is averaged.
    """
    tried: list[float] = []
    guess = start.value * math.sqrt(start.n)
    if abs(start.value / effect - 1) <= _NEAR:
        return start.n
    for _ in range(_TRIES):
        n = max(_FEWEST, round((guess / effect) ** 2))
        if n > _LARGEST:
            return None
        found_there = smallest_effect(family, pool, n, epochs=epochs, seed=len(tried) + 1)
        if found_there is not None:
            tried.append(found_there.value * math.sqrt(n))
            guess = _mean(tried)
    return max(_FEWEST, round((guess / effect) ** 2))


def _times(items: int, answers_an_item: float) -> int:
    """How many runs are simulated at a share."""
    quick = min(round(_ANSWERS / (items * answers_an_item)), _QUICK)
    return max(int(np.clip(_ITEMS // items, *_RUNS)), quick)


def _null(figure: Figure | None, plain: list[Estimate]) -> float:
    """Where the headline is without an effect: at 0, if it is a difference and runs say no other.

    Leaving an option out, say, costs the simulated respondents too.
    """
    at = _mean([run.value for run in plain])
    arm = _mean([(run.ci_high - run.ci_low) / 2 for run in plain])
    by_nature = figure is not None and figure.unit in _FROM_ZERO
    return 0.0 if by_nature and abs(at) <= arm / 2 else at


def _look(
    pool: Pool, rng: np.random.Generator, n: int, epochs: int, null: float
) -> tuple[float, float] | None:
    """About the share at which most runs find the effect, and on which side of `null` it is."""
    before = _SHARES[0]
    for share in _SHARES:
        runs = [run[1] for _ in range(_LOOK) if (run := pool.run(rng, n, share, epochs))]
        sign = math.copysign(1, _mean([run.value for run in runs]) - null)
        if sum(found(run, null, sign) for run in runs) >= _ENOUGH * _LOOK:
            return math.sqrt(before * share), sign
        before = share
    return None


def _mean(values: list[float]) -> float:
    kept = [value for value in values if not math.isnan(value)]
    return float(np.mean(kept)) if kept else math.nan
