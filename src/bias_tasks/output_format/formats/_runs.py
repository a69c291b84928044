"""Tokens that are runs of one character: double brackets and parentheses, asterisks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bias_tasks.output_format.formats._between import Stretch, Token, paired
from bias_tasks.output_format.formats.types import NotFollowedError

_ASTERISKS = re.compile(r"\\.|\*++")
_CALLED = re.compile(r"[A-Za-z_]\(?\Z")
_OPERATOR = re.compile(r"[ \t]{0,5}(?:[=×÷^]|[*/+-][ \t]{0,5}[\d(])")
_ENDS_CLAUSE = frozenset(".,:;!?)]}")
_FACTOR_ENDS = frozenset("0123456789)]%")
_FACTOR_BEGINS = frozenset("0123456789(")


def enclosed_in_runs(text: str, opening: str, closing: str) -> list[Stretch]:
    """The stretches between runs of two or more of a character that opens and one that closes.

    The outermost two characters of a longer run are the token: the answer in `((a (b)))` is
    `a (b)`. A back slash may stand before each, as Markdown escapes it: `\\[[a\\]]`. In `\\[[a]\\]`
    the back slashes belong to LaTeX's delimiters round a single bracket.
    """
    one, other = rf"\\?{re.escape(opening)}", rf"\\?{re.escape(closing)}"
    run = re.compile(
        rf"(?P<opens>(?:{one}){{2}})(?:{one})*+|(?:{other})*?(?P<closes>(?:{other}){{2}})(?!{other})"
    )
    latex = f"{closing}\\{closing}"
    tokens = (
        Token(*found.span(kind), kind == "opens", kind == "closes")
        for found in run.finditer(text)
        for kind in ("opens", "closes")
        if found[kind] and found[0] != latex
    )
    stretches = paired(tokens, f"{opening * 2}...{closing * 2}")
    answers = [each for each in stretches if not _in_expression(text, each)]
    if not answers:
        raise NotFollowedError("the brackets are those of an expression")
    return answers


def _in_expression(text: str, stretch: Stretch) -> bool:
    """Whether brackets belong to an expression: `sqrt((64))`, `x[[0]]`, `((8)) × 8`."""
    called = _CALLED.search(text[max(0, stretch.outer - 2) : stretch.outer])
    if called and not any(map(str.isspace, text[stretch.start : stretch.end])):
        return True
    return _OPERATOR.match(text, stretch.behind) is not None


def emphasised(text: str, length: int) -> list[Stretch]:
    """What two runs of exactly `length` asterisks enclose, over lines.

    Args:
        text: the answer.
        length: 1, where longer runs have no part in it (bold is not italics), or 2, where single
            asterisks have none. A longer run makes bold ambiguous: `***x***`, `****`.
    """
    name = f"{'*' * length}...{'*' * length}"
    return paired(_emphasis(text, length, name), name)


def _emphasis(text: str, length: int, name: str) -> Iterator[Token]:
    """The runs that open or close emphasis of this length.

    None is a run that stands free (`3 * 4`, a bullet), between the factors of a product or behind
    a back slash, or that could only close where nothing is open (a footnote's).
    """
    opened = False
    for match in _ASTERISKS.finditer(text):
        start, end = match.span()
        if text[start] != "*" or (end - start == 1) != (length == 1) or _product(text, start, end):
            continue
        opens = end < len(text) and not text[end].isspace() and not _behind_word(text, start, end)
        closes = start > 0 and not text[start - 1].isspace()
        if not opens and not (opened and closes):
            continue
        if end - start != length:
            raise NotFollowedError(f"{name} is not well formed")
        yield Token(start, end, opens, closes)
        opened = not opened


def _behind_word(text: str, start: int, end: int) -> bool:
    """Whether the asterisks stand behind a word and before what ends a clause: a footnote's."""
    return start > 0 and text[start - 1].isalnum() and text[end] in _ENDS_CLAUSE


def _product(text: str, start: int, end: int) -> bool:
    """Whether the asterisks stand between two factors, without blanks: `9*2`, `x**2`, `l*w`.

    A letter behind a number may be a unit (`*5*kg`), and letters are bold within a word.
    """
    before, behind = text[max(0, start - 1) : start], text[end : end + 1]
    if behind in _FACTOR_BEGINS:
        return before in _FACTOR_ENDS or _latin(before)
    if before in _FACTOR_ENDS:
        return _variable(text, end)
    return end - start == 1 and _latin(before) and _latin(behind)


def _latin(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _variable(text: str, place: int) -> bool:
    """Whether a letter stands alone at this place, as a variable does."""
    if not _latin(text[place : place + 1]):
        return False
    around = text[max(0, place - 1) : place] + text[place + 1 : place + 2]
    return not any(char.isalnum() for char in around)
