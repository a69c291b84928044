"""What a JSON object says of what was asked: its value, or why none; None where it is another.

Keys and names count whatever their case and marks (`fields`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.complex_eval.prompts.judge import REASONING
from bias_tasks.complex_eval.reading.fields import MISSING, TWICE, bare, field, named, number
from bias_tasks.complex_eval.reading.score_values import (
    TWICE_SAID,
    ReportedFlaw,
    Scale,
    by_criterion,
    in_range,
    is_flaw,
    position,
    reported_flaws,
)

_SCORE_KEYS = (
    "score",
    "finalscore",
    "overallscore",
    "totalscore",
    "rating",
    "finalrating",
    "overallrating",
    "grade",
    "overall",
)
"""The first of these that an object has is its score."""
_IN_PLACE = ("final", "revised", "corrected", "updated", "adjusted", "new", "overall", "total")
_MOST_KEYS = ("maxscore", "max", "maximum", "maximumscore", "outof", "scalemax")
_SCORES_KEYS = (
    "scores",
    "ratings",
    "criteriascores",
    "criterionscores",
    "criteria",
    "score",
    "evaluation",
    "evaluations",
    "assessment",
    "result",
    "results",
)
_POSITION_KEYS = (
    "firsterror",
    "firsterrorstep",
    "firsterrorposition",
    "firstwrongstep",
    "firstincorrectstep",
    "firstwrong",
)


def score_in(entry: Mapping[str, Any], scale: Scale) -> tuple[float | None, str] | None:
    score = field(entry, *_SCORE_KEYS)
    if score is MISSING:
        return None
    most = number(field(entry, *_MOST_KEYS), ())
    if score is TWICE:
        return None, TWICE_SAID
    if most is not None and most != scale[1]:
        return None, f"the score is on another scale, up to {most:g}"
    if any(number(value, (10,)) != number(score, (10,)) for value in _rivals(entry, "score")):
        return None, "two different scores in the JSON object"
    return in_range(score, scale)


def _rivals(entry: Mapping[str, Any], key: str) -> list[Any]:
    """What an object says under a key that claims to stand above or in place of another."""
    rivals = {prefix + key for prefix in _IN_PLACE}
    return [value for name, value in entry.items() if bare(name) in rivals]


def criteria_in(
    entry: Mapping[str, Any], criteria: Sequence[str], scale: Scale
) -> tuple[dict[str, float] | None, str] | None:
    """Scores under one key, or as the object itself."""
    if isinstance(field(entry, "scores"), Mapping | list):  # a criterion may be called Reasoning
        entry = {name: value for name, value in entry.items() if bare(name) != REASONING}
    names = {named(key, criteria) for key in entry}
    if names.issuperset(criteria):
        return by_criterion(entry, criteria, scale)
    scores = field(entry, *_SCORES_KEYS)
    if scores is TWICE:
        return None, TWICE_SAID
    if isinstance(scores, Mapping):
        inner = field(scores, *_SCORES_KEYS)
        scores = inner if isinstance(inner, Mapping | list) else scores
    if any(value != scores for value in _rivals(entry, "scores")):
        return None, "two different scores in the JSON object"
    if isinstance(scores, Mapping | list) or field(entry, "scores") is not MISSING:
        return by_criterion(scores, criteria, scale)
    return by_criterion(entry, criteria, scale) if names - {None} else None


def first_error_in(entry: Mapping[str, Any], steps: int) -> tuple[int | None, str] | None:
    found = field(entry, *_POSITION_KEYS)
    if any(value != found for value in _rivals(entry, "firsterror")):
        return None, "two different positions in the JSON object"
    if found is MISSING:
        return None
    return (None, TWICE_SAID) if found is TWICE else position(found, steps)


def flaws_in(
    entry: Mapping[str, Any], dimensions: Sequence[str], scale: Scale
) -> tuple[tuple[ReportedFlaw, ...] | None, str] | None:
    found = field(entry, "flaws")
    if found is MISSING:
        return None
    return (None, TWICE_SAID) if found is TWICE else reported_flaws(found, dimensions, scale)


def listed_flaw(entry: Any) -> bool:
    """Whether an object is one flaw, of a list that has no key."""
    return isinstance(entry, Mapping) and is_flaw(entry)
