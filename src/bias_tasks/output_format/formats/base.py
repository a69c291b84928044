"""What a format is (FormatEval, sections 3.1 and 3.3, appendices A and E), and how it reads.

Under `zs_cot` every format but a wrapping one is asked for between `<ANSWER>` and `</ANSWER>`.
Corrected: the tags stand in turn, and what follows the format stands between them once. Published:
the first stretch between them is read.
"""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats.stretches import (
    CLOSING,
    OPENING,
    NotFollowedError,
    first_in_tags,
    in_tags,
)
from bias_tasks.output_format.items import AnswerType, Category, FormatItem, Payload, Prompting
from bias_tasks.prompts.templates import template

MAX_READ = 1_000_000
"""Characters: a longer answer follows no format, and nothing is taken out of it."""
_NEXT_QUESTION = re.compile(
    r"\n[ \t\r]*\n[ \t>#*]{0,8}(?:(?P<word>Question|Q|Problem|Human|User)(?: \d{1,4})?[*_]{0,3}:"
    r"|Answer the following\b|Extract (?:a list|the entities)\b|Given a query\b)"
)


@dataclass(frozen=True, slots=True)
class FormatReading:
    """What was found in one answer."""

    follows: bool
    """The answer follows the format (paper, eq. 1)."""
    payload: Payload | None
    """What it holds, in the form of the item's gold: of an option its letter. None where it does
    not follow; published, something may be taken out all the same."""
    detail: str = ""
    """Why it does not follow; empty where it does."""


class Format(ABC):
    """A format: a reader for each protocol, a writer, and the sentence that asks for it."""

    name: str
    category: ClassVar[Category]
    """The formats that it is compared with."""
    answer_types: ClassVar[frozenset[AnswerType]]
    """The answers that it can hold."""

    @abstractmethod
    def corrected(self, text: str, item: FormatItem) -> Payload:
        """The payload of an answer that follows the format, in time linear in `text`; else a
        NotFollowedError."""

    @abstractmethod
    def published(self, text: str, item: FormatItem) -> Payload | None:
        """What the paper's instrument finds where it takes an answer to follow; else the same."""

    def published_in_tags(self, text: str, item: FormatItem) -> Payload | None:
        """The same of an answer between its tags."""
        return self.published(text, item)

    @abstractmethod
    def write(self, payload: Payload, item: FormatItem) -> str:
        """The payload in the format, not checked."""

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence that asks for the format (appendix E)."""
        return sentence(self.name)

    def wraps_answer(self, prompting: Prompting) -> bool:
        """Whether the answer is asked for between tags, beside what the format asks for."""
        return prompting == "zs_cot" and self.category != "wrapping"

    def holds(self, item: FormatItem) -> bool:
        """Whether this item's answer can be given in the format."""
        return item.answer_type in self.answer_types

    def read(
        self, text: str, item: FormatItem, protocol: PaperProtocol, prompting: Prompting = "zs"
    ) -> FormatReading:
        """Whether an answer follows the format as it was prompted, and what it holds, in time and
        memory linear in `text`; never raises."""
        if len(text) > MAX_READ:
            return FormatReading(False, None, f"longer than {MAX_READ} characters")
        tagged = self.wraps_answer(prompting)
        try:
            if protocol == "published":
                find = self.published_in_tags if tagged else self.published
                return FormatReading(True, find(first_in_tags(text) if tagged else text, item))
            text = _own_part(text, item)
            if tagged:
                return self._in_tags(text, item)
            return FormatReading(True, self.corrected(text, item))
        except NotFollowedError as why:
            return FormatReading(False, why.taken, str(why))

    def _in_tags(self, text: str, item: FormatItem) -> FormatReading:
        readings = [self.read(text[e.start : e.end], item, "corrected") for e in in_tags(text)]
        followed = [reading for reading in readings if reading.follows]
        if len(followed) > 1:
            raise NotFollowedError("more than one answer stands between tags")
        return (followed or readings)[-1]

    def render(self, payload: Payload, item: FormatItem, prompting: Prompting = "zs") -> str:
        """An answer in the format that holds `payload`, tags included where they are asked for; a
        ValueError where reading it back would give something else."""
        text = self.write(payload, item)
        if self.wraps_answer(prompting):
            text = f"{OPENING}{text}{CLOSING}"
        reading = self.read(text, item, "corrected", prompting)
        if reading.payload != payload:
            why = reading.detail or "read back, it is another one"
            raise ValueError(f"{item.id}: the format {self.name} can't hold this answer: {why}")
        return text


def _own_part(text: str, item: FormatItem) -> str:
    """The text up to another question, with which a model goes on behind its answer."""
    for found in _NEXT_QUESTION.finditer(text):
        if found["word"] not in item.keys and text[: found.start()].strip():
            return text[: found.start()]
    return text


def sentence(name: str) -> str:
    """The sentence of this name that asks for a format."""
    return template(f"output_format/instructions/{name}.txt")
