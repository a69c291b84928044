"""Readings of answers that tell nothing, each with its reason."""

from __future__ import annotations

import re

from bias_tasks.reading.bounds import Window
from bias_tasks.reading.refusal import refuses, refuses_outright
from bias_tasks.reading.statement import Region
from bias_tasks.reading.types import Reading

_CUT_OFF = re.compile(
    r"(?:[,:;(\[{-]|(?<!\S)(?:the|a|an|(?<!lack )of|to|is|are|was|were|that|which|and|or|but|if"
    r"|then|with|by|for|from|because|since|has|have|we|therefore|thus|while|although))\s*$"
)


def nothing_in(window: Window) -> Reading | None:
    """The reading of an empty answer, None if there is something in it."""
    if window.low.strip():
        return None
    return Reading(None, "unread", reason="no_response", detail=window.note("an empty answer"))


def declined_reading(window: Window, region: Region) -> Reading | None:
    """The reading of an answer whose keywords must not be trusted, None if they may be.

    They are about something else when the question is refused, and may yet be revoked when the
    answer breaks off within a sentence.
    """
    if refuses_outright(window.low):
        return unread(window, "the question is refused")
    if cut_off(region.low, region.start, region.end):
        return unread(window, "cut off within a sentence")
    return None


def unread(window: Window, why: str) -> Reading:
    """An unread answer, told apart from a refusal."""
    reason = "refusal" if refuses(window.low) else "invalid_response_format"
    return Reading(None, "unread", reason=reason, detail=window.note(why))


def cut_off(low: str, start: int, end: int) -> bool:
    """Whether a text breaks off within a sentence."""
    return _CUT_OFF.search(low[max(start, end - 40) : end]) is not None
