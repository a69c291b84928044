"""What the wrapping formats share: an answer of any one type between two tokens."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats._between import Stretch, between_in_lines, first_and_only
from bias_tasks.output_format.formats._labels import (
    heads,
    in_program,
    in_words,
    is_alone,
    is_announced,
    is_denied,
    labels,
    programs,
)
from bias_tasks.output_format.formats._payloads import answer_of, answer_text
from bias_tasks.output_format.formats._published import published_answer
from bias_tasks.output_format.formats.types import (
    Format,
    FormatReading,
    NotFollowedError,
    sentence,
)
from bias_tasks.output_format.items import AnswerType, Category, FormatItem, Payload, Prompting


class Wrapping(Format):
    """A format that encloses the final answer, wherever in the text it stands.

    Corrected: what is asked for is the wrapping of the answer (appendix E.2), so that the tokens
    may enclose something else beside it, as headings do, but enclose an answer once: one stretch is
    of the asked type (section 3.3) and no label. Of several it is the last one, if the text calls
    that one and no other the answer, or it has a line of its own and the others head lines.
    """

    category: ClassVar[Category] = "wrapping"
    answer_types: ClassVar[frozenset[AnswerType]] = frozenset(
        {"option_letter", "option_text", "text", "number"}
    )
    opening: ClassVar[str]
    closing: ClassVar[str]
    emphasises: ClassVar[bool] = False
    """Its tokens may stand within a word, of which a letter is no option."""
    asks: ClassVar[str] = ""
    """The sentence that asks for it, of a format that the paper does not have."""

    @abstractmethod
    def enclosed(self, text: str) -> list[Stretch]:
        """What the tokens enclose, corrected, one stretch or more; else NotFollowedError."""

    def found(self, text: str) -> tuple[str | None, bool]:
        """Published: what is taken out of the text, and whether it follows the format.

        Within a line, exactly once; the first one is taken out where there are several.
        """
        return first_and_only(between_in_lines(text, self.opening, self.closing))

    def corrected(self, text: str, item: FormatItem) -> Payload:
        """The one answer between the tokens that is of the asked type."""
        answers: list[tuple[Stretch, str]] = []
        why: NotFollowedError | None = None
        stretches, fenced = self.enclosed(text), programs(text)
        for stretch in stretches:
            try:
                if in_program(text, stretch, fenced):
                    raise NotFollowedError("what is enclosed stands in a program")
                answers.append((stretch, self._answer(text, stretch, item)))
            except NotFollowedError as error:
                why = error
        if not answers:
            raise why or NotFollowedError("no answer is enclosed")
        if len(answers) > 1:
            _check_last([stretch for stretch, _ in answers], text)
        return answers[-1][1]

    def _answer(self, text: str, stretch: Stretch, item: FormatItem) -> str:
        answer = answer_of(text[stretch.start : stretch.end], item)
        if labels(text, stretch):
            raise NotFollowedError("a label is enclosed, not the answer")
        if is_denied(text, stretch):
            raise NotFollowedError("what is enclosed is denied")
        if self.emphasises and item.answer_type == "option_letter" and in_words(text, stretch):
            raise NotFollowedError("what is enclosed is part of a word")
        return answer

    def published(self, text: str, item: FormatItem) -> FormatReading:
        """What the paper's pattern finds, of whatever type."""
        payload, follows = self.found(text)
        detail = "" if follows else f"the pattern of {self.name} does not match once"
        answer = None if payload is None else published_answer(payload, item)
        return FormatReading(follows, answer, detail)

    def write(self, payload: Payload, item: FormatItem) -> str:
        """The answer between the tokens."""
        return f"{self.opening}{answer_text(str(payload), item)}{self.closing}"

    def wording(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence of appendix E.2."""
        return self.asks or sentence(self.name)


def _check_last(stretches: list[Stretch], text: str) -> None:
    """The last of several answers is the final one.

    Raises:
        NotFollowedError: the text does not tell.
    """
    if [each for each in stretches if is_announced(text, each)] == stretches[-1:]:
        return
    if not (is_alone(text, stretches[-1]) and all(heads(text, each) for each in stretches[:-1])):
        raise NotFollowedError("more than one answer is enclosed")
