"""Lists in an answer: lines one after the other that begin alike, and what is said above them."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from bias_tasks.reading.bounds import skip
from bias_tasks.reading.patterns import patterns
from bias_tasks.reading.types import Value

_LEAD = 80
"""Characters before a value in which it is looked for what announces it."""
_SAID = re.compile("[\\w✓✗☐☑∅\ue000-\uf8ff]|\\[\\]")
_LINE, _BULLET = re.compile(r"[^\n]+"), re.compile(r"[^|•·+→-]")


@dataclass(eq=False, slots=True)
class Line:
    """A line of an answer."""

    start: int
    end: int
    bullet: str
    """What it begins with, but for ticks, crosses and boxes."""
    style: str
    """How the value is written that stands behind them; empty if there is none."""
    found: Value
    begin: int = 0
    """Where its list begins."""
    stop: int = 0
    """Where the next line begins that has a value."""


def lines_of(low: str, start: int, end: int) -> list[tuple[int, int]]:
    """The lines of a stretch that hold more than marks."""
    return [line.span() for line in _LINE.finditer(low, start, end) if _SAID.search(line[0])]


def lists_in(low: str, head: Callable[[int, int], tuple[str, Value]]) -> list[list[Line]]:
    """The lines of a text, those together that begin with the same bullet and style and are as far
    below one another. `head` says with what style and value a stretch begins."""
    lists = list[list[Line]]()
    for start, end in lines_of(low, 0, len(low)):
        at = skip(patterns.line_marks, low, start, end)
        line = Line(start, end, _BULLET.sub("", low[start:at]), *head(at, end))
        group = lists[-1] if lists else [line]
        gap = group[1].start - group[0].end if len(group) > 1 else start - group[-1].end
        alike = (line.bullet, line.style) == (group[0].bullet, group[0].style)
        if lists and alike and start - group[-1].end == gap:
            group.append(line)
        else:
            lists.append([line])
    stop = len(low)
    for group in reversed(lists):
        for line in reversed(group):
            line.begin, line.stop = group[0].start, stop
            stop = line.start if line.style else stop
    return lists


def heading(low: str, begin: int) -> tuple[str, bool | None]:
    """What announces the values that begin at a place, and whether it calls them right or wrong."""
    match = patterns.announces.search(low[max(0, begin - _LEAD) : begin].rstrip(" -•·+→([\"'"))
    said = "" if match is None else match[0]
    wrong, right = patterns.called_wrong.search(said), patterns.called_right.search(said)
    if wrong:
        return said, False
    return said, True if right and not patterns.reasons.search(said) else None


def judged_in(low: str, line: Line, stop: int) -> set[bool]:
    """Whether marks in a line, or else words from its value up to `stop`, call that right."""
    blank = patterns.blank_line.search(low, line.end, stop)
    words = patterns.line_verdict.finditer(
        low, line.found.end - 1, stop if blank is None else blank.start()
    )
    marks = list(patterns.mark.finditer(low, line.start, line.end))
    return {each["right"] is not None for each in marks or words}
