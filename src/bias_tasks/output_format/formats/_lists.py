"""What the list formats share."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from bias_tasks.output_format.formats._structure import MAX_ELEMENTS, text_elements, unfenced
from bias_tasks.output_format.formats.types import Format, NotFollowedError, sentence
from bias_tasks.output_format.items import AnswerType, Category, FormatItem, Payload, Prompting
from bias_tasks.protocols import PaperProtocol


class ListFormat(Format):
    """A format in which the whole answer is a list; corrected, a fence around it is tolerated."""

    category: ClassVar[Category] = "list"
    answer_types: ClassVar[frozenset[AnswerType]] = frozenset({"binary_list", "string_list"})

    def wording(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence of appendix E.3, open at its end.

        Published: it says "binary list" where a list of strings is wanted, too.
        """
        binary = protocol == "published" or item.answer_type == "binary_list"
        return sentence(self.name).format(list="binary list" if binary else "list")


class TextList(ListFormat):
    """A list whose elements are told apart in the text itself."""

    @abstractmethod
    def elements(self, text: str, item: FormatItem) -> list[str]:
        """The elements of an answer, corrected; NotFollowedError where it is no such list."""

    @abstractmethod
    def found(self, text: str, item: FormatItem) -> list[str] | None:
        """Published: the elements, None where the answer does not follow the format."""

    def corrected(self, text: str, item: FormatItem) -> Payload:
        """The elements, if they are of the asked type."""
        elements = self.elements(unfenced(text), item)
        if len(elements) > MAX_ELEMENTS:
            raise NotFollowedError(f"more than {MAX_ELEMENTS} elements")
        return text_elements(elements, item)

    def as_published(self, text: str, item: FormatItem) -> Payload:
        """The elements; of a binary list each has to be exactly 0 or 1, however many there are."""
        elements = self.found(text.strip(), item) if text.strip() else None
        if elements is None:
            raise NotFollowedError(f"no {self.name} list")
        if item.answer_type != "binary_list":
            return tuple(elements)
        if any(element not in ("0", "1") for element in elements):
            raise NotFollowedError("an element is neither 0 nor 1")
        return tuple(int(element) for element in elements)


def texts(payload: Payload) -> list[str]:
    """The elements of a list as text."""
    return [str(element) for element in payload]


def filled_lines(text: str) -> list[str]:
    """The lines that hold something, without blanks around them."""
    return [line.strip() for line in text.split("\n") if line.strip()]
