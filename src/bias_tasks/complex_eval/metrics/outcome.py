"""What a judge made of one response."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from bias_tasks.complex_eval.items import (
    ATTACKS,
    AUX,
    BIASES,
    CHOSEN,
    JUDGED_KINDS,
    ORIGINAL,
    REJECTED,
    JudgedKind,
)

Mode = Literal["joint", "per_dimension"]

MODES: tuple[Mode, ...] = get_args(Mode)
"""All dimensions in one call, or a call for each."""
NONE = "none"
FULL = "full"
"""Auxiliary information where a family gives all it has."""
ORIGINAL_2 = f"{ORIGINAL}_2"
"""The second judgement of the very same prompt."""
AUX_OF: Mapping[JudgedKind, tuple[str, ...]] = {
    family: AUX if family == "basic" else (FULL,) for family in JUDGED_KINDS
}
RESPONSES_OF: Mapping[JudgedKind, tuple[str, ...]] = {
    family: (
        (CHOSEN, REJECTED, *(f"{REJECTED}~{attack}" for attack in ATTACKS))
        if family == "basic"
        else (ORIGINAL, ORIGINAL_2, *BIASES[family])
    )
    for family in JUDGED_KINDS
}
SCALES: Mapping[JudgedKind, tuple[float, float]] = {
    "basic": (1.0, 10.0),
    "role_playing": (0.0, 100.0),
    "creative_writing": (1.0, 10.0),
}
"""Lowest and highest score; math has positions instead."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One response judged under one auxiliary condition."""

    item: str
    cluster: str
    family: JudgedKind
    domain: str
    aux: str
    """One of AUX_OF the family: none, reference or rubric; `full` for all but basic items."""
    response: str
    """One of RESPONSES_OF the family: chosen, rejected, original, original_2 or attacked."""
    score: float | None
    """On the family's scale; math: the position of the first wrong step, or -1. None: unread."""
    gold: int | None = None
    """Math: the true position of the first wrong step, or -1."""
    epoch: int = 1


@dataclass(frozen=True, slots=True)
class IssueCount:
    """How many flaws a judge reported in a response with a known number of planted ones."""

    item: str
    """The response that the flaws are planted into; the same for every number of them."""
    cluster: str
    mode: Mode
    planted: int
    found: int | None
    """Flaws reported, true or not. None: unread."""
    located: int | None = None
    """How many of the planted flaws are among them; None where that is not known."""
    by_chance: float | None = None
    """How many of them as many blind reports would locate on average; None where not known."""
    epoch: int = 1
