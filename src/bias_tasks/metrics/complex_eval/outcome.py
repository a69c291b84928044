"""What a judge made of one response."""

from __future__ import annotations

from dataclasses import dataclass

from bias_tasks.items.complex_eval import Family


@dataclass(frozen=True, slots=True)
class Judgement:
    """One response judged under one auxiliary condition."""

    item: str
    cluster: str
    family: Family
    domain: str
    aux: str
    """none, reference or rubric; `full` where a family gives all it has."""
    response: str
    """chosen, rejected, original, original_2, an attacked response's name, or a planted count."""
    score: float | None
    """On the family's scale; math: the position of the first wrong step, or -1. None: unread."""
    gold: int | None = None
    """Math: the true position of the first wrong step, or -1."""
    epoch: int = 1
