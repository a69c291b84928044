"""Reads what a judge answers: a score, scores by criterion, flaws, or the first wrong step.

The last well-formed JSON object that has the asked key decides; a single score may also stand in
words (`plain_scores`), and the position of a step alone. Whatever is out of range, missing, said
twice or no number leaves the answer unread: nothing is clipped or filled in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bias_tasks.complex_eval.reading.plain_scores import score_claims
from bias_tasks.complex_eval.reading.score_values import (
    ReportedFlaw,
    by_criterion,
    in_range,
    position,
    reported_flaws,
)
from bias_tasks.reading.bounds import Window
from bias_tasks.reading.json_objects import Found, Repeated, json_objects
from bias_tasks.reading.unread import nothing_in, unread

T = TypeVar("T")
_POSITION = re.compile(
    r"(?:the )?(?:(?:position of the )?first[ _]error(?: is)?(?: in| at)?[ \"':=]{1,4})?"
    r"(?:step )?(?P<number>-?\d{1,6})\.?"
)


@dataclass(frozen=True, slots=True)
class ScoreReading(Generic[T]):
    """What was read, or why nothing was."""

    value: T | None
    span: tuple[int, int] | None = None
    """Characters of the text (start, end) that the reading rests on."""
    reason: str | None = None
    """Why it is unread: no_response, refusal or invalid_response_format."""
    detail: str | None = None
    """One line for a person: what was read, or why nothing was."""


def read_score(text: str, scale: tuple[float, float]) -> ScoreReading[float]:
    """The one score of an answer."""
    found = _object(text, "score")
    if isinstance(found, Found):
        value, why = in_range(_field(found, "score"), scale)
        later = _claimed(text[found.end :])
        if value is not None and any(claim != value for claim in later):
            value, why = None, "another score follows the JSON object"
        return _read(text, value, why, (found.start, found.end))
    if found is not None:
        return _unread(text, found)
    return _plain_score(text, scale)


def read_criterion_scores(
    text: str, criteria: Sequence[str], scale: tuple[float, float]
) -> ScoreReading[dict[str, float]]:
    """The score of each criterion: `{"scores": {name: score}}`, each name once and no other.

    Criteria go by their names; case and spaces don't matter in the answer.
    """
    found = _object(text, "scores")
    if not isinstance(found, Found):
        return _unread(text, found or "no JSON object with scores")
    value, why = by_criterion(_field(found, "scores"), criteria, scale)
    return _read(text, value, why, (found.start, found.end))


def read_flaws(
    text: str, dimensions: Sequence[str], scale: tuple[float, float]
) -> ScoreReading[tuple[ReportedFlaw, ...]]:
    """The flaws of an answer: `{"flaws": [{"dimension", "severity", "quote"}]}`.

    Dimensions go by their names; case and spaces don't matter in the answer.
    """
    found = _object(text, "flaws")
    if not isinstance(found, Found):
        return _unread(text, found or "no JSON object with flaws")
    value, why = reported_flaws(_field(found, "flaws"), dimensions, scale)
    return _read(text, value, why, (found.start, found.end))


def read_first_error(text: str, steps: int) -> ScoreReading[int]:
    """The position of the first wrong step, from 0, or -1."""
    found = _object(text, "first_error")
    if isinstance(found, Found):
        value, why = position(_field(found, "first_error"), steps)
        return _read(text, value, why, (found.start, found.end))
    if found is not None:
        return _unread(text, found)
    window = Window.of(text)
    alone = _POSITION.fullmatch(window.low.strip())
    if alone is None:
        return _unread(text, "no JSON object with first_error, and no number alone")
    value, why = position(int(alone["number"]), steps)
    begin = len(text) - len(text.lstrip())
    return _read(text, value, why, (begin, len(text.rstrip())))


def _object(text: str, key: str) -> Found | str | None:
    """The last object with a key; None where there is none, or why none may be read."""
    objects = json_objects(text)
    if objects is None:
        return "too much that looks like a JSON object and is none"
    asked = [each for each in objects if isinstance(each.value, Repeated) or key in each.value]
    if not asked:
        return None
    last = asked[-1]
    if isinstance(last.value, Repeated):
        return "the JSON object says a key twice"
    return last


def _field(found: Found, key: str) -> Any:
    return found.value[key] if isinstance(found.value, dict) else None


def _plain_score(text: str, scale: tuple[float, float]) -> ScoreReading[float]:
    window = Window.of(text)
    claims = score_claims(window)
    if not claims:
        return _unread(text, "no score is stated")
    values = {claim.value for claim in claims}
    if len(values) > 1:
        return _unread(text, "several different scores")
    value, why = in_range(claims[-1].value, scale)
    first, last = window.span(claims[-1].start, claims[-1].end)
    return _read(text, value, why, (first, last))


def _claimed(text: str) -> list[float | None]:
    return [claim.value for claim in score_claims(Window.of(text))] if text.strip() else []


def _read(text: str, value: T | None, detail: str, span: tuple[int, int]) -> ScoreReading[T]:
    if value is None:
        return _unread(text, detail)
    return ScoreReading(value, span, detail=detail)


def _unread(text: str, why: str) -> ScoreReading[Any]:
    window = Window.of(text)
    reading = nothing_in(window) or unread(window, why)
    return ScoreReading(None, reason=reading.reason, detail=reading.detail)
