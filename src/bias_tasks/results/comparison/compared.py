"""What a comparison of runs found, as plain values, and what a difference comes to in one word."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from bias_tasks.figures import Better, Unit
from bias_tasks.results.differences import Difference
from bias_tasks.results.run import Run
from bias_tasks.statistics.estimate import Estimate

Verdict = Literal["BETTER", "WORSE", "HIGHER", "LOWER", "EQUIVALENT", "INCONCLUSIVE", "UNREAD"]
SHARES = ""
"""Stands for all shares and differences of shares where a margin has no pattern."""
_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class FigureCompared:
    """One figure in two runs, over the items that both have."""

    name: str
    unit: Unit
    better: Better | None
    """Which direction is better; None where neither is."""
    first: Estimate
    """In the run that is compared with: the baseline."""
    second: Estimate
    difference: Estimate
    """Second less first, with its 95 % interval; `p` is of no difference, Holm-adjusted over all
    that was asked at once. nan bounds where either run had nothing to measure."""
    p: float
    """The same before the adjustment."""
    margin: float | None
    """Within how much two values count as the same; None where nobody said."""
    verdict: Verdict
    """Of the second run against the first; UNREAD where no answer was read in either."""
    smallest: float
    """The difference that 80 % of such comparisons would show (at 5 %, for this figure alone)."""
    correlation: float
    """Of the two runs' errors: near 1 where items that are hard for one are hard for the other."""


@dataclass(frozen=True, slots=True)
class PairCompared:
    """Two runs of one task."""

    first: Run
    """The baseline."""
    second: Run
    figures: tuple[FigureCompared, ...]
    items: int
    """Items that both runs have."""
    first_only: int = 0
    """Answers (an item under a variant) that the first run alone has; they are left out."""
    second_only: int = 0
    differing: tuple[Difference, ...] = ()
    """What the runs differ in beside their answers."""
    left_out: tuple[str, ...] = ()
    """Figures that were asked for and have no interval, or that one run alone has."""

    @property
    def task(self) -> str:
        """The family's own name of the task."""
        return str(self.second.record["task"])


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs of runs that were compared at once."""

    pairs: tuple[PairCompared, ...]

    @property
    def tests(self) -> int:
        """Over how many p-values Holm's adjustment goes."""
        every = (figure.p for pair in self.pairs for figure in pair.figures)
        return sum(not math.isnan(p) for p in every)

    def has(self, *verdicts: Verdict) -> bool:
        """Whether any figure of any pair came to one of these."""
        return any(figure.verdict in verdicts for pair in self.pairs for figure in pair.figures)


def margin_of(name: str, unit: Unit, margins: Mapping[str, float]) -> float | None:
    """Within how much two values of a figure are the same; None where nobody said.

    Of several patterns that the name matches, the last.
    """
    found = [margins[each] for each in margins if each != SHARES and fnmatchcase(name, each)]
    if found:
        return found[-1]
    return margins.get(SHARES) if unit in ("share", "difference") else None


def verdict_of(difference: Estimate, margin: float | None, better: Better | None) -> Verdict:
    """The word for a difference whose p-value is adjusted for all that was asked.

    EQUIVALENT comes first: a difference that is shown, and shown to be too small to matter, is
    none. Where every answer is the same no margin is needed.
    """
    low, high = difference.ci_low, difference.ci_high
    if math.isnan(low) or difference.p is None or math.isnan(difference.p):
        return "INCONCLUSIVE"
    if low == high == 0 or (margin is not None and -margin < low and high < margin):
        return "EQUIVALENT"
    if difference.p >= _ALPHA:
        return "INCONCLUSIVE"
    rises = difference.value > 0
    if better is None:
        return "HIGHER" if rises else "LOWER"
    return "BETTER" if rises == (better == "higher") else "WORSE"
