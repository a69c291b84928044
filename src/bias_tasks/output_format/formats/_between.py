"""Finds what stands between two tokens, in one pass over the text.

A pattern such as `\\(\\((.*?)\\)\\)` looks for the end anew from each beginning, which is
quadratic in a text of beginnings alone. Where the tokens do not stand as they are asked for,
`NotFollowedError` says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from bias_tasks.output_format.formats.types import NotFollowedError


def between(text: str, opening: str, closing: str) -> Iterator[str]:
    """Every shortest stretch between the tokens, from left to right, over lines."""
    end = 0
    while (start := text.find(opening, end)) >= 0:
        start += len(opening)
        stop = text.find(closing, start)
        if stop < 0:
            return
        yield text[start:stop]
        end = stop + len(closing)


def between_in_lines(text: str, opening: str, closing: str) -> Iterator[str]:
    """The same, of tokens that stand in one line."""
    if opening in text and closing in text:
        for line in text.split("\n"):
            yield from between(line, opening, closing)


def first_and_only(found: Iterator[str]) -> tuple[str | None, bool]:
    """The first of what was found, None if there is none, and whether it is the only one."""
    head = list(islice(found, 2))
    return (head[0] if head else None), len(head) == 1


def enclosed_once(text: str, opening: str, closing: str) -> str:
    """What stands between two tokens that occur once each, in this order."""
    for token in (opening, closing):
        if (n := text.count(token)) != 1:
            raise NotFollowedError(f"{token} occurs {n} times")
    start, stop = text.find(opening) + len(opening), text.find(closing)
    if stop < start:
        raise NotFollowedError(f"{closing} stands before {opening}")
    return text[start:stop]


def enclosed_in_runs(text: str, opening: str, closing: str, length: int) -> str:
    """What stands between two runs of `length` or more of a character.

    The outermost characters of a longer run are the token: the answer in `((a (b)))` is `a (b)`.

    There must be exactly two such runs, an opening and a closing one. The character that closes may
    be the one that opens; `length` is at least 2.
    """
    run = re.compile(
        "|".join(f"{re.escape(char)}{{{length},}}" for char in sorted({opening, closing}))
    )
    runs = list(islice(run.finditer(text), 3))
    if [found[0][0] for found in runs] != [opening, closing]:
        token = f"{opening * length} ... {closing * length}"
        raise NotFollowedError(f"{token} does not occur once and well formed")
    return text[runs[0].start() + length : runs[1].end() - length]


_RUN = re.compile(r"\\.|\*++")


def _runs(text: str) -> Iterator[tuple[int, int, bool, bool]]:
    """Start and end of each run, and whether it may open and may close emphasis.

    A run that stands free (`3 * 4`, a bullet) does neither and is left out, as is an asterisk
    behind a back slash.
    """
    for match in _RUN.finditer(text):
        start, end = match.span()
        opens = end < len(text) and not text[end].isspace()
        closes = start > 0 and not text[start - 1].isspace()
        if text[start] == "*" and (opens or closes):
            yield start, end, opens, closes


def emphasised(text: str, length: int) -> str:
    """What two runs of exactly `length` asterisks enclose, over lines.

    There must be exactly two, the first of which opens and the second closes.

    Args:
        text: the answer.
        length: 1, where longer runs have no part in it (bold is not italics), or 2, where single
            asterisks have none. A longer run makes bold ambiguous: `***x***`, `****`.
    """
    runs = (run for run in _runs(text) if (run[1] - run[0] == 1) == (length == 1))
    pair = list(islice(runs, 3))
    if (
        len(pair) != 2
        or any(end - start != length for start, end, _, _ in pair)
        or not (pair[0][2] and pair[1][3])
    ):
        token = "*" * length
        raise NotFollowedError(f"{token}...{token} does not occur once and well formed")
    return text[pair[0][1] : pair[1][0]]
