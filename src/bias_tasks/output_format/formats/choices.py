"""Choices: an option alone, as its letter (`character`) or as its text (`text`).

Punctuation around a letter does not count, nor do case, blanks, quotes and a final period of a
text. Corrected parsing also ignores punctuation of any script, emphasis and typographic quotes. The
value of both formats is the option's letter. Published, what scores is the first character of the
answer, or the text of an option with its case.
"""

import string
from abc import abstractmethod

from bias_tasks.output_format.formats import frame
from bias_tasks.output_format.formats.base import OutputFormat, load_instruction
from bias_tasks.output_format.formats.errors import FormatNotFollowedError, reject_if
from bias_tasks.output_format.items import FormatItem, Payload, Prompting, fold_text
from bias_tasks.parsing.notation import strip_label
from bias_tasks.protocols import PaperProtocol

_OPTION_MARKS = (*frame.EMPHASIS, *frame.UNDERSCORES, *frame.TYPOGRAPHIC, *frame.STRAIGHT)


class ChoiceFormat(OutputFormat):
    """A format in which the whole answer is the choice."""

    category = "mcq"

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """Return the sentence of appendix E.1, which says whether to reason step by step."""
        return load_instruction(self.name if prompting == "zs" else f"{self.name}_cot")

    def parse_corrected(self, text: str, item: FormatItem) -> Payload:
        """Return the letter of the option."""
        return self.parse_choice(text, item, "corrected")

    def parse_published(self, text: str, item: FormatItem, *, tagged: bool) -> str | None:
        """Return what the paper scores, whether or not the whole answer is the choice."""
        value = self.find_published(text, item, tagged)
        try:
            self.parse_choice(text, item, "published")
        except FormatNotFollowedError as error:
            error.payload = value
            raise
        return value

    @abstractmethod
    def parse_choice(self, text: str, item: FormatItem, protocol: PaperProtocol) -> str:
        """Return the letter of the option that the whole text is."""

    @abstractmethod
    def find_published(self, text: str, item: FormatItem, tagged: bool) -> str | None:
        """Return the value that the paper scores."""


class _Character(ChoiceFormat):
    name = "character"
    source = "paper"
    answer_types = frozenset({"option_letter"})

    def parse_choice(self, text: str, item: FormatItem, protocol: PaperProtocol) -> str:
        return parse_letter(text, item, protocol)

    def find_published(self, text: str, item: FormatItem, tagged: bool) -> str | None:
        return text[:1] if text[:1] in tuple(item.letters) else None

    def write(self, payload: Payload, item: FormatItem) -> str:
        return str(payload)


class _Text(ChoiceFormat):
    name = "text"
    source = "paper"
    answer_types = frozenset({"option_letter", "option_text"})

    def supports(self, item: FormatItem) -> bool:
        """Return whether the text of each option identifies it."""
        texts = {_fold_option(option) for option in item.options} - {""}
        return 0 < len(texts) == len(item.options) and super().supports(item)

    def parse_choice(self, text: str, item: FormatItem, protocol: PaperProtocol) -> str:
        whole = frame.strip_frame(text)[0] if protocol == "corrected" else text
        return parse_option_text(whole, item, protocol)

    def find_published(self, text: str, item: FormatItem, tagged: bool) -> str | None:
        """Return the option with this text; after a chain of thought, with this first character."""
        letters = dict(zip(item.options, item.letters, strict=False))
        return letters.get(text[:1] if tagged else text.strip())

    def write(self, payload: Payload, item: FormatItem) -> str:
        return find_option_text(str(payload), item)


CHOICES = (_Character(), _Text())


def parse_letter(text: str, item: FormatItem, protocol: PaperProtocol) -> str:
    """Return the option letter that the whole text is, except for marks around it: `B`, `（B）`.

    Raises:
        FormatNotFollowedError: The text is something else.
    """
    ascii_marks = string.punctuation + string.whitespace
    bare = text.strip(ascii_marks) if protocol == "published" else strip_label(text)
    letter = bare.upper()
    is_other = len(letter) != 1 or letter not in item.letters
    reject_if(is_other, "the answer is not only the letter of an option")
    return letter


def parse_option_text(text: str, item: FormatItem, protocol: PaperProtocol) -> str:
    """Return the letter of the option whose text the whole answer is.

    Raises:
        FormatNotFollowedError: The answer is the text of no option, or of several.
    """
    candidates = {_fold_option(text)}
    if protocol == "corrected":
        without_period = frame.strip_marks(text, _OPTION_MARKS).rstrip(".。 ")
        candidates.add(_fold_option(frame.strip_marks(without_period, _OPTION_MARKS)))
    candidates.discard("")
    options = zip(item.letters, item.options, strict=False)
    letters = [letter for letter, option in options if _fold_option(option) in candidates]
    reject_if(len(letters) != 1, "the answer is not only the text of an option")
    return letters[0]


def find_option_text(letter: str, item: FormatItem) -> str:
    """Return the text of the option with this letter.

    Raises:
        ValueError: There is no such option.
    """
    if not item.options or len(letter) != 1 or letter not in item.letters:
        raise ValueError(f"{item.id}: no option has the letter {letter!r}")
    return item.options[item.letters.index(letter)]


def _fold_option(text: str) -> str:
    return fold_text(text).strip(" .\"'")
