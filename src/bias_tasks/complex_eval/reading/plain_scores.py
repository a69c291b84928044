"""Scores that are said in words: "Score: 7", "7/10", or a number alone.

A number that is part of something else ("7-8", "75%", "7/100", "7,5") is a claim that can't be
read, so that no part of it is taken for a score. A key of broken JSON is no label.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bias_tasks.reading.bounds import Window

_NUMBER = r"(?<![\w.,/+])(?P<number>[+-]?\d{1,6}(?:\.\d{1,6})?)"
_OF_TEN = r"(?: ?/ ?10(?![\w/])| out of 10(?!\w))"
_SCALE = r"(?: ?\((?:from )?1 ?(?:-|to) ?10\)| ?\(out of 10\))?"
_LABELLED = re.compile(
    rf"\b(?P<final>(?:final|overall|total) )?(?:score|rating)\b{_SCALE}[ \n:=]{{0,6}}"
    rf"(?:(?:is|of|would be) )?[ \n\"'(\[]{{0,4}}{_NUMBER}{_OF_TEN}?"
)
_BARE = re.compile(_NUMBER + _OF_TEN)
_ALONE = re.compile(rf"[\s\"'(\[]{{0,20}}{_NUMBER}{_OF_TEN}?[\s\"')\].]{{0,20}}")
_GOES_ON = re.compile(r" ?[/%]|\w|[.,]\d| ?(?:-|~|\bto\b|\bor\b|\band\b) ?\d")


class Claim(NamedTuple):
    """A number said to be the score; None where it can't be read as one."""

    value: float | None
    start: int
    end: int


def score_claims(window: Window) -> list[Claim]:
    """The claims of the highest rank that there are, by place in the plain spelling.

    Ranks: the number that is all of the text; a final, overall or total score; a score; a number
    out of ten.
    """
    low = window.low
    alone = _ALONE.fullmatch(low)
    if alone is not None:
        return [_claim(alone, low)]
    labelled = list(_LABELLED.finditer(low))
    finals = [match for match in labelled if match["final"]]
    return [_claim(match, low) for match in finals or labelled or _BARE.finditer(low)]


def _claim(match: re.Match[str], low: str) -> Claim:
    part = match.end("number") < match.end() or _GOES_ON.match(low, match.end()) is None
    start, end = match.span("number")
    return Claim(float(match["number"]) if part else None, start, end)
