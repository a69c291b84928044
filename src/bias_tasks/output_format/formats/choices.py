"""Choices: an option alone, by its letter (`character`) or by its text (`text`).

Punctuation round a letter, and case, blanks, quotes and a final period of a text don't count;
corrected, neither do the punctuation of any script, emphasis and typographic quotes. What both hold
is the option's letter.
"""

import string
import unicodedata

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats import frame
from bias_tasks.output_format.formats.base import Format, sentence
from bias_tasks.output_format.formats.stretches import NotFollowedError
from bias_tasks.output_format.items import FormatItem, Payload, Prompting, folded

_ROUND_OPTION = (*frame.EMPHASIS, *frame.UNDERSCORES, *frame.TYPOGRAPHIC, *frame.STRAIGHT)
_LONGEST_ALONE = 100


class Choice(Format):
    """A format in which the whole answer is the choice."""

    category = "mcq"

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence of appendix E.1, which says whether to go step by step."""
        return sentence(self.name if prompting == "zs" else f"{self.name}_cot")


class _Character(Choice):
    name = "character"
    answer_types = frozenset({"option_letter"})

    def corrected(self, text: str, item: FormatItem) -> Payload:
        return letter_of(text, item, "corrected")

    def published(self, text: str, item: FormatItem) -> Payload:
        return letter_of(text, item, "published")

    def write(self, payload: Payload, item: FormatItem) -> str:
        return str(payload)


class _Text(Choice):
    name = "text"
    answer_types = frozenset({"option_letter", "option_text"})

    def holds(self, item: FormatItem) -> bool:
        """Whether each option can be told by its text alone."""
        texts = {_folded(option) for option in item.options} - {""}
        return 0 < len(texts) == len(item.options) and super().holds(item)

    def corrected(self, text: str, item: FormatItem) -> Payload:
        return option_of(frame.framed(text)[0], item, "corrected")

    def published(self, text: str, item: FormatItem) -> Payload:
        return option_of(text, item, "published")

    def published_in_tags(self, text: str, item: FormatItem) -> Payload:
        """Behind a chain of thought the first character is read, as an option's letter."""
        first = text.strip()[:1]
        if first and first in item.letters:
            return first
        raise NotFollowedError("the first character is not the letter of an option")

    def write(self, payload: Payload, item: FormatItem) -> str:
        return option_text(str(payload), item)


CHOICES = (_Character(), _Text())


def letter_of(text: str, item: FormatItem, protocol: PaperProtocol) -> str:
    """The option letter that the text is, alone but for marks round it: `B`, `（B）`, `“b”.`."""
    published = protocol == "published"
    bare = text.strip(string.punctuation + string.whitespace if published else None)
    if not published and len(bare) <= _LONGEST_ALONE:
        bare = "".join(
            char
            for char in bare
            if char not in string.punctuation and unicodedata.category(char)[0] not in "PZC"
        )
    letter = bare.upper()
    if len(letter) != 1 or letter not in item.letters:
        raise NotFollowedError("not the letter of an option, alone")
    return letter


def option_of(text: str, item: FormatItem, protocol: PaperProtocol) -> str:
    """The letter of the option whose text this is."""
    said = {_folded(text)}
    if protocol == "corrected":
        bare = frame.unmarked(text, _ROUND_OPTION)
        without_period = bare.rstrip(".。 ")
        said.add(_folded(frame.unmarked(without_period, _ROUND_OPTION) if without_period else bare))
    offered = zip(item.letters, item.options, strict=False)
    found = [letter for letter, option in offered if _folded(option) in said - {""}]
    if len(found) != 1:
        raise NotFollowedError("not the text of an option, alone")
    return found[0]


def option_text(letter: str, item: FormatItem) -> str:
    """The text of the option of this letter; else a ValueError."""
    if not item.options or len(letter) != 1 or letter not in item.letters:
        raise ValueError(f"{item.id}: {letter!r} is the letter of no option")
    return item.options[item.letters.index(letter)]


def _folded(text: str) -> str:
    return folded(text).strip(" .\"'")
