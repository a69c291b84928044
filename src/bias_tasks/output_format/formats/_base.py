"""What all formats share: a bounded reading by protocol, and an answer checked by reading it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from bias_tasks.output_format.formats.types import MAX_READ, FormatReading
from bias_tasks.output_format.items import AnswerType, Category, FormatItem, Payload, Prompting
from bias_tasks.protocols import PaperProtocol


class NotFollowedError(Exception):
    """An answer does not follow the format; its text says why."""


class BaseFormat(ABC):
    """A format as two readers, one a protocol, and a writer."""

    name: ClassVar[str]
    category: ClassVar[Category]
    answer_types: ClassVar[frozenset[AnswerType]]

    @abstractmethod
    def corrected(self, text: str, item: FormatItem) -> Payload:
        """The payload of an answer that follows the format.

        Raises:
            NotFollowedError: it does not.
        """

    @abstractmethod
    def write(self, payload: Payload, item: FormatItem) -> str:
        """The payload in the format, not checked."""

    @abstractmethod
    def instruction(
        self,
        item: FormatItem,
        *,
        protocol: PaperProtocol = "corrected",
        prompting: Prompting = "zs",
    ) -> str:
        """The sentence that asks for the format."""

    def published(self, text: str, item: FormatItem) -> FormatReading:
        """What the paper's instrument finds: the same, unless it is known to differ."""
        return self._read_corrected(text, item)

    def holds(self, item: FormatItem) -> bool:
        """Whether this item's answer can be given in the format."""
        return item.answer_type in self.answer_types

    def read(self, text: str, item: FormatItem, protocol: PaperProtocol) -> FormatReading:
        """Whether an answer follows the format, and what it holds."""
        if len(text) > MAX_READ:
            return FormatReading(False, None, f"longer than {MAX_READ} characters")
        return (self.published if protocol == "published" else self._read_corrected)(text, item)

    def follows(self, text: str, item: FormatItem, protocol: PaperProtocol) -> bool:
        """Whether an answer follows the format (paper, eq. 1)."""
        return self.read(text, item, protocol).follows

    def extract(self, text: str, item: FormatItem, protocol: PaperProtocol) -> Payload | None:
        """What an answer holds."""
        return self.read(text, item, protocol).payload

    def render(self, payload: Payload, item: FormatItem) -> str:
        """An answer in the format that holds `payload`.

        Raises:
            ValueError: the format can't hold it.
        """
        text = self.write(payload, item)
        reading = self.read(text, item, "corrected")
        if reading.payload != payload:
            why = reading.detail or "read back, it is another one"
            raise ValueError(f"{item.id}: the format {self.name} can't hold this answer: {why}")
        return text

    def _read_corrected(self, text: str, item: FormatItem) -> FormatReading:
        try:
            return FormatReading(True, self.corrected(text, item), "")
        except NotFollowedError as why:
            return FormatReading(False, None, str(why))
