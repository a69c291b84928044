"""Rubrics: CoSER's four dimensions, and one rubric for each domain of preference pairs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from bias_tasks.complex_eval.items import Criterion

_TEXTS = files("bias_tasks.complex_eval.data") / "texts"
ROLE_PLAYING = (
    "Storyline Consistency",
    "Anthropomorphism",
    "Character Fidelity",
    "Storyline Quality",
)
"""The dimensions of appendix B.2, in its order."""


def role_playing_criteria(major_characters: Iterable[str]) -> tuple[Criterion, ...]:
    """The four dimensions with their flaws; fidelity is asked of the main characters alone."""
    named = ", ".join(major_characters)
    return tuple(
        Criterion(name, _text(f"role_playing/{name}").replace("{major_characters}", named))
        for name in ROLE_PLAYING
    )


def rubric(domain: str) -> str:
    """The rubric of a domain of preference pairs, such as `Open QA`."""
    return _text(f"rubrics/{domain}")


@cache
def _text(name: str) -> str:
    path = _TEXTS / f"{name.lower().replace(' ', '_')}.txt"
    return path.read_text(encoding="utf-8").rstrip("\n")
