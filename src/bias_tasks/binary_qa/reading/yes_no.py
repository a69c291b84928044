"""Reads answers to yes/no questions: Yes, No, or unread.

Only the words Yes and No are read (and yeah, yep, nope), in any wrapping. What would have to be
interpreted is unread: "True", "Correct" and "It is not false" (which answer that is depends on the
question's polarity, and half the rewordings turn it), "Ja" or "Oui" (the prompt names the answers
in English), single letters, "maybe", "yes and no", "yes, if ...". The reading is of the word, not
of the explanation behind it: "Yes, it does not" is Yes.

Answers come in two ranks, as in Instruction Boundary's readers; the first that has any decides:

1. final: behind words such as "Final Answer", or in `\\boxed{}`. The last one counts, and voids
   everything before it.
2. answer: behind "the answer is", "Answer:" or a JSON key, "I would say", and at the head of the
   first or the last sentence or of a conclusion ("Therefore, no").

Answers of the second rank must agree, with each other and with any sentence that begins "No, ..."
or "Yes, ...". Where they don't, the last one that is introduced as a conclusion or a correction
("So the answer is", "Wait, no") decides, with what follows it; a Yes that is later simply
contradicted may be either and is unread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bias_tasks.binary_qa.reading.yes_no_claims import Claim, sentence_claims
from bias_tasks.binary_qa.reading.yes_no_words import answer_at
from bias_tasks.reading.bounds import Window
from bias_tasks.reading.cues import Final, cued
from bias_tasks.reading.statement import Region, Statement
from bias_tasks.reading.types import Reading
from bias_tasks.reading.unread import nothing_in, unread

_PROMPT = re.compile(r"\s{0,20}(?:context|question) ?:")
_ANSWERS_SHOWN = re.compile(
    r"choose one of the following answers ?: {0,4}(?:yes ?/ ?no|no ?/ ?yes)\b"
)
_NEW_QUESTION = re.compile(r"\n {0,8}(?:context|question|example \d{1,3}) ?:")


def read_yes_no(text: str) -> Reading:
    """Read the answer to a yes/no question.

    Returns:
        The reading; its label is `Yes`, `No`, or None when unread, then with the reason.
    """
    window = Window.of(text)
    if (nothing := nothing_in(window)) is not None:
        return nothing
    found = _find_answer(_Answer.whole(window, "numbers", _WORDS))
    if isinstance(found, str):
        return unread(window, found)
    if found.label is None:
        return unread(window, "the answer is taken back or left open")
    span = window.span(found.start, found.end)
    return Reading(found.label, "explicit", span=span, detail=window.note(found.rule))


class _YesNoWords:
    """Answers in words, for the finders of leading words."""

    def label(self, low: str, start: int, end: int) -> str | None:
        word = answer_at(low, start, end)
        return None if word is None else word.label or "open"

    def number(self, label: str) -> int | None:
        return None

    def number_named(self, low: str, pos: int, end: int) -> int | None:
        return None


_WORDS = _YesNoWords()


@dataclass(frozen=True, slots=True)
class _Answer(Region):
    """A part of an answer in which numbers name no options."""

    def part(self, start: int, end: int) -> _Answer:
        return _Answer(self.window, start, end, self.symbols, self.words)

    def options(self, pos: int) -> None:
        return None


def _find_answer(region: Region) -> Claim | str:
    """The answer, or why there is none, without what is repeated of the prompt or made up."""
    if _PROMPT.match(region.low, region.start, region.end):
        shown = _ANSWERS_SHOWN.search(region.low, region.start, region.end)
        if shown is not None:
            region = region.part(shown.end(), region.end)
    question = _NEW_QUESTION.search(region.low, region.start, region.end)
    if question is not None:
        # A base model goes on with questions of its own: its answer stands before them.
        found = _find(region.part(region.start, question.start()))
        if isinstance(found, Claim):
            return found
    return _find(region)


def _find(region: Region) -> Claim | str:
    finals, answers = cued(region)
    if finals:
        return _behind(region, finals[-1])
    return _agreed([*_claims(region, answers), *sentence_claims(region)])


def _behind(region: Region, final: Final) -> Claim | str:
    """The answer behind the last announcement of one."""
    if final.statement is not None:
        return _agreed(_claims(region, [final.statement]))
    rest = region.part(final.pos, region.end)
    if not rest.low[rest.start : rest.end].strip():
        return "cut off before the final answer"
    return _find(rest)


def _claims(region: Region, statements: list[Statement]) -> list[Claim]:
    """Statements found by their leading words, down to the word that answers."""
    return [
        Claim(word.label, word.start, word.end, statement.rule, concluding=statement.concluding)
        for statement in statements
        if (word := answer_at(region.low, statement.start, statement.end)) is not None
    ]


def _agreed(claims: list[Claim]) -> Claim | str:
    """The one answer that claims make, from the last conclusion on if there is one."""
    counting = [claim for claim in claims if claim.counts]
    if not counting:
        return "no answer is stated"
    since = max((claim.start for claim in counting if claim.concluding), default=0)
    if len({claim.label for claim in claims if claim.start >= since}) > 1:
        return "both answers are given, none of them final"
    return max(counting, key=lambda claim: claim.start)
