"""Bullet points: a line each, behind `-`, `*`, `+` or `–` and a blank, or behind `•` and its kin.

Corrected: every line that holds something is a bullet, but for a lead before the first and a remark
that a blank line sets apart behind the last; indentation does not count. A bullet alone is a list
of one only without a comma or semicolon. Published: every line begins with `-`, which is how the
answers with `*` come to the printed 0.
"""

from __future__ import annotations

import re

from bias_tasks.output_format.formats._elements import BULLET, is_prose
from bias_tasks.output_format.formats._frame import announces, check_frame
from bias_tasks.output_format.formats._lists import TextList, texts
from bias_tasks.output_format.formats.types import NotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload

_SEVERAL = re.compile(r"[,;，；、]|\s[-*+•·–—]\s")


class _Bullet(TextList):
    name = "bullet"

    def elements(self, text: str, item: FormatItem) -> list[str]:
        lines = [line.strip() for line in text.split("\n")]
        bullets = [BULLET.fullmatch(line) for line in lines]
        places = [place for place, bullet in enumerate(bullets) if bullet is not None]
        if not places:
            raise NotFollowedError("no bullet point")
        before, behind = lines[: places[0]], lines[places[-1] + 1 :]
        if len(places) != sum(map(bool, lines[places[0] : places[-1] + 1])) or any(behind[:1]):
            raise NotFollowedError("a line is not a bullet point")
        lead = [line for line in before if line]
        if lead and not announces(lead[-1]):
            raise NotFollowedError("a line before the bullet points is no lead to them")
        check_frame("\n".join(lead), "\n".join(behind))
        elements = [bullet["element"] for bullet in bullets if bullet is not None]
        if len(elements) == 1 and _SEVERAL.search(elements[0]):
            raise NotFollowedError("the elements stand in one line")
        if is_prose(elements):
            raise NotFollowedError("the bullet points are sentences, not elements")
        return elements

    def found(self, text: str, item: FormatItem) -> list[str] | None:
        lines = text.split("\n")
        if not all(line.startswith("-") for line in lines):
            return None
        return [line.removeprefix("-").strip() for line in lines]

    def write(self, payload: Payload, item: FormatItem) -> str:
        return "\n".join(f"- {element}" for element in texts(payload))


FORMAT = _Bullet()
