"""Reads answers to choice questions: which of the options shown an answer names."""

from __future__ import annotations

import re
from typing import Literal

from bias_tasks.items import Protocol, choice_label
from bias_tasks.reading.types import Reading

Symbols = Literal["numbers", "letters"]


def read_choice(
    text: str,
    *,
    n_options: int,
    first: int = 1,
    symbols: Symbols = "numbers",
    protocol: Protocol = "corrected",
) -> Reading:
    """Read the answer to a choice question.

    Args:
        text: the model's answer.
        n_options: how many options the prompt offered.
        first: the number of the first option (1 corrected, 0 published).
        symbols: whether the options carry numbers or letters (A, B, ...).
        protocol: `corrected` or `published`.
    """
    if re.fullmatch(r"\s*no correct answer\W*", text[:100].lower()):
        return Reading("none", "keyword")
    numbers = sorted({int(n) - first for n in re.findall(r"\d+", text[:100])})
    if not numbers:
        return Reading(None, "unread", reason="invalid_response_format")
    valid = tuple(n for n in numbers if 0 <= n < n_options)
    if len(valid) < len(numbers):
        return Reading("invalid", "explicit", valid, reason="invalid_response_format")
    return Reading(choice_label(valid), "explicit", valid)
