"""Finds what stands between two tokens, in one pass over the text.

A pattern such as `\\(\\((.*?)\\)\\)` looks for the end anew from each beginning, which is
quadratic in a text of beginnings alone. Where the tokens do not stand as they are asked for,
`NotFollowedError` says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from bias_tasks.output_format.formats.types import NotFollowedError

MOST_STRETCHES = 200
"""Stretches between tokens: in a text of more, none is singled out as the answer."""


class Stretch(NamedTuple):
    """Places in a text: of what two tokens enclose, and of the tokens round it."""

    outer: int
    """Where the opening token begins."""
    start: int
    end: int
    behind: int
    """Where the closing token ends."""


class Token(NamedTuple):
    """A token's places, and whether it may open and may close."""

    start: int
    end: int
    opens: bool
    closes: bool


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


def enclosed(text: str, opening: str, closing: str) -> list[Stretch]:
    """The stretches between two different tokens, which take turns, over lines."""
    pattern = re.compile(f"{re.escape(opening)}|{re.escape(closing)}")
    tokens = (
        Token(*found.span(), found[0] == opening, found[0] == closing)
        for found in pattern.finditer(text)
    )
    return paired(tokens, f"{opening}...{closing}")


def paired(tokens: Iterable[Token], name: str) -> list[Stretch]:
    """The stretches between tokens that open and close in turn; there is at least one.

    Args:
        tokens: in the order of the text.
        name: what the pair is called where it is missing.
    """
    stretches: list[Stretch] = []
    opened: Token | None = None
    for token in tokens:
        if opened is None:
            if not token.opens:
                raise NotFollowedError(f"{name} is not well formed")
            opened = token
            continue
        if not token.closes:
            raise NotFollowedError(f"{name} is not well formed")
        stretches.append(Stretch(opened.start, opened.end, token.start, token.end))
        opened = None
        if len(stretches) > MOST_STRETCHES:
            raise NotFollowedError(f"{name} occurs more than {MOST_STRETCHES} times")
    if opened is not None:
        raise NotFollowedError(f"{name} is not closed" if stretches else f"no {name}")
    if not stretches:
        raise NotFollowedError(f"no {name}")
    return stretches
