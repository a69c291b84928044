"""Where in an answer a sentence stands: at an edge, where answers are given, or within it."""

from __future__ import annotations

import re

from bias_tasks.instruction_boundary.reading.statement import Region
from bias_tasks.reading.bounds import last_end
from bias_tasks.reading.unread import cut_off

_SENTENCE_END = re.compile(r"[!?;\n]|\.(?!\d)")
_CONCLUDING = re.compile(
    r"\b(?:so|thus|therefore|hence|consequently|accordingly|overall|finally|ultimately|in the end"
    r"|in (?:conclusion|summary|short)|to (?:conclude|summarize)|(?:up)?on reflection)\b"
)
_GOES_ON = re.compile(
    r"\b(?:however|but|yet|wait|let's|let (?:us|me)|maybe|perhaps|try|re-?(?:check|examine"
    r"|consider|calculate|compute|visit)\w{0,3}|assum\w{1,5}|alternatively|instead)\b"
)
_ALONE = 60
"""Characters of a line that says one thing."""
_LATE = 400
"""Characters before the end in which a conclusion is the last one."""


def sentence(region: Region, start: int, end: int) -> tuple[int, int]:
    """Start and end of the sentence, or the line, that holds a stretch."""
    opens = region.start + last_end(_SENTENCE_END, region.low[region.start : start])
    closes = _SENTENCE_END.search(region.low, end, region.end)
    return opens, region.end if closes is None else closes.start()


def at_edge(region: Region, start: int, end: int) -> bool:
    """Whether a stretch stands where answers are given.

    That is in the first or the last sentence of a region, on a line of its own, or in a conclusion
    near the end that nothing goes back on. In between it may be a step that is left again.
    """
    opens, closes = sentence(region, start, end)
    before, behind = region.low[region.start : opens], region.low[closes : region.end]
    if not _said(before):
        return True
    if not _said(behind):
        return not cut_off(region.low, region.start, region.end)
    if _lone_line(region, start, end):
        return True
    concluding = _CONCLUDING.search(region.low, opens, start) is not None
    return concluding and len(behind) <= _LATE and _GOES_ON.search(behind) is None


def _lone_line(region: Region, start: int, end: int) -> bool:
    """Whether a stretch begins its line, and little else stands on it."""
    opens = max(region.start, region.low.rfind("\n", region.start, start) + 1)
    closes = region.low.find("\n", end, region.end)
    closes = region.end if closes < 0 else closes
    return not _said(region.low[opens:start]) and closes - start <= _ALONE


def _said(text: str) -> bool:
    return any(character.isalnum() for character in text)
