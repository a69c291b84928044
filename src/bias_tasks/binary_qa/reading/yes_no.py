"""Reads answers to yes/no questions: Yes, No, or unread.

Only the words Yes and No are read (and yeah, yep, nope and their kin), in any wrapping. What would
have to be interpreted is unread: "True", "Correct" and "It is not false" (which answer that is
depends on the question's polarity, and half the rewordings turn it), "Ja" or "Oui" (the prompt
names the answers in English), single letters, "maybe", "yes and no", "yes, if ...". The reading is
of the word, not of the explanation behind it: "Yes, it does not" is Yes.

1. The answer is looked for before any question that the text goes on with, or behind the prompt
   that it repeats (`yes_no_layout`).
2. Words such as "Final Answer", `\\boxed{}`, and a JSON field or a tag of the answer void everything
   before them. The last one counts; another answer in one before it must have been taken back.
3. Every other place that says Yes or No has a rank (`yes_no_claims.Rank`), by what leads to it
   (`yes_no_cues`) and where it stands (`yes_no_sentences`), unless it is denied, supposed, reported,
   quoted or a courtesy (`yes_no_stance`). Places of the highest ranks decide and must agree, from
   the last conclusion or correction on.
"""

from __future__ import annotations

from dataclasses import replace

from bias_tasks.binary_qa.reading.yes_no_claims import Claim, corrected_since, settled
from bias_tasks.binary_qa.reading.yes_no_cues import Final, announced
from bias_tasks.binary_qa.reading.yes_no_layout import parts, without_marks, without_offer
from bias_tasks.binary_qa.reading.yes_no_sentences import sentence_claims
from bias_tasks.binary_qa.reading.yes_no_stance import corrections
from bias_tasks.binary_qa.reading.yes_no_ticks import ticked
from bias_tasks.reading.bounds import Window
from bias_tasks.reading.types import Reading
from bias_tasks.reading.unread import nothing_in, unread, whole_answer


def read_yes_no(text: str, *, cut: bool = False) -> Reading:
    """Read the answer to a yes/no question.

    Args:
        text: the model's answer.
        cut: whether it ended at a token limit. Such a text is read only where its answer stands at
            the very beginning, or where it went on to another question behind its answer.

    Returns:
        The reading; its label is `Yes`, `No`, or None when unread, then with the reason.
    """
    window = Window.of(text)
    if (nothing := nothing_in(window)) is not None:
        return nothing
    found, followed = _found(window.low)
    if isinstance(found, str):
        return unread(window, found)
    if found.label is None:
        return unread(window, "the answer is taken back or left open")
    span = window.span(found.start, found.end)
    reading = Reading(found.label, "explicit", span=span, detail=window.note(found.rule))
    return whole_answer(reading, text, cut=cut and not followed)


def _found(low: str) -> tuple[Claim | str, bool]:
    """The answer, or why there is none, and whether another question follows it."""
    low, ticks = ticked(low)
    low = without_marks(low)
    said = without_offer(low)
    why = "no answer is stated"
    for part in parts(low):
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
    taken_back = corrections(low, start, end)
    if not finals:
        return settled([*ticks, *claims, *sentence_claims(low, start, end)], taken_back)
    final = finals[-1]
    if _contradicted(finals, taken_back):
        return "two final answers contradict each other"
    if not low[final.pos : end].strip():
        return "cut off before the final answer"
    behind = [claim for claim in claims if claim.start >= final.pos]
    behind += sentence_claims(low, final.pos, end)
    if final.claim is not None:
        behind.append(replace(final.claim, concluding=True))
    return settled(behind, taken_back)


def _contradicted(finals: list[Final], taken_back: list[int]) -> bool:
    """Whether a final answer before the last one says otherwise and was never taken back."""
    last = finals[-1].claim
    before = [final.claim for final in finals[:-1] if final.claim is not None]
    if last is None or last.concluding or not before or before[-1].label == last.label:
        return False
    return not corrected_since(before[-1].start, last.start, taken_back)
