"""Finds what stands between two tokens, in one pass over the text: a pattern would look for the end
anew from each beginning."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from bias_tasks.output_format.items import Payload

OPENING, CLOSING = "<ANSWER>", "</ANSWER>"
"""The tags of a final answer."""
MOST_STRETCHES = 200
"""Stretches between tokens: in a text of more, none is singled out as the answer."""
_SPOKEN_OF = re.compile(r"[\W_]*(?:and|or|followed by|tags?)\b.{0,40}")
"""Between two tags that are joined: `Wrap it by <ANSWER> and </ANSWER>.`"""
_ASTERISKS = re.compile(r"\\.|\*++")
_ENDS_CLAUSE = frozenset(".,:;!?)]}")
_FACTOR_ENDS = frozenset("0123456789)]%")
_FACTOR_BEGINS = frozenset("0123456789(")
Place = tuple[int, int]  # where a token begins and ends


class NotFollowedError(Exception):
    """An answer does not follow the format; its text says why."""

    def __init__(self, why: str, taken: Payload | None = None) -> None:
        """`taken` is what the published instrument takes out of the answer all the same."""
        super().__init__(why)
        self.taken = taken


class Stretch(NamedTuple):
    """Places in a text: of what two tokens enclose, and from the one token to the other."""

    outer: int
    start: int
    end: int
    behind: int


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


def first_in_tags(text: str) -> str:
    """The first stretch between the tags of a final answer; a NotFollowedError without one."""
    if (found := next(between(text, OPENING, CLOSING), None)) is None:
        raise NotFollowedError(f"no {OPENING}...{CLOSING}")
    return found


def in_tags(text: str) -> list[Stretch]:
    """What the tags of a final answer enclose, but for tags that are spoken of."""
    found = enclosed(text, OPENING, CLOSING)
    answers = [each for each in found if not _SPOKEN_OF.fullmatch(text, each.start, each.end)]
    if not answers:
        raise NotFollowedError("the tags are spoken of alone")
    return answers


def enclosed(text: str, opening: str, closing: str) -> list[Stretch]:
    """The stretches between two different tokens, which take turns, over lines. Where a token's
    character is repeated further, the outermost are the token: `a (b)` is in `((a (b)))`."""
    opens, closes = f"({re.escape(opening)})", f"({re.escape(closing)})"
    if len(set(opening)) == 1:
        one, other = re.escape(opening[0]), re.escape(closing[0])
        opens, closes = rf"{opens}{one}*+", rf"{other}*?{closes}(?!{other})"
    name = f"{opening}...{closing}"

    def in_turn() -> Iterator[Place]:
        for at, found in enumerate(re.finditer(f"{opens}|{closes}", text)):
            kind = 1 + at % 2
            if found.lastindex != kind:
                raise NotFollowedError(f"{name} is not well formed")
            yield found.span(kind)

    return paired(in_turn(), name)


def emphasised(text: str, length: int) -> list[Stretch]:
    """What two runs of exactly `length` asterisks enclose, over lines. Bold has no part in italics,
    nor the other way round; a longer run makes bold ambiguous: `***x***`, `****`."""
    name = f"{'*' * length}...{'*' * length}"
    return paired(_emphasis(text, length, name), name)


def paired(tokens: Iterable[Place], name: str) -> list[Stretch]:
    """The stretches between tokens of which every second one closes; at least one."""
    found = list(islice(tokens, 2 * MOST_STRETCHES + 2))
    if len(found) > 2 * MOST_STRETCHES + 1:
        raise NotFollowedError(f"{name} occurs more than {MOST_STRETCHES} times")
    if len(found) % 2 or not found:
        raise NotFollowedError(f"{name} is not closed" if len(found) > 1 else f"no {name}")
    return [Stretch(*one, *other) for one, other in zip(found[::2], found[1::2], strict=True)]


def _emphasis(text: str, length: int, name: str) -> Iterator[Place]:
    """The runs that open or close emphasis of this length: none that stands free (a bullet), in a
    product or behind a back slash, or that could only close where nothing is open (a footnote's).
    """
    opened = False
    for match in _ASTERISKS.finditer(text):
        start, end = match.span()
        if text[start] != "*" or (end - start == 1) != (length == 1) or _product(text, start, end):
            continue
        footnote = start > 0 and text[start - 1].isalnum() and text[end : end + 1] in _ENDS_CLAUSE
        opens = end < len(text) and not text[end].isspace() and not footnote
        closes = start > 0 and not text[start - 1].isspace()
        if not opens and not (opened and closes):
            continue
        if end - start != length or (opened and not closes):
            raise NotFollowedError(f"{name} is not well formed")
        yield start, end
        opened = not opened


def _product(text: str, start: int, end: int) -> bool:
    """Whether the asterisks stand between two factors, without blanks: `9*2`, `x**2`, `l*w`. A
    letter behind a number may be a unit (`*5*kg`), and letters are bold within a word."""
    before, behind = text[max(0, start - 1) : start], text[end : end + 1]
    if behind in _FACTOR_BEGINS:
        return before in _FACTOR_ENDS or _latin(before)
    if before in _FACTOR_ENDS:  # a letter that stands alone is a variable
        return _latin(behind) and not text[end + 1 : end + 2].isalnum()
    return end - start == 1 and _latin(before) and _latin(behind)


def _latin(char: str) -> bool:
    return char.isascii() and char.isalpha()
