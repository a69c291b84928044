"""Finds the one list or mapping, as Python or JSON write it, that an answer gives.

It begins a line, alone or behind a name (`keyphrases = [...]`, `Keyphrases: [...]`), and ends one.
What stands before and behind it is no part of it (`_frame`); in a fence it stands alone. Whether it
is what was asked for is seen when it is parsed.
"""

from __future__ import annotations

import re

from bias_tasks.output_format.formats._frame import check_frame, framed
from bias_tasks.output_format.formats._literals import literal_end
from bias_tasks.output_format.formats._marks import EMPHASIS, unmarked
from bias_tasks.output_format.formats.types import NotFollowedError

_BEGINS = re.compile(
    r"(?m)^(?P<name>[ \t]*|[^\[\]{}\n\"'][^\[\]{}\n]{0,200}[:：=][*_`]{0,3}[ \t]*)(?=[\[{])"
)
_LINE_ENDS = re.compile(r"[ \t\r]*[*_`]{0,3}[.;]?[ \t\r]*(?:#[^\n]*)?(?:\n|\Z)")
_COMMENTS = re.compile(r"(?:\s++|#[^\n]*+)*+")


def literal_in(text: str, opening: str) -> str:
    """The piece of an answer that is its list or mapping.

    Args:
        text: the answer.
        opening: the bracket that opens it.

    Raises:
        NotFollowedError: the first that the answer gives is of the other kind, is not well formed,
            or not the only one.
    """
    parts = framed(text)
    body = unmarked(parts.body, EMPHASIS)
    begins = _BEGINS.search(body)
    if begins is None or body[begins.end()] != opening:
        raise NotFollowedError(f"no line begins with {opening}")
    end = literal_end(body, begins.end())
    line_ends = _LINE_ENDS.match(body, end)
    if line_ends is None:
        raise NotFollowedError("something follows in its line")
    before, behind = body[: begins.start()], body[line_ends.end() :]
    if parts.fenced and not (_COMMENTS.fullmatch(before) and _COMMENTS.fullmatch(behind)):
        raise NotFollowedError("it does not stand alone in its fence")
    if _BEGINS.search(behind):
        raise NotFollowedError("more than one list or mapping")
    check_frame(before + begins["name"], behind)
    return body[begins.end() : end]
