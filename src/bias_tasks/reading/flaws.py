"""What judges report of a response: the flaws in a dialogue, or the first wrong step."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.reading.bounds import Window
from bias_tasks.reading.engine import SENTENCES, Form, stands
from bias_tasks.reading.json_fields import folded, number_of, objects
from bias_tasks.reading.patterns import patterns
from bias_tasks.reading.types import ReportedFlaw, Value

MOST_FLAWS = 500
"""A longer list of flaws is unread."""


def flaws_in(
    text: str, dimensions: Sequence[str], scale: tuple[float, float]
) -> tuple[ReportedFlaw, ...] | str:
    """The flaws that an answer reports; or why they can't be read.

    They are the list `flaws` of an object, or the list by itself; words that deny any flaw say that
    there is none.
    """
    listed = [each for value in objects(text) if (each := _listed(value)) is not None]
    if listed:
        agree = all(each == listed[0] for each in listed)
        return _flaws(listed[0], dimensions, scale) if agree else "two lists of different flaws"
    low = Window.of(text, unstruck=True).low
    none = patterns.no_flaws.search(low)
    said = none is not None and stands(low, max(0, none.start() - 60), Value((), *none.span()))
    return () if said else "no list of flaws"


def _listed(value: Any) -> list[Any] | None:
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return None
    fields = {folded(str(key)): each for key, each in value.items()}
    named = (fields.get(key) for key in ("flaws", "issues", "violations", "problems"))
    return next((each for each in named if isinstance(each, list)), None)


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


class FirstError(Form):
    """The first wrong step, counted from 0; -1 where every step is right."""

    opens = re.compile(r"[\s\"'(\[{<$>|:=]{0,60}")
    cue = patterns.step_cue

    def __init__(self, steps: int) -> None:
        self.steps = steps

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """The position that a stretch begins with."""
        # A minus stands among the marks that may open a value.
        minus = re.match(r"-\d", window.low[start - 1 : start + 1]) if start else None
        match = patterns.step.match(window.low, start - 1 if minus else start, end)
        if match is None:
            right = patterns.no_wrong_step.match(window.low, start, end)
            return None if right is None else Value(-1, *right.span())
        value = int(match["value"])
        return Value(value, *match.span("value")) if -1 <= value < self.steps else None

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """A statement that nothing is wrong."""
        return None

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """`Step 3 is wrong`, or that all are right."""
        low, wrong, right = window.low, [], None
        for each in SENTENCES.finditer(low, start, end):
            every = patterns.no_wrong_step.search(low, *each.span())
            if every is not None and stands(low, each.start(), Value(-1, *every.span())):
                right = Value(-1, *every.span())
            for match in patterns.wrong_step.finditer(low, *each.span()):
                found = Value(int(match["value"]), *match.span())
                if stands(low, each.start(), found) and found.said < self.steps:
                    wrong.append(found)
        return [min(wrong, key=lambda value: value.said)] if wrong else [right] if right else []
