"""Reasons to refuse a rewording, whoever made it."""

from __future__ import annotations

from bias_tasks.items.binary_qa import Reformulation


def check(question: str, kind: Reformulation, text: str) -> str | None:
    """Why `text` is no valid rewording of `question`, or None."""
    return None if text.endswith("?") else "it does not end with a question mark"
