"""Reads a judge model's reply."""

from __future__ import annotations

from bias_tasks.items import choice_label
from bias_tasks.reading.types import Reading

_JUDGING = {"__PROVED__": "True", "__DISPROVED__": "False", "__UNKNOWN__": "Unknown"}


def judging_verdict(text: str) -> Reading | None:
    """The judge's verdict on a judging answer, or None when its reply holds no verdict."""
    label = _JUDGING.get(text.strip()[:100])
    return None if label is None else Reading(label, "judge")


def choice_verdict(text: str, n_options: int, first: int = 1) -> Reading | None:
    """The judge's verdict on a choice answer, or None when its reply holds no verdict."""
    word = text.strip()[:100]
    if word == "NO_ANSWER":
        return Reading("none", "judge")
    parts = word.split(",")
    if not all(part.strip().isdecimal() for part in parts):
        return None
    options = tuple(sorted({int(part) - first for part in parts}))
    if not all(0 <= option < n_options for option in options):
        return None
    return Reading(choice_label(options), "judge", options)
