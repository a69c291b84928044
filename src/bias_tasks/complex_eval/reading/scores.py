"""Reads what a judge answers: a score, scores by criterion, flaws, or the first wrong step.

The JSON object that was asked for decides (`asked`); where there is none, the same said in words or
in a table (`plain_*`). Whatever is out of range, missing, said in two ways or no number leaves the
answer unread: nothing is clipped or filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bias_tasks.complex_eval.reading.asked import Reader, asked_object
from bias_tasks.complex_eval.reading.asserted import replaced, withdrawn
from bias_tasks.complex_eval.reading.own_words import own_parts
from bias_tasks.complex_eval.reading.plain_criteria import criteria_in_words
from bias_tasks.complex_eval.reading.plain_flaws import (
    flaws_in_words,
    names_a_flaw,
    no_flaws_in_words,
)
from bias_tasks.complex_eval.reading.plain_positions import position_in_words, positions_said
from bias_tasks.complex_eval.reading.plain_scores import score_claims, score_in_words
from bias_tasks.complex_eval.reading.reasoned import is_reasoning, reasoned
from bias_tasks.complex_eval.reading.said import Said
from bias_tasks.complex_eval.reading.score_objects import (
    criteria_in,
    first_error_in,
    flaws_in,
    score_in,
)
from bias_tasks.complex_eval.reading.score_values import ReportedFlaw, Scale
from bias_tasks.reading.bounds import Window, blanked
from bias_tasks.reading.json_objects import TAIL, Repeated, json_objects
from bias_tasks.reading.unread import nothing_in, unread

T = TypeVar("T")
Flaws = tuple[ReportedFlaw, ...]
TOO_BROKEN = "too much that looks like a JSON object and is none"
ONLY_A_PROMPT = "nothing but words of a prompt"


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


@dataclass(frozen=True, slots=True)
class _Reader(Generic[T]):
    """How one kind of answer is read."""

    in_object: Reader[T]
    in_words: Callable[[str], Said[T] | None]
    denied: Callable[[T, str, bool], bool]
    """Whether words before an object, or behind it (True), say another value than it."""
    what: str


def read_score(text: str, scale: Scale) -> ScoreReading[float]:
    """The one score of an answer."""
    reader = _Reader(
        in_object=lambda entry: score_in(entry, scale),
        in_words=lambda part: score_in_words(part, scale),
        denied=lambda value, words, behind: any(
            each.value != value for each in score_claims(Window.of(words), stated=not behind)
        ),
        what="score",
    )
    return _read(text, reader)


def read_criterion_scores(
    text: str, criteria: Sequence[str], scale: Scale
) -> ScoreReading[dict[str, float]]:
    """The score of each criterion: `{"scores": {name: score}}`, each name once and no other.

    Criteria go by their names; case, spaces and marks don't matter in the answer.
    """

    def denied(value: dict[str, float], words: str, _: bool) -> bool:
        said = criteria_in_words(words, criteria, scale)
        return said is not None and said.value != value

    reader = _Reader(
        in_object=lambda entry: criteria_in(entry, criteria, scale),
        in_words=lambda part: criteria_in_words(part, criteria, scale),
        denied=denied,
        what="scores of all criteria",
    )
    return _read(text, reader)


def read_flaws(text: str, dimensions: Sequence[str], scale: Scale) -> ScoreReading[Flaws]:
    """The flaws of an answer: `{"flaws": [{"dimension", "severity", "quote"}]}`.

    Dimensions go by their names; case, spaces and marks don't matter in the answer.
    """

    def denied(value: Flaws, words: str, behind: bool) -> bool:
        if value:
            return no_flaws_in_words(words, dimensions)
        said = None if behind else flaws_in_words(words, dimensions, scale)
        return names_a_flaw(words, dimensions) if behind else bool(said and said.value)

    reader = _Reader(
        in_object=lambda entry: flaws_in(entry, dimensions, scale),
        in_words=lambda part: flaws_in_words(part, dimensions, scale),
        denied=denied,
        what="flaws",
    )
    return _read(text, reader)


def read_first_error(text: str, steps: int) -> ScoreReading[int]:
    """The position of the first wrong step, from 0, or -1."""
    reader = _Reader(
        in_object=lambda entry: first_error_in(entry, steps),
        in_words=lambda part: position_in_words(part, steps),
        denied=lambda value, words, _: any(each != value for each in positions_said(words)),
        what="first_error",
    )
    return _read(text, reader)


def _read(text: str, reader: _Reader[T]) -> ScoreReading[T]:
    why, offset = ONLY_A_PROMPT, max(0, len(text) - TAIL)
    for begin, end in own_parts(text[offset:]):
        start = offset + begin
        said = _said(text[start : offset + end], reader)
        if said is None:
            why = f"no JSON object with {reader.what}, and no {reader.what} said in words"
        elif said.value is None:
            why = said.why
        else:
            return ScoreReading(said.value, (start + said.start, start + said.end), None, said.why)
    window = Window.of(text)
    reading = nothing_in(window) or unread(window, why)
    return ScoreReading(None, reason=reading.reason, detail=reading.detail)


def _said(text: str, reader: _Reader[T]) -> Said[T] | None:
    """What the object says that was asked for; where there is none, what words do."""
    objects = json_objects(text)
    if objects is None:
        return Said(None, TOO_BROKEN, 0, len(text))
    objects = reasoned(text, objects)
    found = asked_object(text, objects.found, reader.in_object)
    if found is None:
        within = [
            (each.start, each.end)
            for each in objects.found
            if is_reasoning(each.value) or _holds(each.value, reader)
        ]
        said = reader.in_words(blanked(text, sorted([*objects.broken, *within])))
    else:
        words = blanked(
            text, [*objects.broken, *((each.start, each.end) for each in objects.found)]
        )
        said = _undenied(found, words, reader)
    if said is not None and said.value is not None and withdrawn(text[said.end :].casefold()):
        return said._replace(value=None, why="the answer is taken back")
    return said


def _holds(value: dict[str, Any] | Repeated, reader: _Reader[T]) -> bool:
    """Whether an object holds what was asked for, though it is not the judge's own."""
    return isinstance(value, dict) and reader.in_object(value) is not None


def _undenied(found: Said[T], text: str, reader: _Reader[T]) -> Said[T]:
    """What an object says, unless words beside it say otherwise; `text` has blanks for objects."""
    before, after = text[: found.start], text[found.end :]
    if found.value is None:
        return found
    if reader.denied(found.value, after, True):
        return found._replace(value=None, why=f"another {reader.what} follows the JSON object")
    if reader.denied(found.value, before, False) and not replaced(before.casefold()):
        return found._replace(value=None, why=f"another {reader.what} precedes the JSON object")
    return found
