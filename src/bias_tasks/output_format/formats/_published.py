"""How the paper's instrument takes an answer to be an option, and what a text holds for it.

It knows ASCII's punctuation alone, and takes what it finds, of the asked type or not.
"""

from __future__ import annotations

import string

from bias_tasks.output_format.formats._options import letters, option_of
from bias_tasks.output_format.formats.types import NotFollowedError
from bias_tasks.output_format.items import FormatItem

_AROUND_LETTER = string.punctuation + string.whitespace


def published_letter(text: str, item: FormatItem) -> str:
    """The option letter that the text is, alone but for punctuation."""
    letter = text.strip(_AROUND_LETTER).upper()
    if len(letter) != 1 or letter not in letters(item):
        raise NotFollowedError("not the letter of an option, alone")
    return letter


def published_option(text: str, item: FormatItem) -> str:
    """The letter of the option whose text the text is, but for case, quotes and a period."""
    return option_of([text], item)


def published_answer(text: str, item: FormatItem) -> str:
    """An option's letter where the item asks for an option and the text is one, else the text."""
    try:
        if item.answer_type == "option_letter":
            return published_letter(text, item)
        if item.answer_type == "option_text" and item.options:
            return published_option(text, item)
    except NotFollowedError:
        pass
    return text.strip()
