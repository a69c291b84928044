"""What the list formats share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats._elements import is_remark
from bias_tasks.output_format.formats._frame import announces, check_frame, framed
from bias_tasks.output_format.formats._marks import EMPHASIS, STRAIGHT, unmarked
from bias_tasks.output_format.formats._structure import MAX_ELEMENTS, text_elements
from bias_tasks.output_format.formats.types import Format, NotFollowedError, sentence
from bias_tasks.output_format.items import AnswerType, Category, FormatItem, Payload, Prompting

_PIECE = 12
"""Words: so many in a row are a piece of the question rather than a list of what stands in it."""
_FEW = 3
_LEAD = 3
"""Lines: a longer lead is no lead line but an explanation."""
_BACK_TICKS = (("`", "`"),)
_ROUND_ELEMENT = (*EMPHASIS, *STRAIGHT)
"""Typographic quotation marks belong to the element: documents have them."""


class ListFormat(Format):
    """A format in which the answer is a list; corrected, what frames it is tolerated."""

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
        """The elements of an answer without its fence, corrected, lead and remark left out.

        Raises:
            NotFollowedError: it is no such list.
        """

    @abstractmethod
    def found(self, text: str, item: FormatItem) -> list[str] | None:
        """Published: the elements, None where the answer does not follow the format."""

    def corrected(self, text: str, item: FormatItem) -> Payload:
        """The elements, if they are of the asked type."""
        body = unmarked(framed(text).body, _BACK_TICKS)
        if echoes(body, self.instruction(item), item):
            raise NotFollowedError("the request is repeated")
        elements = self.elements(body, item)
        if len(elements) > MAX_ELEMENTS:
            raise NotFollowedError(f"more than {MAX_ELEMENTS} elements")
        return text_elements([unmarked(element, _ROUND_ELEMENT) for element in elements], item)

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


def echoes(text: str, instruction: str, item: FormatItem) -> bool:
    """Whether a text repeats the request for its format, or is a piece of the question."""
    said = " ".join(text.casefold().split())
    asked = " ".join(instruction.casefold().split())
    if asked in said or (said.count(" ") >= _FEW and said in asked):
        return True
    return said.count(" ") >= _PIECE and said in " ".join(item.input.casefold().split())


def behind_lead(lines: Sequence[str]) -> list[str]:
    """Lines without those that lead to them: up to three, of which the last announces a list.

    Raises:
        NotFollowedError: the lead says that it is not the answer.
    """
    head = lines[:_LEAD]
    last = next((at for at in reversed(range(len(head))) if announces(head[at])), None)
    if last is None or not all(announces(line) or is_remark(line) for line in head[:last]):
        return list(lines)
    check_frame("\n".join(head[: last + 1]), "")
    return list(lines[last + 1 :])
