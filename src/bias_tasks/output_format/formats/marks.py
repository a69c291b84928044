"""Marks that stand round an answer and are no part of it, and what a line is by its look."""

from __future__ import annotations

import re
from collections.abc import Sequence

Pairs = Sequence[tuple[str, str]]

EMPHASIS: Pairs = (("***", "***"), ("**", "**"), ("*", "*"), ("`", "`"))
TYPOGRAPHIC: Pairs = (("“", "”"), ("„", "“"), ("‘", "’"), ("«", "»"), ("「", "」"), ("『", "』"))
STRAIGHT: Pairs = (('"', '"'), ("'", "'"))
UNDERSCORES: Pairs = (("__", "__"), ("_", "_"))
"""Emphasis as well, but also part of a name (`__init__`)."""
BULLET = re.compile(r"(?:[-*+‐‑‒–—−][ \t]|[•‣◦·∙▪▫●○■□⁃➢➤►▶])\s*+(?P<element>\S.*)")
"""A bullet point. What is no bullet anywhere else needs a blank behind it."""

_MOST_LAYERS = 4
_DOTS = re.compile(r"[\W_]*(?:\.{3}|…)[\W_]*")
_NUMBERED = re.compile(r"\(?[0-9]{1,9}[.)]\s|[0-9]\ufe0f?\u20e3|[①-⑳]|[a-z]\)\s")
_OTHER_KIND = re.compile(r"\|.*\||[\"'].*[\"'],|<[^<>]{1,20}>.*</[^<>]{1,20}>|\\item\b.*")
_SENTENCE = re.compile(
    r"(?:(?:\S++\s++){7}|[A-Z](?=.{0,200}\b(?:is|are|was|were|has|have|had|will|can)\b)).*"
    r"[.!?][\"'”’)*_]{0,3}",
    re.DOTALL,
)
_SPEAKS = re.compile(
    r"i (?:can|do|did|am|have|see|need|would|will|could|think|hope|found|read).*"
    r"|(?:i['’](?:m|d|ll|ve)|sorry|unfortunately|please|apologies|there (?:is|are) no|no document"
    r"|let me|note:|step \d{1,2}:"
    r"|(?:first|firstly|second|secondly|third|next|then|finally|lastly),)(?![\w-]).*",
    re.IGNORECASE | re.DOTALL,
)


def unmarked(text: str, pairs: Pairs) -> str:
    """The text without the marks of these pairs that enclose all of it, and without blanks.

    A mark that also stands within (`*a* and *b*`) does not enclose all of it.
    """
    text = text.strip()
    for _ in range(_MOST_LAYERS):
        inner = next((inside for pair in pairs if (inside := _inside(text, *pair))), None)
        if inner is None:
            break
        text = inner
    return text


def _inside(text: str, opening: str, closing: str) -> str | None:
    """What one pair of marks encloses; None where it does not enclose all of the text."""
    if not (text.startswith(opening) and text.endswith(closing)):
        return None
    inner = text[len(opening) : -len(closing)]
    return None if opening in inner or closing in inner else inner.strip() or None


def dots(text: str) -> bool:
    """Whether a text is the dots of a layout: `...`, `[…]`."""
    return _DOTS.fullmatch(text) is not None


def marked(line: str) -> bool:
    """Whether a line is a bullet or numbered."""
    return BULLET.fullmatch(line) is not None or _NUMBERED.match(line) is not None


def bracketed(text: str) -> bool:
    """Whether a text is bracketed as a list or mapping of Python or JSON is."""
    return (text[:1], text[-1:]) in (("[", "]"), ("{", "}"))


def of_other_kind(line: str) -> bool:
    """Whether a line is one of another kind of list: of a table, of HTML or LaTeX, with marks."""
    return "<SEP>" in line or _OTHER_KIND.fullmatch(line) is not None


def speaks(text: str) -> bool:
    """Whether a text is what somebody says to the reader: `I don't see`, `First, I look for`."""
    return _SPEAKS.fullmatch(text.strip()) is not None


def is_sentence(text: str) -> bool:
    """Whether a text is a sentence rather than an element: by its length, or because it speaks."""
    return _SENTENCE.fullmatch(text.strip()) is not None or speaks(text)


def is_remark(text: str) -> bool:
    """Whether a text is said about a list: a sentence, or one that ends like it, and no list."""
    if any(marked(line.strip()) for line in text.split("\n")):
        return False
    return is_sentence(text) or text.rstrip().endswith(("!", ".", "?"))


def is_prose(elements: Sequence[str]) -> bool:
    """Whether texts are no elements: half of them are sentences, or one speaks."""
    return any(map(speaks, elements)) or 2 * sum(map(is_sentence, elements)) >= len(elements)
