"""A simulated model for the role `reformulator`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bias_tasks.binary_qa.items import BINARY_LABELS, REFORMULATIONS, BinaryLabel
from bias_tasks.binary_qa.prompts.ask import (
    NUMBER_STYLES,
    NumberStyle,
    number_question_request,
    reformulation_request,
)
from bias_tasks.binary_qa.reformulation.grammar import reformulate
from bias_tasks.binary_qa.reformulation.numeric import number_question
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.sentences import sentences

_QUESTION = re.compile(r"^Question: (.*)$", re.MULTILINE)
_VALUE = re.compile(r"^Its answer: (-?\d{1,20}(?:\.\d{1,20})?)$", re.MULTILINE)
_NO_REQUEST = "I see no question to reword."
_FRAMES = sentences("rewordings")
_NUMBER_FRAMES = sentences("number_questions")


@dataclass(frozen=True, slots=True)
class Reformulator:
    """Answers the requests to reword a question or to turn one that asks for a number yes/no.

    The grammar does what it can; any other question is put into a frame, which is dull but exact.
    """

    def respond(self, prompt: str, known: KnownItems) -> str:
        """The reworded question; a text that is no question when nothing of the kind is asked."""
        question = _last(_QUESTION, prompt)
        value = _last(_VALUE, prompt)
        if question is None:
            return _NO_REQUEST
        if value is not None:
            return _number_question(prompt, question, value)
        for kind in REFORMULATIONS:
            if reformulation_request(question, kind) in prompt:
                return reformulate(question, kind) or _FRAMES[kind].format(question=question)
        return _NO_REQUEST


def _number_question(prompt: str, question: str, value: str) -> str:
    for style in NUMBER_STYLES:
        for answer in BINARY_LABELS:
            if number_question_request(question, value, style, answer) in prompt:
                number = float(value) if "." in value else int(value)
                by_grammar = number_question(question, number, style, answer, seed=0)
                return by_grammar or _number_frame(question, number, style, answer)
    return _NO_REQUEST


def _number_frame(
    question: str, number: int | float, style: NumberStyle, answer: BinaryLabel
) -> str:
    # One less is exceeded and one more is not; the number itself is right and one more is not.
    right = number if style == "exact" else number - 1
    shown = right if answer == "Yes" else number + 1
    return _NUMBER_FRAMES[style].format(question=question, number=shown)


def _last(pattern: re.Pattern[str], text: str) -> str | None:
    found: list[str] = pattern.findall(text)
    return found[-1] if found else None
