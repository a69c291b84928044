"""Triple quotation marks, double or single: three before and three behind the answer.

Corrected: one run of three or more before and one behind, of the same kind of mark, straight or
typographic, over lines. Published: straight marks, of which exactly one pair stays within a line,
while the answer is that of the first pair over lines. Back ticks are no quotation marks in either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bias_tasks.output_format.formats._between import Stretch, Token, first_and_only, paired
from bias_tasks.output_format.formats._wrapping import Wrapping
from bias_tasks.output_format.formats.types import NotFollowedError

_DOUBLE, _SINGLE = '"""', "'''"
_RUN = re.compile("\"{3,}+|'{3,}+")
_DEFINES = re.compile(r"\s{0,40}(?:async )?(?:def|class) .*:")
_LINE = 300
"""Characters before a stretch that are examined."""
_STRAIGHT = str.maketrans("“”„‟«»＂‘’‚‛＇", '"""""""' + "'" * 5)


def _pairs(text: str) -> Iterator[str]:
    """What either mark encloses, from left to right."""
    ahead = {mark: text.find(mark) for mark in (_SINGLE, _DOUBLE)}
    while starts := {at: mark for mark, at in ahead.items() if at >= 0}:
        start = min(starts)
        stop = text.find(starts[start], start + 3)
        end = start + 1 if stop < 0 else stop + 3
        if stop >= 0:
            yield text[start + 3 : stop]
        # A mark is looked for again only behind where it was found: linear in the text.
        for mark, at in ahead.items():
            if 0 <= at < end:
                ahead[mark] = text.find(mark, end)


def _marks(text: str) -> Iterator[Token]:
    """Runs of three or more, which open and close in turn: the outermost three are the token."""
    opened = ""
    for run in _RUN.finditer(text):
        (start, end), kind = run.span(), run[0][0]
        if opened and kind != opened:
            raise NotFollowedError("triple quotation marks of two kinds are mixed")
        yield Token(end - 3, end, False, True) if opened else Token(start, start + 3, True, False)
        opened = "" if opened else kind


def _documents(text: str, stretch: Stretch) -> bool:
    """Whether a stretch is the documentation of a Python function or class: it stands behind it."""
    line = text[max(0, stretch.outer - _LINE) : stretch.outer].rstrip().rpartition("\n")[2]
    return _DEFINES.fullmatch(line) is not None


class _Quoting(Wrapping):
    name = "quoting"
    opening = closing = _DOUBLE

    def enclosed(self, text: str) -> list[Stretch]:
        stretches = paired(_marks(text.translate(_STRAIGHT)), "triple quotation marks")
        answers = [each for each in stretches if not _documents(text, each)]
        if not answers:
            raise NotFollowedError("triple quotation marks enclose a program's documentation")
        return answers

    def found(self, text: str) -> tuple[str | None, bool]:
        first = next(_pairs(text), None)
        if first is None:
            return None, False
        in_lines = (pair for line in text.split("\n") if len(line) > 5 for pair in _pairs(line))
        return first, first_and_only(in_lines)[1]


FORMAT = _Quoting()
