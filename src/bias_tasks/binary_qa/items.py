"""A yes/no question in its eight variants (Khrapunova 2025, sections 2.1 and 2.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

BinaryLabel = Literal["Yes", "No"]
Order = Literal["yes_no", "no_yes"]
Variant = Literal[
    "original", "repeat_2", "repeat_3", "synonym", "polite", "contradictory", "false", "reversed"
]
Reformulation = Literal["synonym", "polite", "contradictory", "false"]
NumberStyle = Literal["threshold", "exact"]
"""Whether a yes/no question made of one for a number asks for a bound, or for that number."""

BINARY_LABELS: tuple[BinaryLabel, ...] = get_args(BinaryLabel)
VARIANTS: tuple[Variant, ...] = get_args(Variant)
"""Each is asked once: the original three times in all, four rewordings, the answers reversed."""
REFORMULATIONS: tuple[Reformulation, ...] = get_args(Reformulation)
NEGATIVE: frozenset[str] = frozenset({"contradictory", "false"})
"""Reformulations whose right answer is the opposite of the original's."""
PAPER_DOMAINS: tuple[str, ...] = ("reading", "multi_hop", "numerical", "translation", "ethics")
COMPARED: Mapping[str, tuple[Variant, ...]] = {
    "prc": ("synonym", "polite"),
    "nrc": ("contradictory", "false"),
    "arc": ("reversed",),
    "sc": ("repeat_2", "repeat_3"),
}
"""Variants whose answers are compared with the original's; all of them must agree with it."""
LEAST_REWORDED = 0.9
"""Share of the questions that need all their rewordings for `mbs`."""


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
    reformulations: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Those that there are (yet)."""
    further: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Cells of a user's file that nobody asks about, as plain JSON values."""

    def has(self, variant: str) -> bool:
        """Whether the item can be asked under `variant`: only a rewording may be missing."""
        return variant not in REFORMULATIONS or variant in self.reformulations

    def wording(self, variant: str) -> str:
        """The question as `variant` words it. A ValueError where the item has no such
        reformulation."""
        if not self.has(variant):
            raise ValueError(f"item {self.id} has no {variant} reformulation")
        return self.reformulations.get(variant, self.question)

    def gold(self, variant: str) -> BinaryLabel:
        """The right answer under `variant`: negative reformulations turn it around."""
        return opposite(self.answer) if variant in NEGATIVE else self.answer


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingNumberQuestion(BinaryItem):
    """A 'How many' question (`question`, as its data set asks it) that a model has to turn yes/no.

    `answer` is what the yes/no question is to be answered with. It must never be asked as it is.
    """

    value: int | float
    """The right number."""
    style: NumberStyle


def weighed_rewordings(weights: Mapping[str, float] | None) -> tuple[Reformulation, ...]:
    """The rewordings that `mbs` rests on with these weights of the core metrics; None: all."""
    weighed = COMPARED if weights is None else [name for name, weight in weights.items() if weight]
    compared = {kind for name in weighed for kind in COMPARED.get(name, ())}
    return tuple(kind for kind in REFORMULATIONS if kind in compared)


def why_no_score(reworded: Mapping[str, Sequence[bool]]) -> str | None:
    """Why `mbs` is not given over questions of which too few are reworded; None where it is.

    `reworded` says by domain of each question whether it has all rewordings that are weighed.
    """
    bare = [domain for domain, has in reworded.items() if not any(has)]
    if bare:
        return f"no question of {', '.join(bare)} has all its rewordings"
    have = sum(sum(has) for has in reworded.values())
    asked = sum(len(has) for has in reworded.values())
    if have < LEAST_REWORDED * asked:
        return f"{have} of {asked} questions have all their rewordings, fewer than 90 %"
    return None


def opposite(label: BinaryLabel) -> BinaryLabel:
    """The other of the two labels."""
    return "No" if label == "Yes" else "Yes"
