"""A filled placeholder: `So the answer is: answer`, with or without the braces of the template.

Corrected: the phrase is filled in once; the answer is the rest of its line, or what its braces
enclose, and not the template's own "placeholder". The phrase may be bold, and its colon of full
width. Published: the phrase is followed by something; the answer ends at the first `}`.
"""

from __future__ import annotations

import re

from bias_tasks.output_format.formats._between import MOST_STRETCHES, Stretch
from bias_tasks.output_format.formats._wrapping import Wrapping
from bias_tasks.output_format.formats.types import NotFollowedError

_FILLED = re.compile(r"So the answer is: (.+)")
_TYPOGRAPHIC = {"“": "”", "‘": "’", "«": "»"}
_CLOSED_BY = {**_TYPOGRAPHIC, '"': '"', "'": "'"}
_PHRASE = re.compile(
    r"(?P<mark>[*_]{1,3}|[“‘«])?(?P<phrase>So the answer is)"
    r"[*_]{0,3}(?::[*_]{0,3} |：[*_]{0,3}) {0,5}"
)
_LINE = 300
"""Characters of a line behind the phrase in which a quotation's end is looked for."""


class _Placeholder(Wrapping):
    name = "placeholder"
    opening, closing = "So the answer is: ", ""

    def enclosed(self, text: str) -> list[Stretch]:
        phrases = list(_PHRASE.finditer(text))
        if not phrases or len(phrases) > MOST_STRETCHES:
            raise NotFollowedError(f"{self.opening!r} occurs {len(phrases)} times")
        limits = [phrase.start() for phrase in phrases[1:]] + [len(text)]
        fillings = [
            _filling(text, phrase, limit)
            for phrase, limit in zip(phrases, limits, strict=True)
            if not _quoted(text, phrase)
        ]
        if not fillings:
            raise NotFollowedError("the phrase is quoted within a sentence")
        return fillings

    def found(self, text: str) -> tuple[str | None, bool]:
        filled = _FILLED.search(text)
        return (None, False) if filled is None else (filled[1].partition("}")[0], True)


def _quoted(text: str, phrase: re.Match[str]) -> bool:
    """Whether a sentence quotes the phrase, filled in or not, and goes on behind the quotation."""
    start = phrase.start("phrase")
    closing = _CLOSED_BY.get(text[max(0, start - 1) : start])
    if closing is None:
        return False
    line = text[phrase.end() : phrase.end() + _LINE].partition("\n")[0]
    closed = re.search(rf"{closing}(?=[\s.,;:!?)])(?P<rest>.*)", line)
    return closed is not None and any(map(str.isalnum, closed["rest"]))


def _filling(text: str, phrase: re.Match[str], limit: int) -> Stretch:
    """What follows a phrase: in its braces, else up to the end of the line or to the next one."""
    start = phrase.end()
    if text.startswith("{", start):
        start = next((at for at in range(start, limit) if text[at] != "{"), limit)
        end = text.find("}", start, limit)
        if end < 0:
            raise NotFollowedError("the braces are not closed")
        return Stretch(phrase.start(), start, end, end + 1)
    line = text.find("\n", start, limit)
    behind = end = limit if line < 0 else line
    mark = _TYPOGRAPHIC.get(phrase["mark"], phrase["mark"])
    if mark and text.endswith(mark, start, end):
        end -= len(mark)
    return Stretch(phrase.start(), start, end, behind)


FORMAT = _Placeholder()
