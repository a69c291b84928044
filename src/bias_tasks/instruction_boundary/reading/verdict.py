"""Reads a judge model's reply; a reply without a verdict is None, never a label."""

from __future__ import annotations

import json
import re

from bias_tasks.instruction_boundary.items import choice_label
from bias_tasks.reading.types import Reading

LONGEST_REPLY = 2_000
"""A longer reply than this is no verdict: the judge is asked for a label alone."""

_JUDGING = {"PROVED": "True", "DISPROVED": "False", "UNKNOWN": "Unknown"}
_MARKS = " \t\r\n\"'`*."
_JUDGING_VERDICT = re.compile(r"(?:__)?(PROVED|DISPROVED|UNKNOWN)(?:__)?", re.ASCII)
_CHOICE_VERDICT = re.compile(r"\d{1,3}(?: ?, ?\d{1,3}){0,25}", re.ASCII)


def judging_verdict(text: str) -> Reading | None:
    """The judge's verdict on a judging answer (appendix K).

    Args:
        text: its reply: `__PROVED__`, `__DISPROVED__` or `__UNKNOWN__` alone but for quotes and
            blanks, or a JSON object `{"verdict": ...}`.

    Returns:
        A reading via `judge`, or None when the reply holds no verdict, so that it is asked again.
    """
    match = _JUDGING_VERDICT.fullmatch(_verdict(text))
    return None if match is None else Reading(_JUDGING[match[1]], "judge", detail="judge's verdict")


def choice_verdict(text: str, n_options: int, first: int = 1) -> Reading | None:
    """The judge's verdict on a choice answer (appendix K).

    Args:
        text: its reply: the numbers of the options selected ("1" or "0,1") or `NO_ANSWER`, alone
            but for quotes and blanks, or a JSON object `{"verdict": ...}`.
        n_options: how many options the answer could select from.
        first: the number of the first option.

    Returns:
        A reading via `judge`; `invalid` when it names an option that was not offered. None when
        the reply holds no verdict, so that it is asked again.
    """
    verdict = _verdict(text)
    if verdict == "NO_ANSWER":
        return Reading("none", "judge", detail="judge's verdict")
    if _CHOICE_VERDICT.fullmatch(verdict) is None:
        return None
    numbers = {int(number) - first for number in verdict.split(",")}
    options = tuple(sorted(number for number in numbers if 0 <= number < n_options))
    if len(options) < len(numbers):
        return Reading("invalid", "judge", options, None, "invalid_response_format", "not offered")
    return Reading(choice_label(options), "judge", options, detail="judge's verdict")


def _verdict(text: str) -> str:
    """What the reply says, without the marks around it; empty when it says too much."""
    if len(text) > LONGEST_REPLY:
        return ""
    stripped = text.strip(_MARKS)
    if not stripped.startswith("{"):
        return stripped
    try:
        loaded = json.loads(stripped)
    except (ValueError, RecursionError):
        return ""
    verdict = loaded.get("verdict") if isinstance(loaded, dict) else None
    return str(verdict).strip(_MARKS) if isinstance(verdict, str | int) else ""
