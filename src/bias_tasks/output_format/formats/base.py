"""The base class of output formats (FormatEval, sections 3.1 and 3.3, appendices A and E).

Under `zs_cot` the prompt requests the final answer between `<ANSWER>` and `</ANSWER>`, except in
wrapping formats. Corrected parsing then requires well-formed tags, and exactly one pair whose
content follows the format. Published parsing takes the text after the first opening tag, up to the
next tag.
"""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from bias_tasks.output_format.formats import spans
from bias_tasks.output_format.formats.errors import FormatNotFollowedError, reject_if
from bias_tasks.output_format.items import AnswerType, Category, FormatItem, Payload, Prompting
from bias_tasks.prompts.templates import template
from bias_tasks.protocols import DesignSource, PaperProtocol

MAX_ANSWER_LENGTH = 1_000_000
"""Characters. A longer answer follows no format."""
_NEXT_QUESTION = re.compile(
    r"\n[ \t\r]*\n[ \t>#*]{0,8}(?:(?P<word>Question|Q|Problem|Human|User)(?: \d{1,4})?[*_]{0,3}:"
    r"|Answer the following\b|Extract (?:a list|the entities)\b|Given a query\b)"
)


@dataclass(frozen=True, slots=True)
class ParsedFormat:
    """What the parser found in one answer."""

    follows: bool
    """Whether the answer follows the format (paper, equation 1)."""
    payload: Payload | None
    """The value of the answer in the form of the item's gold, an option as its letter. None if the
    answer does not follow; published parsing may extract a value even then."""
    explanation: str = ""
    """Why the answer does not follow; empty if it does."""
    encloses_other: bool = False
    """Whether the answer does not follow a wrapping because of what the tokens enclose."""


class OutputFormat(ABC):
    """A format: a parser per protocol, a writer, and the instruction that requests it."""

    name: str
    category: ClassVar[Category]
    """Formats are compared with the others of their category."""
    answer_types: ClassVar[frozenset[AnswerType]]
    """The types of answer that the format can express."""
    source: DesignSource = "ours"
    """Whose format it is: runs that repeat the paper have only the paper's."""

    @property
    def written(self) -> str:
        """How a sentence about the format shows what an answer writes."""
        return f"the format {self.name}"

    @abstractmethod
    def parse_corrected(self, text: str, item: FormatItem) -> Payload:
        """Return the value of an answer that follows the format, in time linear in `text`.

        Raises:
            FormatNotFollowedError: The answer does not follow the format.
        """

    @abstractmethod
    def parse_published(self, text: str, item: FormatItem, *, tagged: bool) -> Payload | None:
        """Return what the authors' public code finds in an answer that follows the format.

        Args:
            text: The answer, or what is between its tags.
            item: The item of the question.
            tagged: Whether the text is from between tags.

        Returns:
            The value; None if it cannot be scored.

        Raises:
            FormatNotFollowedError: The answer does not follow the format; it may have a value.
        """

    @abstractmethod
    def write(self, payload: Payload, item: FormatItem) -> str:
        """Return the value in the format, without checking the result."""

    def instruction(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """Return the sentence that requests the format (appendix E)."""
        return load_instruction(self.name)

    def uses_tags(self, prompting: Prompting) -> bool:
        """Return whether the prompt requests the answer between tags in addition."""
        return prompting == "zs_cot" and self.category != "wrapping"

    def supports(self, item: FormatItem) -> bool:
        """Return whether the format can express the type of the item's answer."""
        return item.answer_type in self.answer_types

    def parse(
        self, text: str, item: FormatItem, protocol: PaperProtocol, prompting: Prompting = "zs"
    ) -> ParsedFormat:
        """Return whether an answer follows the format, and its value.

        Never raises. Time and memory are linear in the length of the text.

        Args:
            text: The answer without reasoning.
            item: The item of the question.
            protocol: `corrected`, or `published` to repeat the authors' public code.
            prompting: The prompting of the question, which determines whether tags are expected.
        """
        if len(text) > MAX_ANSWER_LENGTH:
            return ParsedFormat(False, None, f"longer than {MAX_ANSWER_LENGTH} characters")
        tagged = self.uses_tags(prompting)
        try:
            if protocol == "published":
                text = spans.first_between_tags(text) if tagged else text
                return ParsedFormat(True, self.parse_published(text, item, tagged=tagged))
            text = before_next_question(text, item)
            if tagged:
                return self._parse_tagged(text, item)
            return ParsedFormat(True, self.parse_corrected(text, item))
        except FormatNotFollowedError as error:
            return ParsedFormat(False, error.payload, str(error), error.encloses_other)

    def _parse_tagged(self, text: str, item: FormatItem) -> ParsedFormat:
        """Return the one tagged answer that follows; if none does, the last one."""
        contents = [text[span.start : span.end] for span in spans.find_tagged_spans(text)]
        answers = [self.parse(content, item, "corrected") for content in contents]
        following = [answer for answer in answers if answer.follows]
        reject_if(len(following) > 1, "more than one answer is between tags")
        return (following or answers)[-1]

    def render(self, payload: Payload, item: FormatItem, prompting: Prompting = "zs") -> str:
        """Return an answer in the format that has this value, with tags if they are requested.

        Raises:
            ValueError: Parsing the answer would give another value.
        """
        text = self.write(payload, item)
        if self.uses_tags(prompting):
            text = f"{spans.OPENING}{text}{spans.CLOSING}"
        parsed = self.parse(text, item, "corrected", prompting)
        if parsed.payload != payload:
            reason = parsed.explanation or "parsing it gives another value"
            raise ValueError(
                f"{item.id}: the format {self.name} cannot express this answer: {reason}"
            )
        return text


def before_next_question(text: str, item: FormatItem) -> str:
    """Return the text up to a further question: base models continue after their answer."""
    for match in _NEXT_QUESTION.finditer(text):
        if match["word"] not in item.keys and text[: match.start()].strip():
            return text[: match.start()]
    return text


def load_instruction(name: str) -> str:
    """Return the sentence of this name that requests a format."""
    return template(f"output_format/instructions/{name}.txt")
