"""Turns "How many ..." questions into yes/no questions (Khrapunova 2025, section 2.1)."""

from __future__ import annotations

from typing import Literal

from bias_tasks.items.binary_qa import BinaryLabel

NumberStyle = Literal["threshold", "exact"]


def number_question(
    question: str, value: int | float, style: NumberStyle, answer: BinaryLabel, seed: int
) -> str | None:
    """`question` turned yes/no, with `answer` as its right answer; None where not mechanical."""
    return None


def check_number_question(
    question: str, value: int | float, style: NumberStyle, answer: BinaryLabel, text: str
) -> str | None:
    """Why `text` is no valid yes/no form of `question`, or None."""
    return None if text.endswith("?") else "it does not end with a question mark"
