"""Lists of options, a line each: "1. Solar", "3. Wind"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from bias_tasks.instruction_boundary.reading.options import Options
from bias_tasks.instruction_boundary.reading.statement import Region

# Another item of a list of options, or of steps.
_ITEM = re.compile(
    r"(?:\b(?:option|choice|statement) ?\(?|[\s,;(])(?P<number>\d{1,2})\)? ?[:.)=;-]+\s"
)
LIST_LINE = re.compile(
    r"(?m)^[ >✓|•·-]{0,8}(?:(?:option|choice|statement) )?"
    r"\(?(?P<number>\d{1,3}|[A-Za-z])(?:[.):]| {1,3}:) {1,4}(?=\S)"
)
_EMPTY_ITEM = re.compile(r"[\s>-]*\(?(?P<number>\d{1,3})(?P<mark>[.):])?\s*$")
_ITEM_LINE = re.compile(r"[ >✓|•·-]{0,8}\(?(\d{1,3})\b")
_HEADING = re.compile(r":[ >]*$|\b(?:not|incorrect|wrong|unsupported|excluded|others?)\b")
_INDENTED = re.compile(r"(?:  |[ >]?[-•·])")
MOST_LINES = 60
"""Lines of a numbered list that are followed."""


class Listed(NamedTuple):
    """Options at the heads of lines, and where the last of them ends."""

    numbers: tuple[int, ...]
    end: int


def empty_item(region: Region, pos: int) -> bool:
    """Whether what is left from `pos` on is the number of a list's next item, with nothing in it.

    A text that is cut off in a list ends so, or within that number: "10. Paris", and below it "1".
    """
    item = _EMPTY_ITEM.match(region.low, pos, region.end)
    if item is None:
        return False
    heads = [each["number"] for each in LIST_LINE.finditer(region.low, region.start, pos)]
    if item["mark"] is not None and str(int(item["number"]) - 1) in heads:
        return True
    line = _line_start(region, pos)
    above = None if region.low[line:pos].strip() else _number_above(region, line)
    if above is None or above not in heads[-1:]:
        return False
    if item["mark"] is not None:
        return int(item["number"]) > int(above)
    return str(int(above) + 1).startswith(item["number"])


def item_text(region: Region, pos: int) -> bool:
    """Whether the text of a list's item begins at `pos`: behind "6. ", below another item."""
    line = _line_start(region, pos)
    head = LIST_LINE.match(region.low, line, region.end)
    return head is not None and head.end() == pos and _number_above(region, line) is not None


def _line_start(region: Region, pos: int) -> int:
    return max(region.low.rfind("\n", region.start, pos) + 1, region.start)


def _number_above(region: Region, line: int) -> str | None:
    """The number that heads the line right above the one that begins at `line`."""
    if line <= region.start:
        return None
    above = max(region.low.rfind("\n", region.start, line - 1) + 1, region.start)
    head = _ITEM_LINE.match(region.low, above, line - 1)
    return None if head is None else head[1]


def listed(region: Region, options: Options, *, several: bool) -> Listed | None:
    """All options of a list whose first item was found.

    Under a heading, "1. Solar" may be followed by "3. Wind": both are the answer. Lines that count
    on from 1 without a gap may as well be reasoning, which is None, unless the heading speaks of
    `several` options.
    """
    whole = Listed(options.numbers, options.end)
    if len(options.numbers) > 1:
        return whole
    line_start = region.low.rfind("\n", 0, options.start) + 1
    head = LIST_LINE.match(region.low, line_start, region.end)
    if head is None or head.start("number") != options.start:
        return whole
    items = list(block(region, line_start, loose=several))
    if len(items) < 2:
        return None if _counts_on(region, head) else whole
    numbers = _rising(region, items) if several else chosen(region, items)
    return None if numbers is None else Listed(numbers, items[-1].end("number"))


def block(region: Region, pos: int, *, loose: bool = False) -> Iterator[re.Match[str]]:
    """The heads of a list from the line at `pos` on, up to a line that is no part of it.

    A text between its items belongs to it where `loose`, unless it heads another list.
    """
    last = -1
    for _ in range(MOST_LINES):
        if pos >= region.end:
            return
        stop = region.low.find("\n", pos, region.end)
        stop = region.end if stop < 0 else stop
        head = LIST_LINE.match(region.low, pos, stop)
        number = None if head is None else number_of(region, head)
        if head is not None and number is not None:
            if number <= last:
                return
            last = number
            yield head
        elif (loose and _HEADING.search(region.low, pos, stop)) or (
            region.low[pos:stop].strip() and not (loose or _INDENTED.match(region.low, pos, stop))
        ):
            return
        pos = stop + 1


def _counts_on(region: Region, head: re.Match[str]) -> bool:
    """Whether the next head of a list after "1." is "2.", whatever stands between them."""
    after = LIST_LINE.search(region.low, head.end(), region.end)
    first, second = number_of(region, head), None if after is None else number_of(region, after)
    return first is not None and second == first + 1


def number_of(region: Region, head: re.Match[str]) -> int | None:
    """The option number at the head of a line."""
    item = head["number"]
    if region.symbols == "numbers":
        return int(item) if item.isdecimal() else None
    return None if item.isdecimal() else ord(item.upper()) - ord("A")


def _rising(region: Region, heads: list[re.Match[str]]) -> tuple[int, ...] | None:
    """The numbers of list lines, None where one is of another kind."""
    numbers = [number for head in heads if (number := number_of(region, head)) is not None]
    return tuple(numbers) if len(numbers) == len(heads) else None


def chosen(region: Region, heads: list[re.Match[str]]) -> tuple[int, ...] | None:
    """The numbers of list lines that were picked: they skip one or begin behind the first."""
    numbers = _rising(region, heads)
    if numbers is None:
        return None
    first = 1 if region.symbols == "numbers" else 0
    gap = any(after - before > 1 for before, after in pairwise(numbers))
    return numbers if gap or numbers[0] > first else None


def goes_on(region: Region, pos: int, end: int, number: int) -> bool:
    """Whether a list goes on behind `pos` with the number after `number`."""
    items = _ITEM.finditer(region.low, pos, end)
    return any(int(item["number"]) == number + 1 for item in items)
