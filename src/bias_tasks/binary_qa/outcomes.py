"""From a yes/no answer to its outcome, and from that to what the metrics take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bias_tasks.binary_qa.items import BINARY_LABELS, BinaryLabel
from bias_tasks.binary_qa.metrics.outcome import BinaryOutcome
from bias_tasks.binary_qa.reading.yes_no import read_yes_no
from bias_tasks.family import Answer, Outcome
from bias_tasks.reading.types import Reading

_LABELS: Mapping[str | None, BinaryLabel | None] = {None: None} | {
    label: label for label in BINARY_LABELS
}


def read_answer(answer: Answer, question: str | None = None) -> Reading:
    """Yes, No, or None where neither was read; of likelihoods, the likelier answer.

    An answer that was cut at a token limit is read only where it stands at the very beginning:
    what such a text says on its way is not its final answer. Two likelihoods alike are neither.
    """
    if answer.likelihoods:
        yes, no = answer.likelihoods
        # Where a likelihood is no number (nan), neither is the likelier.
        likelier = BINARY_LABELS[yes < no] if yes < no or no < yes else None
        return Reading(likelier, "unread" if likelier is None else "explicit")
    return read_yes_no(answer.text, question, cut=answer.stop == "cut")


def outcome_of(facts: Mapping[str, Any], reading: Reading, answer: Answer) -> Outcome:
    """What became of a question; an answer that could not be read is wrong."""
    return Outcome(
        item=facts["item"],
        cluster=facts["cluster"],
        variant=facts["variant"],
        gold=facts["gold"],
        answer=reading.label,
        score=float(reading.label == facts["gold"]),
        why=f"{reading.via}{f': {reading.detail}' if reading.detail else ''}",
        reason=answer.reason(reading.reason, unread=reading.unread),
        span=reading.span,
        epoch=answer.epoch,
        own={"domain": facts["domain"], "answer_to_original": facts["answer_to_original"]},
    )


def kind_of(answer: str | None, own: Mapping[str, Any]) -> BinaryOutcome:
    """What an answer came to, Yes, No or None, by its `own`, but for its item and variant."""
    return BinaryOutcome(
        item="",
        cluster="",
        domain=own["domain"],
        variant="",
        gold=own["answer_to_original"],
        answer=_LABELS[answer],
    )
