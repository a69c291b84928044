"""What a quote shows of a dialogue: which turns it pins, and whether it shows a flaw there.

A quote counts word by word, so that case, space, quotation marks and other punctuation don't
matter, and it may leave something out ("Who would ... for so little?"). It shows a flaw if

- it stands in the flaw's turn, and in no turn without words of such a flaw: a quote that stands
  anywhere pins nothing;
- it has most of the flaw's words, or consists of them for the most part;
- it has at least `SHORTEST` words, or all of the flaw's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bias_tasks.reading.bounds import Window

SHORTEST = 3
"""Words."""
_MOST = 0.5
"""The share of the flaw's words, or of the quote's if it has fewer, that the two have in common."""
_WORD = re.compile(r"[^\W_]+")
_LEFT_OUT = re.compile(r"\.{3}|…")
Words = tuple[str, ...]
Span = tuple[int, int]
"""Of a turn's words: the first, and the one behind the last."""


class PlantedFlaw(NamedTuple):
    """A flaw, and where it stands."""

    dimension: str
    turn: int
    """From 0."""
    words: Words
    """Those of the turn that are the flaw."""


@dataclass(frozen=True, slots=True)
class FlawedDialogue:
    """The turns of a dialogue, word by word, and the flaws in them."""

    turns: tuple[Words, ...]
    flaws: tuple[PlantedFlaw, ...]
    flawed: Mapping[str, set[int]]
    """For each dimension the turns with words of a flaw in it."""

    @classmethod
    def of(cls, turns: Sequence[str], flaws: Sequence[Mapping[str, Any]]) -> FlawedDialogue:
        """A dialogue.

        Args:
            turns: each with its role before it, with which a quote may begin.
            flaws: each with its `dimension`, its `turn` (position) and its `words` in that turn.
        """
        said = tuple(map(_words, turns))
        planted = tuple(
            PlantedFlaw(flaw["dimension"], flaw["turn"], _words(flaw["words"])) for flaw in flaws
        )
        flawed: dict[str, set[int]] = {}
        for flaw in planted:
            flawed.setdefault(flaw.dimension, set()).update(_places(said, [flaw.words]))
        return cls(said, planted, flawed)

    def shown(self, dimension: str, quote: str) -> list[int]:
        """The flaws of a dimension that a quote shows, by their places among the flaws."""
        pieces = [words for piece in _LEFT_OUT.split(quote) if (words := _words(piece))]
        length = sum(map(len, pieces))
        if not pieces or length > max(map(len, self.turns)):
            return []
        pinned = _places(self.turns, pieces)
        if not pinned <= self.flawed.get(dimension, set()):
            return []
        return [
            place
            for place, flaw in enumerate(self.flaws)
            if flaw.dimension == dimension
            and flaw.turn in pinned
            and _shows(self.turns[flaw.turn], pieces, flaw.words)
        ]


def matched(choices: Sequence[Sequence[int]]) -> int:
    """How many reports can stand for a flaw each, no two for the same (Kuhn's algorithm).

    Args:
        choices: for each report the flaws that it may stand for.
    """
    taken: dict[int, int] = {}

    def placed(report: int, tried: set[int]) -> bool:
        for flaw in choices[report]:
            if flaw not in tried:
                tried.add(flaw)
                if flaw not in taken or placed(taken[flaw], tried):
                    taken[flaw] = report
                    return True
        return False

    return sum(placed(report, set()) for report in range(len(choices)))


def _shows(turn: Words, pieces: Sequence[Words], flaw: Words) -> bool:
    length = sum(map(len, pieces))
    common = _common(turn, pieces, flaw)
    enough = length >= SHORTEST or common == len(flaw)
    return enough and common >= _MOST * min(length, len(flaw))


def _places(turns: Sequence[Words], pieces: Sequence[Words]) -> set[int]:
    """The turns in which the pieces stand, one behind the other."""
    return {place for place, turn in enumerate(turns) if _stand(turn, pieces)}


def _common(turn: Words, pieces: Sequence[Words], flaw: Words) -> int:
    """The most words that the flaw and the quote have in common where both stand in a turn."""
    stand = [_occurrences(turn, piece) for piece in pieces]
    shared = (
        sum(max(_overlap(span, at) for at in places) for places in stand)
        for span in _occurrences(turn, flaw)
    )
    return min(max(shared, default=0), len(flaw))


def _overlap(one: Span, other: Span) -> int:
    return max(min(one[1], other[1]) - max(one[0], other[0]), 0)


def _occurrences(turn: Words, piece: Words) -> list[Span]:
    """Every place in a turn where a piece stands."""
    size = len(piece)
    return [(at, at + size) for at in range(len(turn) - size + 1) if turn[at : at + size] == piece]


def _stand(turn: Words, pieces: Sequence[Words]) -> bool:
    """Whether the pieces stand in a turn, one behind the other."""
    start = 0
    for piece in pieces:
        ends = (end for begin, end in _occurrences(turn, piece) if begin >= start)
        end = next(ends, None)
        if end is None:
            return False
        start = end
    return True


def _words(text: str) -> Words:
    return tuple(_WORD.findall(Window.of(text).low))
