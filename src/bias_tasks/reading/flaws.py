"""What judges report of a response: the flaws in a dialogue, or the first wrong step."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bias_tasks.reading.bounds import Window, skip
from bias_tasks.reading.engine import CLOSING, Value, sentences_of, stands
from bias_tasks.reading.json_fields import folded, number_of, objects

MOST_FLAWS = 500
"""A longer list of flaws is unread."""
_NO_FLAWS = re.compile(
    r"\b(?:no|zero|without(?: any)?|not (?:find|see|have) any|didn't find any"
    r"|don't see any|found no) (?:clear |real |notable |significant |other "
    r"|such )*(?:flaws?|issues?|problems?|violations?)\b"
    r"|\bflaws? ?: ?(?:none|0|\[\])"
)


class ReportedFlaw(NamedTuple):
    """A flaw that a judge reports."""

    dimension: str
    """As the rubric names it."""
    severity: float
    quote: str


def flaws_in(
    text: str, dimensions: Sequence[str], scale: tuple[float, float]
) -> tuple[ReportedFlaw, ...] | str:
    """The flaws that an answer reports; or why they can't be read.

    They are the list `flaws` of the last object that has one, or the list by itself; words that
    deny any flaw say that there is none.
    """
    for value in reversed(objects(text)):
        listed = _listed(value)
        if listed is None:
            continue
        return _flaws(listed, dimensions, scale)
    window = Window.of(text, unstruck=True)
    found = _NO_FLAWS.search(window.low)
    if found is not None and stands(
        window.low, max(0, found.start() - 60), Value((), *found.span())
    ):
        return ()
    return "no list of flaws"


def _listed(value: Any) -> list[Any] | None:
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return None
    fields = {folded(str(key)): each for key, each in value.items()}
    for key in ("flaws", "issues", "violations", "problems"):
        listed = fields.get(key)
        if isinstance(listed, list):
            return listed
    return None


def _flaws(
    listed: list[Any], dimensions: Sequence[str], scale: tuple[float, float]
) -> tuple[ReportedFlaw, ...] | str:
    if len(listed) > MOST_FLAWS:
        return f"more than {MOST_FLAWS} flaws"
    names = {folded(name): name for name in dimensions}
    flaws = []
    for place, entry in enumerate(listed):
        if not isinstance(entry, Mapping):
            return f"flaw {place} is no object"
        fields = {folded(str(key)): each for key, each in entry.items()}
        name = names.get(folded(str(fields.get("dimension"))))
        severity, quote = number_of(fields.get("severity")), fields.get("quote")
        if name is None or not isinstance(quote, str):
            return f"flaw {place} has no dimension that was asked for, or no quote"
        if severity is None or severity != int(severity) or not scale[0] <= severity <= scale[1]:
            return f"flaw {place} has no whole severity within {scale[0]:g} to {scale[1]:g}"
        flaws.append(ReportedFlaw(name, severity, quote))
    return tuple(flaws)


_STEP = re.compile(
    r"(?:(?:step|paragraph|index|position|number|no\.?"
    r"|#) ?)?[(\[\"']?(?P<value>-?\d{1,3})(?![\d%]|\.\d|,\d)[)\]\"'}]?"
)
_ALL_RIGHT = re.compile(
    r"(?:there (?:is|are) |has |have |contains |find |found |with )?no (?:wrong|incorrect"
    r"|erroneous)? ?(?:errors?|mistakes?|steps?|step is (?:wrong|incorrect))\b(?! (?:in"
    r"|until|before|up to) step)"
    r"|(?:all|every)(?: of)?(?: the| these| \d{1,2}| six)*? ?(?:steps?|paragraphs?)? (?:is"
    r"|are) (?:all )?(?:correct|right|valid)|none of the (?:steps|paragraphs) (?:is|are"
    r"|has|have|contains?) (?:wrong|incorrect|an? error|errors?)"
)


_OPEN = re.compile(r"[\s\"'(\[{<$>|:=]{0,60}")


@dataclass(frozen=True)
class FirstError:
    """The first wrong step, counted from 0; -1 where every step is right."""

    steps: int
    cue = re.compile(
        r"\b(?:final )?(?:answer|verdict|index|position)[\"'}]{0,2} ?:"
        r"|\bfirst[ _]?(?:wrong|incorrect|erroneous|error|mistake|flawed|invalid"
        r"|false)(?:[ _](?:step|error|paragraph|index|position))?[\"'}]{0,2}"
        r"(?: (?:is|occurs|appears|comes|lies|happens|is made|is found"
        r"|was made))?(?: (?:in|at|with))?(?: ?(?::|=))?"
        r"|\b(?:error|mistake)s? (?:first )?(?:is|occurs|appears|comes|lies|happens"
        r"|is made|begins|starts)(?: (?:in|at|with))"
    )

    def whole(self, window: Window, start: int, end: int) -> Value | None:
        """A position alone."""
        begin = skip(_OPEN, window.low, start, end)
        found = self.at(window, begin, end)
        alone = found is not None and skip(CLOSING, window.low, found.end, end) == end
        return found if alone else None

    def item(self, window: Window, start: int, end: int) -> bool:
        """Lists are of no use here."""
        return False

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """The position that a stretch begins with."""
        match = _STEP.match(window.low, start, end)
        # A minus stands among the marks that may open a value.
        if (
            match is not None
            and start > 0
            and window.low[start - 1] == "-"
            and match.start("value") == start
        ):
            match = _STEP.match(window.low, start - 1, end)
        if match is None:
            right = _ALL_RIGHT.match(window.low, start, end)
            return None if right is None else Value(-1, *right.span())
        value = int(match["value"])
        return Value(value, *match.span("value")) if -1 <= value < self.steps else None

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """A statement that nothing is wrong."""
        return None

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """`Step 3 is wrong`, or that all are right."""
        low, wrong, right = window.low, [], None
        for begin, stop in sentences_of(low, start, end):
            every = _ALL_RIGHT.search(low, begin, stop)
            if every is not None:
                right = Value(-1, *every.span())
            for match in _WRONG_STEP.finditer(low, begin, stop):
                found = Value(int(match["value"]), *match.span())
                if stands(low, begin, found) and found.said < self.steps:
                    wrong.append(found)
        return [min(wrong, key=lambda value: value.said)] if wrong else [right] if right else []


_WRONG_STEP = re.compile(
    r"\b(?:step|paragraph) (?P<value>\d{1,3})\b,? (?:is|contains|has|makes)(?: clearly"
    r"| the first| an?| therefore)* (?:wrong|incorrect|error|mistake|false|invalid"
    r"|first error)"
)
