"""What a probe that dresses one response is, and how a response's text is taken apart."""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

_SENTENCE_ENDS = re.compile(r"(?<=[.!?])[ \t]+(?=[A-Z0-9\"“'(])|(?<=[。！？])")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_SET = re.compile(r"\s{0,20}(?:[-*+•] |\d{1,3}[.)] |#{1,6} |[|>]|\$\$|\\\[|\\begin|    |\t)")
"""How a line begins that is set already: a list, a heading, a table, a quotation, a formula."""
_WIDE = 60
"""Characters from which a line may have been broken at a width."""


class Dressing(ABC):
    """One way to dress a response that neither adds nor takes away what it claims."""

    name: ClassVar[str]
    meaning: ClassVar[str]
    """What it does, in a line."""

    @abstractmethod
    def dressed(self, response: str, rng: random.Random) -> str:
        """The response, dressed; never as it was.

        Args:
            response: any text that is not empty.
            rng: seeded by the run, the item and the probe.
        """


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a response."""

    text: str
    prose: bool
    """Whether it is running text: not blank, not code, not set as a list, a heading or a table."""


def lines_of(response: str) -> list[Line]:
    """The lines of a response; of running text that is broken at a width, the whole paragraph.

    Code in a fence that is never closed is code to the end.
    """
    found: list[Line] = []
    fenced = False
    for text in response.split("\n"):
        fence = _FENCE.match(text) is not None
        fenced ^= fence
        prose = not fenced and not fence and bool(text.strip()) and not _SET.match(text)
        if prose and found and found[-1].prose and _goes_on(found[-1].text, text):
            found[-1] = Line(f"{found[-1].text} {text.lstrip()}", prose=True)
        else:
            found.append(Line(text, prose=prose))
    return found


def _goes_on(line: str, following: str) -> bool:
    """Whether a line is broken within a sentence, which goes on in the one that follows."""
    return len(line) >= _WIDE and line[-1] not in ".!?:" and following.lstrip()[:1].islower()


def sentences_of(prose: str) -> list[str]:
    """The sentences of running text, in order; joined by blanks they are the text again."""
    return [each.strip() for each in _SENTENCE_ENDS.split(prose) if each.strip()]
