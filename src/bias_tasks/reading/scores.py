"""Scores: one number on a scale, or one for each of several criteria."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bias_tasks.reading.bounds import Window, skip
from bias_tasks.reading.engine import CLOSING, Value, read, sentences_of, stands
from bias_tasks.reading.json_fields import folded, number_of, objects

_NUMBER = (
    r"(?P<value>-?\d{1,4}(?:\.\d{1,15})?)(?![\d%]|\.\d|,\d)(?:[\"'*)\]}]{0,3} ?(?:/|out of"
    r"|of) ?(?P<most>\d{1,3})(?!\d))?"
)
_SCORE = re.compile(_NUMBER)
_ENDED = re.compile(r"[\"')\]]{0,2}(?:\s*\n|\s*-\s|\. |, |: |; | ?\()")
_LISTED = re.compile(r"\n\s{0,8}2[.)] ")
_RANGE = re.compile(r" ?(?:-|to|or) ?\d")
_OPEN = re.compile(
    r"(?:[\s\"'(\[{<$>|:=→;]|\\[(\[ ]|\\(?:text|mathrm|mathbf|textbf|boxed)\{|(?:a|an"
    r"|about|of|this|it|the response)\b){0,60}"
)
_WORD = (
    r"(?:(?:final|overall|total|my|the|average|response|numeric(?:al)?|quality)[ _])*(?:score"
    r"|rating|grade|mark|quality|points|verdict|evaluation|answer)s?"
)


@dataclass(frozen=True)
class Score:
    """A number on a scale, both ends included."""

    low: float
    high: float
    cue = re.compile(
        rf"\\(?:boxed"
        rf"|fbox)\{{|\[\[|\[result\]|<(?:final[ _]?)?(?:score|rating|answer)>|\b{_WORD}(?: (?:for"
        rf"|of) (?:the |this )?(?:response|answer|assistant|story"
        rf"|text)[a-z' ]{{0,30}})?[\"'}}]{{0,2}}(?: ?(?::|=|→)| (?:is|of|would be)\b:?)?"
        rf"|\b(?:i )?(?:would |'d |will )?(?:rate|give|score|grade|assign|award"
        rf"|rated)(?: (?:it|this|the|them|response|answer|story|a|an|assistant|text|score"
        rf"|rating|of|as|[ab]|at)\b)*"
        rf"|\b(?:deserves|earns|gets|receives|merits)(?: a| an)?"
    )

    def whole(self, window: Window, start: int, end: int) -> Value | None:
        """A number alone."""
        begin = skip(_OPEN, window.low, start, end)
        found = self.at(window, begin, end)
        if found is None:
            return None
        unit = re.match(r" ?(?:points?|stars?)", window.low[found.end : found.end + 8])
        return (
            found
            if skip(CLOSING, window.low, found.end + (unit.end() if unit else 0), end) == end
            else None
        )

    def item(self, window: Window, start: int, end: int) -> bool:
        """Lists are of no use here."""
        return False

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """The number that a stretch begins with, on this scale."""
        low = window.low
        begin = skip(_OPEN, low, start, end)
        match = _SCORE.match(low, begin, end)
        if match is None or _RANGE.match(low, match.end(), end):
            return None
        value = float(match["value"])
        if match["most"] is not None and float(match["most"]) != self.high:
            return None
        return Value(value, match.start(), match.end()) if self.low <= value <= self.high else None

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """The number that a text begins with, where a line or a sentence ends behind it."""
        found = self.at(window, start, end)
        if found is None or _LISTED.search(window.low, found.end):
            return None
        return found if _ENDED.match(window.low, found.end) else None

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """Numbers that are given out of the scale's most: `8/10`, `8 out of 10`."""
        values = []
        for begin, stop in sentences_of(window.low, start, end):
            for match in _SCORE.finditer(window.low, begin, stop):
                found = self.at(window, match.start(), stop) if match["most"] else None
                if found is not None and stands(window.low, begin, found):
                    values.append(found)
        return values


def criteria_in(
    text: str, criteria: Sequence[str], scale: tuple[float, float]
) -> Mapping[str, float] | str:
    """The score of every criterion; or why not all are said.

    They are the fields of an object (a number, or an object with a `score`), or lines
    `Theme: 7`, whose last one counts.
    """
    names = {folded(name): name for name in criteria}
    for value in reversed(objects(text)):
        scores = _fields(value, names, scale)
        if len(scores) == len(names):
            return scores
    window = Window.of(text, unstruck=True)
    form = Score(*scale)
    scores = {}
    for line in re.finditer(r"[^\n]+", window.low):
        for plain, name in names.items():
            at = re.search(
                rf"(?<!\w){re.escape(plain)}(?!\w)[\"')\]]{{0,2}}[^\n:=\d]{{0,30}}(?::|=|-|→|\|)",
                line[0],
            )
            if at is None:
                continue
            found = form.at(window, line.start() + at.end(), line.end())
            if found is not None:
                scores[name] = float(found.said)
    missing = [name for name in criteria if name not in scores]
    if len(criteria) == 1 and missing:
        only = read(text, form)
        return {criteria[0]: float(only.value.said)} if only.value is not None else only.why
    return f"no score for {', '.join(missing)}" if missing else scores


def _fields(value: Any, names: Mapping[str, str], scale: tuple[float, float]) -> dict[str, float]:
    if not isinstance(value, dict):
        return {}
    scores: dict[str, float] = {}
    for key, each in value.items():
        name = names.get(folded(str(key)))
        inner = (
            next((each[k] for k in each if folded(str(k)) in ("score", "rating", "value")), None)
            if isinstance(each, dict)
            else each
        )
        number = number_of(inner)
        if name is not None and number is not None and scale[0] <= number <= scale[1]:
            scores[name] = number
    if scores:
        return scores
    inner_objects = [each for each in value.values() if isinstance(each, dict)]
    for each in inner_objects:
        scores = _fields(each, names, scale)
        if scores:
            return scores
    return {}
