"""What a line or an element of a list is by its look: a bullet, a sentence, an unfilled place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bias_tasks.output_format.formats._marks import dots

BULLET = re.compile(r"(?:[-*+‐‑‒–—−][ \t]|[•‣◦·∙▪▫●○■□⁃➢➤►▶])\s*+(?P<element>\S.*)")
"""A bullet point. What is no bullet anywhere else needs a blank behind it."""
NUMBERED = re.compile(r"\(?[0-9]{1,9}[.)]\s|[0-9]\ufe0f?\u20e3|[①-⑳]|[a-z]\)\s")
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
_UNFINISHED = re.compile(
    r".*\s(?:and|or|with|in|of|the|to|for|is|are|by|on|that|which|from|their),?"
)
_LAYOUT = re.compile(
    r"(?:(?:the |an? )?(?:first|second|third|next|last|another|your) )?"
    r"(?:key ?(?:phrase|word)|element|item|phrase|entity|string|value)s?"
    r"(?:[ _-]?(?:\d{1,2}|[a-z]|one|two|three|four|five))?|list|of|python"
    r"|<(?-i:[a-z][a-z _-]{2,50})>|\[(?-i:[a-z][a-z _-]{2,50})\]|\{(?-i:[a-z][a-z _-]{2,50})\}",
    re.IGNORECASE,
)


def marked(line: str) -> bool:
    """Whether a line is a bullet or numbered."""
    return BULLET.fullmatch(line) is not None or NUMBERED.match(line) is not None


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


def is_unfinished(line: str) -> bool:
    """Whether a line ends in a word that needs another one, as a sentence over lines does."""
    return _UNFINISHED.fullmatch(line) is not None


def is_layout(elements: Sequence[str]) -> bool:
    """Whether elements are the places of a layout: one is dots, or each is named as a place."""
    named = bool(elements) and all(map(_LAYOUT.fullmatch, elements))
    return named or any(map(dots, elements))
