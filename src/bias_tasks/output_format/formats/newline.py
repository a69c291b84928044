"""A line for each element, and nothing before it.

Corrected: no line is a bullet or numbered, since that is another format, and a line alone is a list
of one only without a comma or semicolon. Published: every answer follows it, of which the numbers
are taken off the lines; a binary list has exactly 0 or 1 in every line.
"""

from __future__ import annotations

import re

from bias_tasks.output_format.formats._lists import TextList, filled_lines, texts
from bias_tasks.output_format.formats.types import NotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload

_MARKED = re.compile(r"(?:[-*+•]|[0-9]{1,9}[.)])\s")
_NUMBERED = re.compile(r"[0-9]{1,9}\.\s*")


class _NewLine(TextList):
    name = "newline"

    def elements(self, text: str, item: FormatItem) -> list[str]:
        lines = filled_lines(text)
        if any(_MARKED.match(line) for line in lines):
            raise NotFollowedError("a line is a bullet point or numbered")
        if len(lines) == 1 and ("," in lines[0] or ";" in lines[0]):
            raise NotFollowedError("the elements stand in one line")
        return lines

    def found(self, text: str, item: FormatItem) -> list[str] | None:
        if item.answer_type == "binary_list":
            return [line.strip() for line in text.split("\n")]
        return [_NUMBERED.sub("", line, count=1) for line in filled_lines(text)]

    def write(self, payload: Payload, item: FormatItem) -> str:
        return "\n".join(texts(payload))


FORMAT = _NewLine()
