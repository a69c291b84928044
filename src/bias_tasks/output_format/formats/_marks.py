"""Marks that stand round an answer and are no part of it, and places that were never filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence

Pairs = Sequence[tuple[str, str]]

EMPHASIS: Pairs = (("***", "***"), ("**", "**"), ("*", "*"), ("`", "`"))
TYPOGRAPHIC: Pairs = (("“", "”"), ("„", "“"), ("‘", "’"), ("«", "»"), ("「", "」"), ("『", "』"))
STRAIGHT: Pairs = (('"', '"'), ("'", "'"))
UNDERSCORES: Pairs = (("__", "__"), ("_", "_"))
"""Emphasis as well, but also part of a name (`__init__`)."""

_MOST_LAYERS = 4
_DOTS = re.compile(r"[\W_]*(?:\.{3}|…)[\W_]*")
_UNFILLED = re.compile(
    r"(?:(?:your|the|my|insert|final) ){0,3}answer(?: goes)?(?: here)?|(?:your )?placeholder"
    r"|text|value|number|letter|option|string|content|(?:see |as )?(?:above|below)"
)
_ROUND_WORDS = " \t\n\r.{}[]()<>_*'\"`"


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


def unfilled(text: str) -> bool:
    """Whether a text is the name of a place that an answer should have filled."""
    return _UNFILLED.fullmatch(text.strip(_ROUND_WORDS).casefold()) is not None


def dots(text: str) -> bool:
    """Whether a text is the dots of a layout: `...`, `[…]`."""
    return _DOTS.fullmatch(text) is not None
