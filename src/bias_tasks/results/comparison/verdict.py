"""What a difference comes to, in one word."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from bias_tasks.family import Outcome
from bias_tasks.figures import Better, Unit
from bias_tasks.results.comparison.compared import Verdict
from bias_tasks.statistics.estimate import Estimate

SHARES = ""
"""Stands for all shares and differences of shares where a margin has no pattern."""
_ALPHA = 0.05


def margin_of(name: str, unit: Unit, margins: Mapping[str, float]) -> float | None:
    """Within how much two values of a figure are the same; None where nobody said.

    Of several patterns that the name matches, the last.
    """
    found = [margins[each] for each in margins if each != SHARES and fnmatchcase(name, each)]
    if found:
        return found[-1]
    return margins.get(SHARES) if unit in ("share", "difference") else None


def nothing_read(name: str, outcomes: Iterable[Outcome]) -> bool:
    """Whether no answer was read of all that a figure is about: then it compares nothing.

    Args:
        name: the figure's; where it names variants it is about answers under these.
        outcomes: of both runs.
    """
    known = list(outcomes)
    parts = set(name.split("/"))
    named = [each for each in known if each.variant in parts]
    return all(each.answer is None for each in named or known)


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
