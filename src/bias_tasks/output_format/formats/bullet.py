"""Bullet points: a line each, behind `-`, `*`, `+` or `•` and a blank.

Corrected: every line that holds something is a bullet; indentation does not count. Published: every
line begins with `-`, which is how the answers with `*` come to the printed 0.
"""

from __future__ import annotations

import re

from bias_tasks.output_format.formats._lists import TextList, filled_lines, texts
from bias_tasks.output_format.formats.types import NotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload

_BULLET = re.compile(r"[-*+•]\s++(?P<element>\S.*)")


class _Bullet(TextList):
    name = "bullet"

    def elements(self, text: str, item: FormatItem) -> list[str]:
        bullets = [_BULLET.fullmatch(line) for line in filled_lines(text)]
        found = [bullet["element"] for bullet in bullets if bullet is not None]
        if len(found) != len(bullets):
            raise NotFollowedError("a line is not a bullet point")
        return found

    def found(self, text: str, item: FormatItem) -> list[str] | None:
        lines = text.split("\n")
        if not all(line.startswith("-") for line in lines):
            return None
        return [line.removeprefix("-").strip() for line in lines]

    def write(self, payload: Payload, item: FormatItem) -> str:
        return "\n".join(f"- {element}" for element in texts(payload))


FORMAT = _Bullet()
