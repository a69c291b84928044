"""A yes/no question in its eight variants (Khrapunova 2025, sections 2.1 and 2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

BinaryLabel = Literal["Yes", "No"]
Order = Literal["yes_no", "no_yes"]
Variant = Literal[
    "original", "repeat_2", "repeat_3", "synonym", "polite", "contradictory", "false", "reversed"
]
Reformulation = Literal["synonym", "polite", "contradictory", "false"]

BINARY_LABELS: tuple[BinaryLabel, ...] = get_args(BinaryLabel)
ORDERS: tuple[Order, ...] = get_args(Order)
VARIANTS: tuple[Variant, ...] = get_args(Variant)
"""Each is asked once: the original three times in all, four rewordings, the answers reversed."""
REFORMULATIONS: tuple[Reformulation, ...] = get_args(Reformulation)
NEGATIVE: frozenset[str] = frozenset({"contradictory", "false"})
"""Reformulations whose right answer is the opposite of the original's."""
PAPER_DOMAINS: tuple[str, ...] = ("reading", "multi_hop", "numerical", "translation", "ethics")


@dataclass(frozen=True, slots=True)
class Reformulations:
    """The rewordings of a question; None where there is none (yet)."""

    synonym: str | None = None
    polite: str | None = None
    contradictory: str | None = None
    false: str | None = None

    def missing(self) -> tuple[Reformulation, ...]:
        """Names of the rewordings that are None."""
        return tuple(name for name in REFORMULATIONS if getattr(self, name) is None)


@dataclass(frozen=True, slots=True)
class BinaryItem:
    """A yes/no question, often about a context (a passage, paragraphs, a translation)."""

    id: str
    question: str
    answer: BinaryLabel
    domain: str
    source: str
    cluster: str
    """Items of one cluster share their context; intervals are clustered by it."""
    context: str | None = None
    reformulations: Reformulations = field(default_factory=Reformulations)
    further: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file that nobody asks about, as plain JSON values."""

    def has(self, variant: str) -> bool:
        """Whether the item can be asked under `variant`: only a rewording may be missing."""
        return variant not in self.reformulations.missing()

    def wording(self, variant: str) -> str:
        """The question as `variant` words it.

        Raises:
            ValueError: the item has no such reformulation.
        """
        if variant not in REFORMULATIONS:
            return self.question
        text: str | None = getattr(self.reformulations, variant)
        if text is None:
            raise ValueError(f"item {self.id} has no {variant} reformulation")
        return text

    def gold(self, variant: str) -> BinaryLabel:
        """The right answer under `variant`: negative reformulations turn it around."""
        return opposite(self.answer) if variant in NEGATIVE else self.answer


def opposite(label: BinaryLabel) -> BinaryLabel:
    """The other of the two labels."""
    return "No" if label == "Yes" else "Yes"
