"""Reads answers to judging questions: True (proved), False (disproved) or Unknown."""

from __future__ import annotations

import re

from bias_tasks.items import JUDGING_LABELS, Protocol
from bias_tasks.reading.types import Reading


def read_judging(text: str, *, shown: int = 3, protocol: Protocol = "corrected") -> Reading:
    """Read the answer to a judging question.

    Args:
        text: the model's answer.
        shown: how many numbered options the prompt offered.
        protocol: `corrected` or `published`.
    """
    match = re.fullmatch(r"\s*(\d)\s*", text[:100])
    if match is None:
        return Reading(None, "unread", reason="invalid_response_format")
    number = int(match[1])
    if not 1 <= number <= min(shown, len(JUDGING_LABELS)):
        return Reading("invalid", "explicit", reason="invalid_response_format")
    return Reading(JUDGING_LABELS[number - 1], "explicit", span=match.span(1))
