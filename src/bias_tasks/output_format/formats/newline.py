"""A line for each element.

Corrected: a lead before the elements and remarks behind them, a blank line between, are none. No
line is a bullet, numbered, a sentence or part of another kind of list, and a line alone is a list
of one only without a comma or semicolon. Published: every answer follows it, lead and all, of which
the numbers are taken off the lines; a binary list has exactly 0 or 1 in every line.
"""

from __future__ import annotations

import re

from bias_tasks.output_format.formats._elements import (
    bracketed,
    is_prose,
    is_remark,
    is_sentence,
    is_unfinished,
    marked,
    of_other_kind,
)
from bias_tasks.output_format.formats._frame import without_label
from bias_tasks.output_format.formats._lists import TextList, behind_lead, filled_lines, texts
from bias_tasks.output_format.formats._marks import EMPHASIS, unmarked
from bias_tasks.output_format.formats.types import NotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload

_NUMBERED = re.compile(r"[0-9]{1,9}\.\s*")
_SEVERAL = re.compile(r"[,;，；、\t]|( [|/→•·–-] ).*\1| (?:\||and|&|\+) |<br|\\n")
_MANY = 5
"""Words behind the first of a line alone: so many are rather several elements than one."""
_BREAK = re.compile(r"\n[ \t\r]*\n")


class _NewLine(TextList):
    name = "newline"

    def elements(self, text: str, item: FormatItem) -> list[str]:
        lines = behind_lead(filled_lines(_without_remarks(text)))
        if not lines:
            raise NotFollowedError("no element")
        lines[0] = without_label(lines[0])
        if any(map(marked, lines)):
            raise NotFollowedError("a line is a bullet point or numbered")
        if _says_something(lines):
            raise NotFollowedError("the lines are sentences, not elements")
        if len(lines) == 1 and (_SEVERAL.search(lines[0]) or lines[0].count(" ") >= _MANY):
            raise NotFollowedError("the elements stand in one line")
        if _has_heading(lines):
            raise NotFollowedError("the first line may be a heading")
        if bracketed("\n".join(lines)) or any(map(of_other_kind, lines)):
            raise NotFollowedError("the list is of another kind")
        return lines

    def found(self, text: str, item: FormatItem) -> list[str] | None:
        if item.answer_type == "binary_list":
            return [line.strip() for line in text.split("\n")]
        return [_NUMBERED.sub("", line, count=1) for line in filled_lines(text)]

    def write(self, payload: Payload, item: FormatItem) -> str:
        return "\n".join(texts(payload))


def _without_remarks(text: str) -> str:
    """The text up to the sentences that end it behind a blank line."""
    parts = _BREAK.split(text)
    while len(parts) > 1 and is_sentence(parts[-1]):
        parts.pop()
    return "\n\n".join(parts)


def _has_heading(lines: list[str]) -> bool:
    """Whether the first line alone is bold, as a heading is."""
    bold = [line.startswith("**") and unmarked(line, EMPHASIS) != line for line in lines[:2]]
    return bold == [True, False]


def _says_something(lines: list[str]) -> bool:
    """Whether the lines are sentences, one over several lines, or led to by one."""
    if len(lines) == 1:
        return is_remark(lines[0])
    first = lines[0].count(" ") >= 3 and is_remark(lines[0]) and not is_remark(lines[1])
    return first or is_sentence(lines[0]) or is_prose(lines) or any(map(is_unfinished, lines))


FORMAT = _NewLine()
