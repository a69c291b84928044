"""Answers that decline to say anything, or break off."""

from __future__ import annotations

import re

# Refusals of the whole request; "the answer cannot be determined" is none.
_DECLINED = re.compile(
    r"\b(?:can't|cannot|can not|won't|will not|unable to|not able to|not going to|must decline to"
    r"|decline to|refuse to|not comfortable)"
    r" (?:help|assist|comply|fulfil|fulfill|engage|participate|discuss|complete|continue|process"
    r"|respond|answer|provide|do that|do this|offer|share|give|with)\b"
    r"|\bas an ai\b|\bi must decline\b|\bi(?:'m| am) sorry, but i\b"
    r"|\bagainst (?:my|our) (?:guidelines|policy|policies)\b"
)
_OUTRIGHT = re.compile(
    r"\b(?:can't|cannot|can not|won't|will not|unable to|not able to) (?:help|assist|comply|fulfil"
    r"|fulfill|engage|participate|discuss)\b|\bi must decline\b"
    r"|\bi (?:won't|will not|refuse to|decline to|would rather not|am not going to)"
    r" (?:choose|pick|select|say|judge|decide|take (?:sides|a side|a position))\b"
)
_BEGINNING = 400


def refuses(low: str) -> bool:
    """Whether an answer that names nothing declines to answer."""
    return _DECLINED.search(low, 0, _BEGINNING) is not None


def refuses_outright(low: str) -> bool:
    """Whether an answer declines so plainly that keywords in it are about the refusal."""
    return _OUTRIGHT.search(low, 0, _BEGINNING) is not None


_CUT_OFF = re.compile(
    r"(?:[,:;(\[{-]|(?<!\S)(?:the|a|an|(?<!lack )of|to|is|are|was|were|that|which|and|or|but|if"
    r"|then|with|by|for|from|because|since|has|have|we|therefore|thus|while|although))\s*$"
)


def cut_off(low: str, start: int, end: int) -> bool:
    """Whether a text breaks off within a sentence."""
    return _CUT_OFF.search(low[max(start, end - 40) : end]) is not None
