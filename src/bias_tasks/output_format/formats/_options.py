"""Options by their letters and by their texts."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterable

from bias_tasks.output_format.formats._marks import (
    EMPHASIS,
    STRAIGHT,
    TYPOGRAPHIC,
    UNDERSCORES,
    unmarked,
)
from bias_tasks.output_format.formats.types import NotFollowedError
from bias_tasks.output_format.items import FormatItem

_AROUND_TEXT = " .\"'"
_AROUND_LETTER = frozenset("PZC")
"""Categories of what may stand round a letter: punctuation of any script, blanks, controls."""
_ROUND_OPTION = (*EMPHASIS, *UNDERSCORES, *TYPOGRAPHIC, *STRAIGHT)
_LONGEST_ALONE = 100
"""Characters of a letter and what stands round it."""


def letters(item: FormatItem) -> str:
    """The letters that the item offers; every one where its options are not known."""
    return string.ascii_uppercase[: len(item.options) or None]


def folded(text: str) -> str:
    """An option's text as it is compared: case, blanks, quotes and a final period don't count."""
    return " ".join(text.casefold().split()).strip(_AROUND_TEXT)


def distinct_options(item: FormatItem) -> bool:
    """Whether the item has options and each can be told by its text alone."""
    texts = {folded(option) for option in item.options}
    return bool(texts) and "" not in texts and len(texts) == len(item.options)


def offered_letter(text: str, item: FormatItem) -> str:
    """The option letter that the text is, alone but for marks round it: `B`, `（B）`, `“b”.`."""
    text = text.strip()
    kept = [char for char in text[:_LONGEST_ALONE] if not _around(char)]
    letter = kept[0].upper() if len(kept) == 1 and len(text) <= _LONGEST_ALONE else ""
    if len(letter) != 1 or letter not in letters(item):
        raise NotFollowedError("not the letter of an option, alone")
    return letter


def _around(char: str) -> bool:
    return char in string.punctuation or unicodedata.category(char)[0] in _AROUND_LETTER


def offered_option(text: str, item: FormatItem) -> str:
    """The letter of the option whose text the text is: as it stands, or without marks round it."""
    return option_of([text, _bare(text)], item)


def _bare(text: str) -> str:
    """The text without emphasis and quotation marks round it, and a period behind or in them."""
    text = unmarked(text, _ROUND_OPTION)
    without_period = text.rstrip(".。 ")
    return unmarked(without_period, _ROUND_OPTION) if without_period else text


def option_of(spellings: Iterable[str], item: FormatItem) -> str:
    """The letter of the one option whose text is one of these spellings of an answer."""
    asked = {folded(spelling) for spelling in spellings} - {""}
    found = [
        letter
        for letter, option in zip(string.ascii_uppercase, item.options, strict=False)
        if folded(option) in asked
    ]
    if len(found) != 1:
        raise NotFollowedError("not the text of an option, alone")
    return found[0]
