"""From a yes/no answer to its outcome: one path for both hosts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bias_tasks.items.binary_qa import BINARY_LABELS
from bias_tasks.metrics.binary_qa import BinaryOutcome
from bias_tasks.reading import Reading
from bias_tasks.reading.yes_no import read_yes_no


def read_binary(text: str, *, cut: bool = False) -> Reading:
    """Read the answer `text`; its label is Yes, No, or None where it could not be read.

    Args:
        text: the model's whole answer.
        cut: whether it ended at a token limit. What such a text says on its way is not its final
            answer, so that only an answer given at the very beginning is read.
    """
    reading = read_yes_no(text)
    if not cut or reading.unread or reading.span is None:
        return reading
    if any(character.isalnum() for character in text[: reading.span[0]]):
        return replace(
            reading,
            label=None,
            via="unread",
            reason="invalid_response_format",
            detail="cut at its token limit before a final answer",
        )
    return reading


def binary_outcome(facts: Mapping[str, Any], answer: str | None, epoch: int = 1) -> BinaryOutcome:
    """The outcome of a question.

    Args:
        facts: what `BinaryQuestion.facts` says of it.
        answer: `Yes`, `No`, or None where the answer could not be read.
        epoch: which of several runs of the whole design the answer belongs to.

    Raises:
        ValueError: the answer is anything else.
    """
    label = next((label for label in BINARY_LABELS if label == answer), None)
    if label is None and answer is not None:
        raise ValueError(f"answer {answer!r} of item {facts['item']}: expected Yes, No or nothing")
    return BinaryOutcome(**facts, answer=label, epoch=epoch)
