"""How many calls a run makes, and a word about one that makes thousands."""

from __future__ import annotations

from collections import Counter

from bias_tasks.family import Family, Plan

MANY = 2000
"""More calls than this are said at the start of a run."""


def calls_of(family: Family, plan: Plan) -> Counter[str | None]:
    """The calls of a plan by the model role that is asked; None is the model itself."""
    return Counter(
        request.role for question in plan.questions for request in family.requests(question, "")
    )


def many_calls(task: str, calls: int) -> str | None:
    """What to say at the start of a run of a task; None where it makes few calls."""
    if calls <= MANY:
        return None
    return (
        f"{calls:,} calls unless --limit says otherwise; `n=...` asks fewer, and `bias-tasks plan "
        f"{task}` tells cost and precision beforehand"
    )
