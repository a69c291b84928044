"""Reads answers to yes/no questions: Yes, No, or unread.

Only the words Yes and No are read (and yeah, yep, nope and their kin), in any wrapping. What would
have to be interpreted is unread: "True", "Correct" and "It is not false" (which answer that is
depends on the question's polarity, and half the rewordings turn it), "Ja" or "Oui" (the prompt
names the answers in English), single letters, "maybe", "yes and no", "yes, if ...". The reading is
of the word, not of the explanation behind it: "Yes, it does not" is Yes.

1. The answer is looked for before any question that the text goes on with, or behind the prompt
   that it repeats (`parts`).
2. Words such as "Final Answer", `\\boxed{}`, and a JSON field or a tag of the answer void all that
   stands before them. The last one counts; another answer in one before it must have been taken
   back (`corrections`).
3. Every other place that says Yes or No has a rank (`claims.Rank`): by the words that lead to it
   (`cues`, `choices`) or by where it stands (`sentences`, `tails`, `ticks`), unless it is denied,
   supposed, reported, quoted (`stance`) or said to the asker (`courtesy`). The highest ranks decide
   and must agree, from the last conclusion or correction on.
"""

from __future__ import annotations

import re
from dataclasses import replace

from bias_tasks.binary_qa.reading.choices import choices
from bias_tasks.binary_qa.reading.claims import Claim, Rank, corrected_since, settled
from bias_tasks.binary_qa.reading.corrections import abandoned, corrections
from bias_tasks.binary_qa.reading.cues import Final, announced
from bias_tasks.binary_qa.reading.layout import without_crossed_out, without_marks, without_offer
from bias_tasks.binary_qa.reading.parts import parts
from bias_tasks.binary_qa.reading.passage import Passage
from bias_tasks.binary_qa.reading.sentences import sentence_claims
from bias_tasks.binary_qa.reading.tails import tail_claims
from bias_tasks.binary_qa.reading.ticks import ticked
from bias_tasks.binary_qa.reading.words import names_an_answer
from bias_tasks.reading.bounds import Window
from bias_tasks.reading.types import Reading
from bias_tasks.reading.unread import nothing_in, unread, whole_answer

# Words before an answer that begin an answer as well as the answer itself does.
_LABEL = re.compile(r"\W{0,20}(?:(?:the )?(?:final |correct )?answer(?: is)?\W{1,20}){0,2}")


def read_yes_no(text: str, question: str | None = None, *, cut: bool = False) -> Reading:
    """Read the answer to a yes/no question.

    Args:
        text: the model's answer.
        question: what was asked, to tell it from other questions that a text goes on with.
        cut: whether it ended at a token limit. Such a text is read only where it begins with its
            answer, or where it went on to another question behind its answer.

    Returns:
        The reading; its label is `Yes`, `No`, or None when unread, then with the reason.
    """
    window = Window.of(without_crossed_out(text))
    if (nothing := nothing_in(window)) is not None:
        return nothing
    asked = None if question is None else Window.of(question).low
    found, followed = _found(window.low, asked)
    if isinstance(found, str):
        return unread(window, found)
    if found.label is None:
        return unread(window, "the answer is taken back or left open")
    span = window.span(found.start, found.end)
    reading = Reading(found.label, "explicit", span=span, detail=window.note(found.rule))
    begun = _LABEL.fullmatch(window.low, 0, found.start) is not None
    return whole_answer(reading, text, cut=cut and not followed and not begun)


def _found(low: str, question: str | None) -> tuple[Claim | str, bool]:
    """The answer, or why there is none, and whether another question follows it."""
    why = "no answer is stated"
    if not names_an_answer(low):
        return why, False
    low, ticks = ticked(low)
    low = without_marks(low)
    said = without_offer(low)
    for part in parts(low, question):
        own = [tick for tick in ticks if part.start <= tick.start < part.end]
        found = _find(said, part.start, part.end, own)
        if isinstance(found, Claim):
            return found, part.followed
        if found != "no answer is stated":
            why = found
    return why, False


def _find(low: str, start: int, end: int, ticks: list[Claim]) -> Claim | str:
    """The answer in a part of a text, or why there is none."""
    finals, claims = announced(low, start, end)
    claims += choices(low, start, end)
    taken_back = corrections(low, start, end)
    if not finals:
        found = [*ticks, *claims, *_unannounced(low, start, end)]
    elif _contradicted(finals, taken_back):
        return "two final answers contradict each other"
    elif not low[finals[-1].pos : end].strip():
        return "cut off before the final answer"
    else:
        found = _behind(low, finals[-1], end, claims)
    answer = settled(found, taken_back)
    if isinstance(answer, Claim):
        last = max(claim.end for claim in found if claim.rank >= Rank.TAIL or claim is answer)
        if abandoned(low, last, end):
            return "the answer is taken back or left open"
    return answer


def _behind(low: str, final: Final, end: int, claims: list[Claim]) -> list[Claim]:
    """The claims from the last announcement of a final answer on."""
    found = [claim for claim in claims if claim.start >= final.pos]
    found += _unannounced(low, final.pos, end)
    if final.claim is not None:
        found.append(replace(final.claim, concluding=True))
    return found


def _unannounced(low: str, start: int, end: int) -> list[Claim]:
    """The claims by where they stand."""
    passage = Passage.of(low, start, end)
    return [*sentence_claims(passage), *tail_claims(passage)]


def _contradicted(finals: list[Final], taken_back: list[int]) -> bool:
    """Whether a final answer before the last one says otherwise and was never taken back.

    One in words ("Final Answer") stands above boxes and fields.
    """
    last = finals[-1].claim
    if last is None or last.concluding:
        return False
    others = [final for final in finals[:-1] if final.in_words or not finals[-1].in_words]
    before = [final.claim for final in others if final.claim is not None and final.claim.label]
    if not before or before[-1].label == last.label:
        return False
    return not corrected_since(before[-1].start, last.start, taken_back)
