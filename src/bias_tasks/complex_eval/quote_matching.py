"""Which planted flaws of a dialogue a judge's reports show, by the words that they quote.

A quote counts word by word, whatever the case and punctuation, and may leave something out ("Who
would ... for so little?"). It shows a flaw if it stands in the flaw's turn, and in no turn without
words of such a flaw; if it has most of the flaw's words, or consists of them for the most part; and
if it has at least `SHORTEST` words, or all of the flaw's.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.parsing.parsed_answer import ReportedFlaw
from bias_tasks.parsing.spelling import plain_spelling

SHORTEST = 3
"""Words."""
_MOST = 0.5
"""The share of the flaw's words, or of the quote's if it has fewer, that the two have in common."""
_WORD = re.compile(r"[^\W_]+")
_LEFT_OUT = re.compile(r"\.{3}|…")
Words = tuple[str, ...]
Span = tuple[int, int]
"""Of a turn's words: the first, and the one behind the last."""


def located(
    reported: Sequence[ReportedFlaw], planted: Sequence[Mapping[str, Any]], turns: Sequence[str]
) -> int:
    """How many planted flaws are among the judge's.

    A report may stand for one planted flaw of its dimension that its quote shows, and no two for
    the same; as many flaws are located as there can be in that way.

    A planted flaw has its `dimension`, its `turn` (position) and its `words` in that turn; the
    turns of the dialogue stand each with its role before it, with which a quote may begin."""
    said = [_words(turn) for turn in turns]
    flaws = [(flaw["dimension"], flaw["turn"], _words(flaw["words"])) for flaw in planted]
    flawed: dict[str, set[int]] = {}
    for dimension, _, words in flaws:
        flawed.setdefault(dimension, set()).update(_places(said, [words]))

    def shown(report: ReportedFlaw) -> list[int]:
        """The planted flaws that a report shows, by their places."""
        pieces = [words for piece in _LEFT_OUT.split(report.quote) if (words := _words(piece))]
        if not pieces or sum(map(len, pieces)) > max(map(len, said)):
            return []
        pinned = _places(said, pieces)
        if not pinned <= flawed.get(report.dimension, set()):
            return []
        return [
            place
            for place, (dimension, turn, words) in enumerate(flaws)
            if dimension == report.dimension and turn in pinned
            if _shows(said[turn], pieces, words)
        ]

    return matched([shown(report) for report in reported])


def matched(choices: Sequence[Sequence[int]]) -> int:
    """The size of a maximum matching of reports to the flaws that each may stand for."""
    # Imported here: listing or building a task doesn't need them.
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    pairs = [(report, flaw) for report, flaws in enumerate(choices) for flaw in flaws]
    if not pairs:
        return 0
    report, flaw = np.transpose(pairs)
    graph = csr_array((np.ones(len(pairs)), (report, flaw)))
    return int((maximum_bipartite_matching(graph) >= 0).sum())


def _shows(turn: Words, pieces: Sequence[Words], flaw: Words) -> bool:
    """Whether a quote that stands in a turn has enough of the words of a flaw there."""
    stand = [_occurrences(turn, piece) for piece in pieces]
    shared = (
        sum(max(_overlap(span, at) for at in places) for places in stand)
        for span in _occurrences(turn, flaw)
    )
    common = min(max(shared, default=0), len(flaw))
    length = sum(map(len, pieces))
    enough = length >= SHORTEST or common == len(flaw)
    return enough and common >= _MOST * min(length, len(flaw))


def _places(turns: Sequence[Words], pieces: Sequence[Words]) -> set[int]:
    """The turns in which the pieces stand, one behind the other."""
    return {place for place, turn in enumerate(turns) if _stand(turn, pieces)}


def _stand(turn: Words, pieces: Sequence[Words]) -> bool:
    start = 0
    for piece in pieces:
        ends = (end for begin, end in _occurrences(turn, piece) if begin >= start)
        end = next(ends, None)
        if end is None:
            return False
        start = end
    return True


def _occurrences(turn: Words, piece: Words) -> list[Span]:
    size = len(piece)
    return [(at, at + size) for at in range(len(turn) - size + 1) if turn[at : at + size] == piece]


def _overlap(one: Span, other: Span) -> int:
    return max(min(one[1], other[1]) - max(one[0], other[0]), 0)


def _words(text: str) -> Words:
    return tuple(_WORD.findall(plain_spelling(text)))
