"""Whether a short text is an answer of the asked type; and formats that are such a text alone.

A text that is none raises `NotFollowedError` with the reason.
"""

from __future__ import annotations

import re
from typing import ClassVar

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats._marks import EMPHASIS, TYPOGRAPHIC, dots, unfilled, unmarked
from bias_tasks.output_format.formats._options import letters, offered_letter, offered_option
from bias_tasks.output_format.formats.types import Format, NotFollowedError, sentence
from bias_tasks.output_format.items import Category, FormatItem, Prompting
from bias_tasks.output_format.numbers import NUMBER

_SOMETHING = re.compile(r"[^\W_]")
_DENIED = re.compile(
    r"\bnot\b|n['’]t\b|\b[a-z](?:-| ?[+×*^−] ?)\d|\d(?:-| ?[+×*^−] ?)[a-z]\b", re.IGNORECASE
)
"""A number that is denied, or a term of a formula with a variable: `not 5`, `x + 5`."""
_STRESSED = re.compile(
    r"the|not|is|are|was|were|only|just|very|really|must|and|or|but|also|this|that"
)
"""Words that are emphasised in a sentence, and answer nothing."""
_ROUND_TEXT = (*EMPHASIS, *TYPOGRAPHIC)
"""Straight quotation marks may be an answer's own, and no score minds them."""


def answer_of(text: str, item: FormatItem) -> str:
    """The answer that a text is, in the form of the item's gold.

    A letter or an option's text has to stand alone, since the prompt asks for it alone. A number
    may stand in a sentence ("She loses $11.00."): exactly one number is a number. Emphasis and
    typographic quotation marks round all of it are no part of the answer.
    """
    text = unmarked(text, _ROUND_TEXT)
    if _SOMETHING.search(text) is None or dots(text):
        raise NotFollowedError("the answer is empty")
    if item.answer_type == "option_letter":
        return offered_letter(text, item)
    if item.answer_type == "option_text" and item.options:
        return offered_option(text, item)
    if _STRESSED.fullmatch(text.casefold()):
        raise NotFollowedError("a stressed word is enclosed, not the answer")
    if unfilled(text):
        raise NotFollowedError("the place of the answer is not filled in")
    if item.answer_type == "number" and not _is_one_number(text):
        raise NotFollowedError("the answer is not one number")
    return text


def _is_one_number(text: str) -> bool:
    """Whether a text gives exactly one number: none that is denied, or part of a formula."""
    return len(NUMBER.findall(text)) == 1 and not _DENIED.search(text)


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
    """A format in which the whole answer is the choice."""

    category: ClassVar[Category] = "mcq"

    def wording(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence of appendix E.1, which says itself whether to go step by step."""
        return sentence(self.name if prompting == "zs" else f"{self.name}_cot")
