"""The form of a judge's answer, for hosts and providers that can force one.

The reasoning comes first, so that a verdict that is written token by token follows from it and is
not defended by it. Providers that force a schema write its properties in their order.
"""

from __future__ import annotations

from typing import Any

from bias_tasks.complex_eval.items import Criterion, JudgedItem

REASONING = "reasoning"
"""The key of the reasoning."""
SCORE_RANGE = (1, 10)
"""Lowest and highest score of a basic response, and of each criterion of creative writing."""
SEVERITY_RANGE = (1, 10)
"""Lowest and highest severity of a flaw."""


def answer_schema(item: JudgedItem) -> dict[str, Any]:
    """The JSON schema of the answer: the reasoning, and then the verdict of the item's family."""
    return _object({REASONING: {"type": "string"}, **_verdict(item)})


def _verdict(item: JudgedItem) -> dict[str, Any]:
    low, high = SCORE_RANGE
    score = {"type": "number", "minimum": low, "maximum": high}
    if item.family == "math":
        return {"first_error": {"type": "integer", "minimum": -1}}
    if item.family == "creative_writing":
        return {"scores": _object({part.name: score for part in item.criteria})}
    if item.family == "role_playing":
        return {"flaws": {"type": "array", "items": _flaw(item.criteria)}}
    return {"score": score}


def _flaw(criteria: tuple[Criterion, ...]) -> dict[str, Any]:
    low, high = SEVERITY_RANGE
    return _object(
        {
            "dimension": {"type": "string", "enum": [part.name for part in criteria]},
            "severity": {"type": "integer", "minimum": low, "maximum": high},
            "quote": {"type": "string"},
        }
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
