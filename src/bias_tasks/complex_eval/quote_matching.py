"""Which planted flaws of a dialogue a judge's reports locate, judged by the words that they quote.

A quote is compared word by word, without case and punctuation, and may leave words out ("Who would
... for so little?"). It shows a flaw if all of this holds:

- It occurs in the flaw's turn, and in no turn without words of such a flaw.
- It has at least half of the flaw's words, or at least half of its own words are the flaw's.
- It has at least `MIN_WORDS` words, or all words of the flaw.
"""

import re
from collections.abc import Sequence

from bias_tasks.complex_eval.scoring_data import PlantedFlaw
from bias_tasks.parsing.parsed_answer import ReportedFlaw
from bias_tasks.parsing.spelling import plain_spelling

MIN_WORDS = 3
_MIN_SHARED = 0.5
"""Share of the flaw's words, or of the quote's if it has fewer, that the two have in common."""
_WORD = re.compile(r"[^\W_]+")
_OMISSION = re.compile(r"(?:\.{3}|…)+")
Words = tuple[str, ...]
Span = tuple[int, int]
"""Positions of words in a turn: the first word, and the word after the last."""


def count_located(
    reported: Sequence[ReportedFlaw], planted: Sequence[PlantedFlaw], turns: Sequence[str]
) -> int:
    """Return the number of planted flaws that the reports locate.

    A report can stand for one planted flaw of its dimension that its quote shows, and no two
    reports for the same flaw. The number is the largest that is possible under these rules.

    Args:
        reported: The judge's reports.
        planted: The planted flaws.
        turns: The turns of the dialogue, each after its role, with which a quote may begin.
    """
    turn_words = [_split_words(turn) for turn in turns]
    flaws = [(flaw, _split_words(flaw.words)) for flaw in planted]
    flawed_turns: dict[str, set[int]] = {}
    for flaw, words in flaws:
        flawed_turns.setdefault(flaw.dimension, set()).update(_find_turns(turn_words, [words]))

    def find_flaws(report: ReportedFlaw) -> list[int]:
        """Return the indices of the planted flaws that a report shows."""
        split = map(_split_words, _OMISSION.split(report.quote))
        pieces = [words for words in split if words]
        if not pieces or sum(map(len, pieces)) > max(map(len, turn_words)):
            return []
        quoted_turns = _find_turns(turn_words, pieces)
        if not quoted_turns <= flawed_turns.get(report.dimension, set()):
            return []
        return [
            index
            for index, (flaw, words) in enumerate(flaws)
            if flaw.dimension == report.dimension and flaw.turn in quoted_turns
            if _shows(turn_words[flaw.turn], pieces, words)
        ]

    return count_matched([find_flaws(report) for report in reported])


def count_matched(choices: Sequence[Sequence[int]]) -> int:
    """Return the size of a maximum matching of reports to flaws.

    Args:
        choices: For each report, the indices of the flaws that it can stand for.
    """
    # Imported here: listing or building a task does not need them.
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
    """Return whether a quote in a turn has enough of the words of a flaw in that turn."""
    spans = [_find_occurrences(turn, piece) for piece in pieces]
    shared = (
        sum(max(_count_overlap(flaw_span, span) for span in piece_spans) for piece_spans in spans)
        for flaw_span in _find_occurrences(turn, flaw)
    )
    common = min(max(shared, default=0), len(flaw))
    length = sum(map(len, pieces))
    enough = length >= MIN_WORDS or common == len(flaw)
    return enough and common >= _MIN_SHARED * min(length, len(flaw))


def _find_turns(turns: Sequence[Words], pieces: Sequence[Words]) -> set[int]:
    """Return the indices of the turns in which the pieces follow each other."""
    return {index for index, turn in enumerate(turns) if _contains(turn, pieces)}


def _contains(turn: Words, pieces: Sequence[Words]) -> bool:
    start = 0
    for piece in pieces:
        ends = (end for begin, end in _find_occurrences(turn, piece) if begin >= start)
        end = next(ends, None)
        if end is None:
            return False
        start = end
    return True


def _find_occurrences(turn: Words, piece: Words) -> list[Span]:
    size = len(piece)
    starts = range(len(turn) - size + 1)
    return [(start, start + size) for start in starts if turn[start : start + size] == piece]


def _count_overlap(first: Span, second: Span) -> int:
    return max(min(first[1], second[1]) - max(first[0], second[0]), 0)


def _split_words(text: str) -> Words:
    return tuple(_WORD.findall(plain_spelling(text)))
