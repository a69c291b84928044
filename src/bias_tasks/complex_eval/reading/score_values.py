"""Whether what a judge's JSON holds are scores, flaws or a position: each value, or why not.

Every function returns the value, or None and why; with a value, the second is what was read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

MOST_FLAWS = 500
"""A longer list of flaws is unread."""


class ReportedFlaw(NamedTuple):
    """A flaw that a judge reports."""

    dimension: str
    """As the rubric names it."""
    severity: float
    quote: str


def in_range(value: Any, scale: tuple[float, float]) -> tuple[float | None, str]:
    # True is an int of Python's, and no score.
    if type(value) not in (int, float):
        return None, "the score is no number"
    low, high = scale
    if not low <= value <= high:
        return None, f"the score {value:g} is not within {low:g} to {high:g}"
    return float(value), f"score {value:g}"


def position(value: Any, steps: int) -> tuple[int | None, str]:
    if type(value) not in (int, float) or value != int(value):
        return None, "the position is no whole number"
    if not -1 <= value < steps:
        return None, f"the position {value:g} is not within -1 to {steps - 1}"
    return int(value), f"position {value:g}"


def by_criterion(
    value: Any, criteria: Sequence[str], scale: tuple[float, float]
) -> tuple[dict[str, float] | None, str]:
    if not isinstance(value, Mapping):
        return None, "the scores are no object"
    given = [_folded(name) for name in value]
    if sorted(given) != sorted(_folded(name) for name in criteria):
        return None, "the criteria are not those of the rubric, each once"
    by_name = dict(zip(given, value.values(), strict=True))
    scores: dict[str, float] = {}
    for name in criteria:
        score, why = in_range(by_name[_folded(name)], scale)
        if score is None:
            return None, f"{name}: {why}"
        scores[name] = score
    return scores, "a score for each criterion"


def reported_flaws(
    value: Any, dimensions: Sequence[str], scale: tuple[float, float]
) -> tuple[tuple[ReportedFlaw, ...] | None, str]:
    if not isinstance(value, list):
        return None, "the flaws are no list"
    if len(value) > MOST_FLAWS:
        return None, f"more than {MOST_FLAWS} flaws"
    asked = {_folded(name): name for name in dimensions}
    flaws = []
    for place, entry in enumerate(value):
        flaw, why = _flaw(entry, asked, scale)
        if flaw is None:
            return None, f"flaw {place}: {why}"
        flaws.append(flaw)
    return tuple(flaws), f"flaws: {len(flaws)}"


def _flaw(
    entry: Any, asked: Mapping[str, str], scale: tuple[float, float]
) -> tuple[ReportedFlaw | None, str]:
    if not isinstance(entry, Mapping):
        return None, "no object, or one that says a key twice"
    dimension, quote = entry.get("dimension"), entry.get("quote")
    if not isinstance(dimension, str) or _folded(dimension) not in asked:
        return None, "its dimension is not asked for"
    if not isinstance(quote, str):
        return None, "it has no quote"
    severity, why = in_range(entry.get("severity"), scale)
    if severity is None:
        return None, f"severity: {why}"
    return ReportedFlaw(asked[_folded(dimension)], severity, quote), ""


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
