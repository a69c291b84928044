"""Numbers that stand in a sentence as a score: `7`, `7/10`, `7 out of 10`.

A number that is part of something else ("7-8", "75%", "7/100", "7,5", "7 or 8", "at least 7") is no
score, and no part of it is taken for one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bias_tasks.complex_eval.reading.asserted import conditional, disowned
from bias_tasks.complex_eval.reading.phrases import one_of

NUMBER = r"(?<![\w.,/+])(?P<number>[+-]?\d{1,6}(?:\.\d{1,6})?)"
OF_TEN = (
    r"(?: {0,4}/ {0,4}| {1,4}(?:out )?of (?:a (?:possible|maximum) )?)(?:10(?:\.0)?|ten)"
    r"(?!\.?\w| ?/)"
)
POINTS = r"(?: ?(?:points?|pts\.?|marks?)\b| ?[分点점])"
VALUE = rf"(?P<value>{NUMBER}(?:{OF_TEN}|{POINTS})?)"
END = re.compile(
    r"(?:[ \"'$})\]>]|\\[)\]]){0,6}(?:\Z|[.,;:!?\n|(<-]|[^\w\s]|"
    + one_of(
        "and because for since as but with on overall here from due given in which to_me at"
        " considering based thanks while although though so if_i if_pressed if_forced"
    )
    + r"\b)"
)
"""What may stand behind a number that is a score, so that "8 examples" is none."""
_MAYBE = one_of("maybe perhaps possibly")
_ANOTHER = rf"(?:or|{_MAYBE}) (?:(?:{_MAYBE}|even|rather|an?|just|is it) ){{0,2}}\d"
_GOES_ON = re.compile(
    r" {0,4}(?:/|%|percent\b|stars?\b|\?|\+)|\w|[.,]\d"
    r"| {0,6}(?:-|~|->|=>|→|;|\bto\b|\band\b) {0,6}\d"
    rf"|[^.\n\d]{{0,20}}\b{_ANOTHER}|[ .,;(?]{{0,6}}\b{_ANOTHER}"
    r"| {1,4}(?:out )?of (?:an? (?:\w{1,12} )?)?(?:\d|(?:five|ten|twenty|hundred)\b)"
    r"| (?:and|or) a half"
)
_TO_ANOTHER = r"[01] ?(?:-|to) ?(?!10\b)\d{1,3}"
_OTHER_SCALE = re.compile(
    rf"\b(?:scale|range) (?:of |from |is )?{_TO_ANOTHER}\b"
    rf"|\b(?:{_TO_ANOTHER}|(?:five|seven|hundred|[4-79]|100)[ -](?:point|star)s?) (?:scale"
    rf"|rating)\b"
    r"|[(\[] ?(?:[01] ?- ?|out of |of |max\w{0,4} )(?!10\b)\d{1,3} ?[)\]]"
    r"|\bout of (?!10\b)\d{1,3}(?= ?(?:\Z|[.,;)\n|]))"
)
_BOUND = one_of(
    "between at_(?:least|most) (?:more|less|higher|lower)_than above below under over up_to"
    " almost nearly from"
)
_GOES_BEFORE = re.compile(
    r"(?:\d {0,6}(?:-|~|;|\bto\b|\bor\b|\band\b) {0,5}"
    rf"|\b{_BOUND}|(?:\A|\s)[<>≤≥~≈])(?: an?)? ?\Z"
)
_BEFORE = 24


class Claim(NamedTuple):
    """A number said to be the score; None where it can't be read as one."""

    value: float | None
    since: int
    """Where the words begin that say so, in the plain spelling."""
    start: int
    end: int
    """Where the number does, and where it ends."""


def on_another_scale(low: str) -> bool:
    """Whether a text names a scale that does not end at 10."""
    return _OTHER_SCALE.search(low) is not None


def claim(found: re.Match[str], low: str) -> Claim:
    """The claim of a match of a pattern with a `VALUE`; a group `before` has what it replaces."""
    start, end = found.span("number")
    behind = found.end("value")
    whole = _GOES_ON.match(low, behind) is None and not (
        conditional(low, behind) or disowned(low[behind : behind + 40])
    )
    changed = "before" in found.re.groupindex
    alone = changed or _GOES_BEFORE.search(low[max(0, start - _BEFORE) : start]) is None
    value = float(found["number"]) if whole and alone else None
    return Claim(value, found.start(), start, end)
