"""Whether a short text is an answer of the asked type; and formats that are such a text alone.

A text that is none raises `NotFollowedError` with the reason.
"""

from __future__ import annotations

import re
import string
from typing import ClassVar

from bias_tasks.output_format.formats.types import Format, NotFollowedError, sentence
from bias_tasks.output_format.items import Category, FormatItem, Prompting
from bias_tasks.protocols import PaperProtocol

_AROUND_LETTER = string.punctuation + string.whitespace
_AROUND_TEXT = " .\"'"
_SOMETHING = re.compile(r"[^\W_]")
# Thousands separators, a fraction and an exponent belong to the number; a currency, a unit and
# the words of a sentence don't. A digit within a word (H2O) is no number.
_NUMBER = re.compile(r"(?<!\w)(?:\d[\d,]*+(?:\.\d++)?|\.\d++)(?:[eE][+-]?\d++|/\d++)?")


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
    """The option letter that the text is, alone but for punctuation: `B`, `(B)`, `b.`."""
    letter = text.strip(_AROUND_LETTER).upper()
    if len(letter) != 1 or letter not in letters(item):
        raise NotFollowedError("not the letter of an option, alone")
    return letter


def offered_option(text: str, item: FormatItem) -> str:
    """The letter of the option whose text the text is."""
    asked = folded(text)
    found = [
        letter
        for letter, option in zip(string.ascii_uppercase, item.options, strict=False)
        if folded(option) == asked
    ]
    if len(found) != 1 or not asked:
        raise NotFollowedError("not the text of an option, alone")
    return found[0]


def answer_of(text: str, item: FormatItem) -> str:
    """The answer that a text is, in the form of the item's gold.

    A letter or an option's text has to stand alone, since the prompt asks for it alone. A number
    may stand in a sentence ("She loses $11.00."): exactly one number is a number.
    """
    text = text.strip()
    if _SOMETHING.search(text) is None:
        raise NotFollowedError("the answer is empty")
    if item.answer_type == "option_letter":
        return offered_letter(text, item)
    if item.answer_type == "option_text" and item.options:
        return offered_option(text, item)
    if item.answer_type == "number" and len(_NUMBER.findall(text)) != 1:
        raise NotFollowedError("the answer is not one number")
    return text


def published_answer(text: str, item: FormatItem) -> str:
    """The same for the paper's instrument, which takes what it finds, of the asked type or not."""
    try:
        return answer_of(text, item)
    except NotFollowedError:
        return text.strip()


def answer_text(answer: str, item: FormatItem) -> str:
    """How an answer is written: by its option's text where that is asked for, else as it is.

    Raises:
        ValueError: it is the letter of no option.
    """
    if item.answer_type != "option_text" or not item.options:
        return answer
    place = letters(item).find(answer) if len(answer) == 1 else -1
    if place < 0:
        raise ValueError(f"{item.id}: {answer!r} is the letter of no option")
    return item.options[place]


class Choice(Format):
    """A format in which the whole answer is the choice.

    Both protocols read it alike: no published output of the paper says otherwise.
    """

    category: ClassVar[Category] = "mcq"

    def wording(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence of appendix E.1, which says itself whether to go step by step."""
        return sentence(self.name if prompting == "zs" else f"{self.name}_cot")
