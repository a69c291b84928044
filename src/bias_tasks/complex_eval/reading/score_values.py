"""Whether what a judge's JSON holds are scores, flaws or a position: each value, or why not.

Every function returns the value, or None and why; with a value, the second is what was read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bias_tasks.complex_eval.reading.fields import MISSING, TWICE, field, named, number

MOST_FLAWS = 500
"""A longer list of flaws is unread."""
MILD_END = 5
"""The upper end of a rubric's scale of severities where it does not say another."""
TWICE_SAID = "the JSON object says a key twice"
_SCORE = ("score", "value", "rating", "points")
_NAME = ("name", "criterion", "criteria", "dimension", "aspect")
_SUMMARIES = frozenset({"overall", "total", "average", "mean", "final"})
Scale = tuple[float, float]


class ReportedFlaw(NamedTuple):
    """A flaw that a judge reports."""

    dimension: str
    """As the rubric names it."""
    severity: float
    quote: str


def in_range(value: Any, scale: Scale) -> tuple[float | None, str]:
    """A score: a number, one in a string, or one beside its reason."""
    if isinstance(value, Mapping):
        value = field(value, *_SCORE)
    said = number(value, (int(scale[1]),))
    if said is None:
        return None, "the score is no number"
    low, high = scale
    if not low <= said <= high:
        return None, f"the score {said:g} is not within {low:g} to {high:g}"
    return said, f"score {said:g}"


def position(value: Any, steps: int) -> tuple[int | None, str]:
    said = number(value, ())
    if said is None or said != int(said):
        return None, "the position is no whole number"
    if not -1 <= said < steps:
        return None, f"the position {said:g} is not within -1 to {steps - 1}"
    return int(said), f"position {said:g}"


def by_criterion(
    value: Any, criteria: Sequence[str], scale: Scale
) -> tuple[dict[str, float] | None, str]:
    """Scores by their criteria's names: an object, or a list of named scores.

    Each criterion has one score and nothing else has any, but for a summary that is not asked for.
    """
    entries = _entries(value)
    if entries is None:
        return None, "the scores are no object"
    given: dict[str, Any] = {}
    for name, score in entries:
        criterion = named(name, criteria)
        if criterion in given or (criterion is None and not _beside(name, score, scale)):
            return None, "the criteria are not those of the rubric, each once"
        if criterion is not None:
            given[criterion] = score
    if len(given) < len(criteria):
        return None, "the criteria are not those of the rubric, each once"
    scores: dict[str, float] = {}
    for name in criteria:
        score, why = in_range(given[name], scale)
        if score is None:
            return None, f"{name}: {why}"
        scores[name] = score
    return scores, "a score for each criterion"


def reported_flaws(
    value: Any, dimensions: Sequence[str], scale: Scale
) -> tuple[tuple[ReportedFlaw, ...] | None, str]:
    if isinstance(value, Mapping) and is_flaw(value):
        value = [value]
    if not isinstance(value, list):
        return None, "the flaws are no list"
    if len(value) > MOST_FLAWS:
        return None, f"more than {MOST_FLAWS} flaws"
    flaws = []
    for place, entry in enumerate(value):
        flaw, why = _flaw(entry, dimensions, scale)
        if flaw is None:
            return None, f"flaw {place}: {why}"
        flaws.append(flaw)
    return tuple(flaws), f"flaws: {len(flaws)}"


def is_flaw(entry: Mapping[str, Any]) -> bool:
    """Whether an object has all that a flaw has."""
    return all(field(entry, key) is not MISSING for key in ("dimension", "severity", "quote"))


def names_criterion(entry: Mapping[str, Any], criteria: Sequence[str]) -> bool:
    """Whether an object is one criterion's score, of a list that has no key."""
    name = field(entry, *_NAME)
    return isinstance(name, str) and named(name, criteria) is not None


def _entries(value: Any) -> list[tuple[str, Any]] | None:
    """The names and their scores."""
    if isinstance(value, Mapping):
        return list(value.items())
    if not isinstance(value, list) or not value:
        return None
    entries = []
    for entry in value:
        name = field(entry, *_NAME) if isinstance(entry, Mapping) else MISSING
        if not isinstance(name, str):
            return None
        entries.append((name, entry))
    return entries


def _beside(name: str, value: Any, scale: Scale) -> bool:
    """Whether a value beside the scores is none of a criterion: a summary, or a remark."""
    words = name.casefold().replace("_", " ").split()
    return not _SUMMARIES.isdisjoint(words) or in_range(value, (-1e9, 1e9))[0] is None


def _flaw(entry: Any, dimensions: Sequence[str], scale: Scale) -> tuple[ReportedFlaw | None, str]:
    if not isinstance(entry, Mapping):
        return None, "no object, or one that says a key twice"
    dimension, severity, quote = (field(entry, key) for key in ("dimension", "severity", "quote"))
    if TWICE in (dimension, severity, quote):
        return None, TWICE_SAID
    asked = named(dimension, dimensions) if isinstance(dimension, str) else None
    if asked is None:
        return None, "its dimension is not asked for"
    if not isinstance(quote, str):
        return None, "it has no quote"
    said = number(severity, {MILD_END, int(scale[1])})
    if said is None or said != int(said):
        return None, "its severity is no whole number"
    if not scale[0] <= said <= scale[1]:
        return None, f"its severity {said:g} is not within {scale[0]:g} to {scale[1]:g}"
    return ReportedFlaw(asked, said, quote), ""
