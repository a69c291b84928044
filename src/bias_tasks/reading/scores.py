"""Scores: one number on a scale, or one for each of several criteria."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bias_tasks.reading.bounds import Window, skip
from bias_tasks.reading.engine import SENTENCES, Form, read, stands
from bias_tasks.reading.json_fields import folded, number_of, objects
from bias_tasks.reading.patterns import patterns
from bias_tasks.reading.types import Value


class Score(Form):
    """A number on a scale, both ends included."""

    cue, opens, ended = patterns.score_cue, patterns.score_opens, patterns.score_ended

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def alone(self, window: Window, start: int, end: int) -> Value | None:
        """A number alone, or with its unit."""
        found = self.at(window, start, end)
        behind = end if found is None else skip(patterns.score_unit, window.low, found.end, end)
        return found if skip(patterns.closing, window.low, behind, end) == end else None

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """The number that a stretch begins with, on this scale."""
        low = window.low
        begin = skip(self.opens, low, start, end)
        match = patterns.score.match(low, begin, end)
        if match is None:
            return None
        value = float(match["value"])
        if match["most"] is not None and float(match["most"]) != self.high:
            return None
        return Value(value, match.start(), match.end()) if self.low <= value <= self.high else None

    def gainsays(self, window: Window, found: Value, start: int) -> bool:
        """Nothing: what is given out of the scale's most may be a part's."""
        return False

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """The number that a text begins with, where a line or a sentence ends behind it."""
        found = self.at(window, start, end)
        if found is None or patterns.score_listed.search(window.low, found.end):
            return None
        return found if self.ended.match(window.low, found.end) else None

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """Numbers that are given out of the scale's most: `8/10`, `8 out of 10`."""
        low, values = window.low, []
        for each in SENTENCES.finditer(low, start, end):
            for match in patterns.score.finditer(low, *each.span()):
                found = self.at(window, match.start(), each.end()) if match["most"] else None
                if found is not None and stands(low, each.start(), found):
                    values.append(found)
        return values


def criteria_in(
    text: str, criteria: Sequence[str], scale: tuple[float, float]
) -> Mapping[str, float] | str:
    """The score of every criterion; or why not all are said.

    They are the fields of an object (a number, or an object with a `score`), lines `Theme: 7`, or
    headings with a score below.
    """
    names = {folded(name): name for name in criteria}
    read_fields = (_fields(each, names, scale) for each in objects(text))
    said = [each for each in read_fields if len(each) == len(names)]
    if said:
        agree = all(scores == said[0] for scores in said)
        return said[0] if agree else "two objects give different scores"
    window = Window.of(text, unstruck=True)
    form, low = Score(*scale), window.low
    mentions = [(match, name) for plain, name in names.items() for match in _mentions(plain, low)]
    mentions.sort(key=lambda each: each[0].start())
    ends = [match.start() for match, _ in mentions[1:]] + [len(low)]
    scores: dict[str, float] = {}
    for (mention, name), end in zip(mentions, ends, strict=False):
        line = low.find("\n", mention.end(), end)
        found = form.at(window, mention.end(), end if line < 0 else line)
        if found is None and mention["heading"] is not None:
            cues = form.cue.finditer(low, mention.end(), end)
            found = next((each for cue in cues if (each := form.at(window, cue.end(), end))), None)
        if found is None or patterns.score_again.match(low, found.end):
            continue
        if scores.setdefault(name, float(found.said)) != found.said:
            return f"two scores for {name}"
    missing = [name for name in criteria if name not in scores]
    if len(criteria) == 1 and missing:
        only = read(text, form)
        return only.why if only.unread else {criteria[0]: float(only.value)}
    return f"no score for {', '.join(missing)}" if missing else scores


def _mentions(plain: str, low: str) -> Iterator[re.Match[str]]:
    """Where a criterion is named before its score: `Theme: `, `| Theme |`, or as a heading."""
    name = r"[\s_*-]+".join(map(re.escape, plain.split()))
    marks = r"(?::|=|-|→|\||\((?=[\d.]{1,4} ?/))"
    return re.finditer(
        rf"(?<!\w){name}(?!\w)[\"')\]]{{0,2}}(?:[^\n:=\d]{{0,30}}{marks}"
        r"|(?: gets?)?(?: an?)\b|(?P<heading>[ :]*\n))",
        low,
    )


def _fields(value: Any, names: Mapping[str, str], scale: tuple[float, float]) -> dict[str, float]:
    """The scores in the fields of an object, or of the first one in it that has some."""
    level = value if isinstance(value, list) else [value]
    for _ in range(3):
        for fields in level:
            found = {
                names[key]: number
                for key, each in _folded(fields).items()
                if key in names
                and (number := number_of(_score(each))) is not None
                and scale[0] <= number <= scale[1]
            }
            if found:
                return found
        # Objects in an object, but for what says the least and the most.
        inner = [(key, each) for fields in level for key, each in _folded(fields).items()]
        level = [each for key, each in inner if not key.startswith(("max", "min"))]
    return {}


def _folded(fields: Any) -> dict[str, Any]:
    items = fields.items() if isinstance(fields, Mapping) else ()
    return {folded(str(key)): each for key, each in items}


def _score(field: Any) -> Any:
    """A field's score: the field, or what it has under such a name."""
    names = ("score", "rating", "value")
    fields = _folded(field)
    return next((fields[name] for name in names if name in fields), None) if fields else field
