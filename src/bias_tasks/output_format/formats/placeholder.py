"""A filled placeholder: `So the answer is: answer`, with or without the braces of the template.

Corrected: the phrase occurs once; the answer is the rest of its line, or what its braces enclose,
and not the template's own "placeholder". Published: the phrase is followed by something; the
answer ends at the first `}`.
"""

from __future__ import annotations

import re

from bias_tasks.output_format.formats._wrapping import Wrapping
from bias_tasks.output_format.formats.types import NotFollowedError

_FILLED = re.compile(r"So the answer is: (.+)")


class _Placeholder(Wrapping):
    name = "placeholder"
    opening, closing = "So the answer is: ", ""

    def enclosed(self, text: str) -> str:
        _, phrase, rest = text.partition(self.opening)
        if not phrase or self.opening in rest:
            raise NotFollowedError(f"{self.opening!r} does not occur once")
        filled = rest.lstrip(" ")
        if filled.startswith("{"):
            answer, brace, _ = filled.lstrip("{").partition("}")
            if not brace:
                raise NotFollowedError("the braces are not closed")
        else:
            answer = filled.partition("\n")[0]
        if answer.strip().casefold() == "placeholder":
            raise NotFollowedError("the placeholder is not filled in")
        return answer

    def found(self, text: str) -> tuple[str | None, bool]:
        filled = _FILLED.search(text)
        return (None, False) if filled is None else (filled[1].partition("}")[0], True)


FORMAT = _Placeholder()
