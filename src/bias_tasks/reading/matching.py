"""Where patterns match, for the readers."""

from __future__ import annotations

import re


def last_end(pattern: re.Pattern[str], text: str) -> int:
    """Where the last match in a text ends, 0 if there is none."""
    last = 0
    for match in pattern.finditer(text):
        last = match.end()
    return last


def skip(pattern: re.Pattern[str], text: str, pos: int, end: int) -> int:
    """Where a match at `pos` ends, `pos` itself if there is none."""
    match = pattern.match(text, pos, end)
    return pos if match is None else match.end()
