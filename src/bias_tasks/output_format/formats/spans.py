"""Finds text between two tokens in one pass.

A regular expression would search for the closing token again from each opening token.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from bias_tasks.output_format.formats.errors import reject_if

OPENING, CLOSING = "<ANSWER>", "</ANSWER>"
"""The tags of a final answer."""
MAX_SPANS = 200
"""Maximum number of spans in an answer. With more, no span is identified as the answer."""
_ANSWER_TAG = re.compile(f"{OPENING}|{CLOSING}")
_MENTIONED = re.compile(r"[\W_]*(?:and|or|followed by|tags?)\b.{0,40}")
"""The text between two tags that are only mentioned: `Wrap it by <ANSWER> and </ANSWER>.`"""
_ASTERISKS = re.compile(r"\\.|\*++")
_CLAUSE_ENDS = frozenset(".,:;!?)]}")
_FACTOR_ENDS = frozenset("0123456789)]%")
_FACTOR_STARTS = frozenset("0123456789(")
TokenSpan = tuple[int, int]
"""Start and end of a token."""


class Span(NamedTuple):
    """Positions of two tokens and of the text that they enclose."""

    outer_start: int
    """Start of the opening token."""
    start: int
    """Start of the enclosed text."""
    end: int
    """End of the enclosed text."""
    outer_end: int
    """End of the closing token."""


def find_between(text: str, opening: str, closing: str) -> Iterator[str]:
    """Yield every shortest text between the tokens, from left to right, across lines."""
    end = 0
    while (start := text.find(opening, end)) >= 0:
        start += len(opening)
        stop = text.find(closing, start)
        if stop < 0:
            return
        yield text[start:stop]
        end = stop + len(closing)


def first_between_tags(text: str) -> str:
    """Return the text after the first opening tag, up to the next tag or the end (published).

    Raises:
        FormatNotFollowedError: There is no opening tag.
    """
    _, opening, rest = text.partition(OPENING)
    reject_if(not opening, f"no {OPENING}")
    return _ANSWER_TAG.split(rest, maxsplit=1)[0].strip()


def find_tagged_spans(text: str, opening: str = OPENING, closing: str = CLOSING) -> list[Span]:
    """Return the spans between the tags of a final answer, without tags that are only mentioned.

    Raises:
        FormatNotFollowedError: There is none, or the tags are not well formed.
    """
    spans = find_enclosed(text, opening, closing)
    answers = [span for span in spans if not _MENTIONED.fullmatch(text, span.start, span.end)]
    reject_if(not answers, "the tags are only mentioned")
    return answers


def find_enclosed(text: str, opening: str, closing: str) -> list[Span]:
    """Return the spans between two different tokens, which must alternate, across lines.

    If the character of a token is repeated more often, the outermost characters are the token:
    `((a (b)))` encloses `a (b)`.

    Raises:
        FormatNotFollowedError: There is none, or the tokens do not alternate.
    """
    open_pattern, close_pattern = f"({re.escape(opening)})", f"({re.escape(closing)})"
    if len(set(opening)) == 1:
        open_char, close_char = re.escape(opening[0]), re.escape(closing[0])
        open_pattern = rf"{open_pattern}{open_char}*+"
        close_pattern = rf"{close_char}*?{close_pattern}(?!{close_char})"
    name = f"{opening}...{closing}"

    def find_tokens() -> Iterator[TokenSpan]:
        tokens = re.finditer(f"{open_pattern}|{close_pattern}", text)
        for index, match in enumerate(tokens):
            expected_group = 1 + index % 2
            reject_if(match.lastindex != expected_group, f"{name} is not well formed")
            yield match.span(expected_group)

    return pair_tokens(find_tokens(), name)


def find_emphasized(text: str, opening: str, closing: str) -> list[Span]:
    """Return the spans between two runs of exactly as many asterisks as a token, across lines.

    Bold is not part of italics, nor italics of bold. A longer run makes bold ambiguous: `***x***`.

    Raises:
        FormatNotFollowedError: There is none, or the runs are not well formed.
    """
    name = f"{opening}...{closing}"
    return pair_tokens(_find_emphasis(text, len(opening), name), name)


def pair_tokens(tokens: Iterable[TokenSpan], name: str) -> list[Span]:
    """Return the spans between tokens that open and close in turn, at least one.

    Args:
        tokens: Opening and closing tokens in turn.
        name: Names the tokens in messages.

    Raises:
        FormatNotFollowedError: There is no span, there are too many, or the last is not closed.
    """
    positions = list(islice(tokens, 2 * MAX_SPANS + 2))
    reject_if(len(positions) > 2 * MAX_SPANS + 1, f"{name} occurs more than {MAX_SPANS} times")
    reject_if(len(positions) < 2, f"no {name}")
    reject_if(len(positions) % 2, f"{name} is not closed")
    pairs = zip(positions[::2], positions[1::2], strict=True)
    return [Span(*opening, *closing) for opening, closing in pairs]


def _find_emphasis(text: str, length: int, name: str) -> Iterator[TokenSpan]:
    """Yield the runs of asterisks that open or close emphasis of this length.

    Runs between blanks (a bullet), in a product or after a backslash do neither. Nor does a run
    that could only close while nothing is open (a footnote's).
    """
    is_open = False
    for match in _ASTERISKS.finditer(text):
        start, end = match.span()
        is_single, wants_single = end - start == 1, length == 1
        if text[start] != "*" or is_single != wants_single or _is_product(text, start, end):
            continue
        footnote = start > 0 and text[start - 1].isalnum() and text[end : end + 1] in _CLAUSE_ENDS
        opens = end < len(text) and not text[end].isspace() and not footnote
        closes = start > 0 and not text[start - 1].isspace()
        if not opens and not (is_open and closes):
            continue
        is_other = end - start != length or (is_open and not closes)
        reject_if(is_other, f"{name} is not well formed")
        yield start, end
        is_open = not is_open


def _is_product(text: str, start: int, end: int) -> bool:
    """Return whether asterisks are between two factors without blanks: `9*2`, `x**2`, `l*w`.

    A letter after a number may be a unit (`*5*kg`), and letters may be bold within a word.
    """
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    if after in _FACTOR_STARTS:
        return before in _FACTOR_ENDS or _is_latin(before)
    if before in _FACTOR_ENDS:  # a single letter is a variable
        return _is_latin(after) and not text[end + 1 : end + 2].isalnum()
    return end - start == 1 and _is_latin(before) and _is_latin(after)


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalpha()
