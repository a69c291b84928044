"""What a run of binary question answering asks: every question under each variant it needs.

Both hosts build their samples from here, so a sample's id, prompt and gold are the same in either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bias_tasks.data.binary_qa.load import load_binary
from bias_tasks.items import PROTOCOLS, Protocol
from bias_tasks.items.binary_qa import (
    ORDERS,
    PAPER_DOMAINS,
    VARIANTS,
    BinaryItem,
    BinaryLabel,
    Order,
    Variant,
)
from bias_tasks.metrics.binary_qa.score import check_weights
from bias_tasks.prompts.binary_qa import ask_binary

ASKED: Mapping[str, tuple[Variant, ...]] = {
    "binaryqa": VARIANTS,
    "binaryqa_prc": ("original", "synonym", "polite"),
    "binaryqa_nrc": ("original", "contradictory", "false"),
    "binaryqa_arc": ("original", "reversed"),
    "binaryqa_sc": ("original", "repeat_2", "repeat_3"),
    "binaryqa_qa": ("original",),
}
"""The variants that each task asks of every question."""
REPEATS: frozenset[str] = frozenset({"repeat_2", "repeat_3"})
"""Variants whose prompt is the original's: only these may be asked of a model twice."""


@dataclass(frozen=True, slots=True)
class BinaryParams:
    """How a run asks and scores.

    Raises:
        ValueError: a value is not among the allowed ones; the message lists them.
    """

    order: Order = "yes_no"
    """The order of the answers in the prompt; `reversed` prints the other one."""
    protocol: Protocol = "corrected"
    weights: Mapping[str, float] | None = None
    """Weights of the core metrics in mbs, where not the paper's."""

    def __post_init__(self) -> None:
        _check("order", self.order, ORDERS)
        _check("protocol", self.protocol, PROTOCOLS)
        if self.weights is not None:
            _check_numbers(self.weights)
            check_weights(self.weights)


@dataclass(frozen=True, slots=True)
class BinaryQuestion:
    """One item under one variant."""

    item: BinaryItem
    variant: Variant
    order: Order = "yes_no"

    @property
    def id(self) -> str:
        return f"{self.item.id}/{self.variant}"

    @property
    def gold(self) -> BinaryLabel:
        """The right answer under the variant."""
        return self.item.gold(self.variant)

    def prompt(self, *, cue: bool = False) -> str:
        """What the model is asked; with `cue` it ends where the answer is to follow."""
        return ask_binary(self.item, self.variant, self.order, cue=cue)

    def facts(self) -> dict[str, Any]:
        """What is known of the outcome before the answer, as plain JSON values."""
        return {
            "item": self.item.id,
            "cluster": self.item.cluster,
            "domain": self.item.domain,
            "variant": self.variant,
            "gold": self.item.answer,
        }


@dataclass(frozen=True, slots=True)
class BinaryPlan:
    """The questions of a run, an item's variants side by side, and where they come from."""

    questions: tuple[BinaryQuestion, ...]
    provenance: tuple[Mapping[str, Any], ...]

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains asked, in the order of first appearance."""
        return tuple(dict.fromkeys(question.item.domain for question in self.questions))

    @property
    def domains_note(self) -> str | None:
        """What to say beside a result that is not over the paper's five domains."""
        left_out = [domain for domain in PAPER_DOMAINS if domain not in self.domains]
        if not left_out:
            return None
        return (
            f"over the domains {', '.join(self.domains)} and without {', '.join(left_out)}: "
            "figures over fewer than the paper's five don't compare with the paper's"
        )


def plan_binary(
    task: str,
    params: BinaryParams,
    *,
    data: str = "paper",
    domains: str | Sequence[str] | None = None,
    sources: str | Sequence[str] | None = None,
    reformulate: str | None = None,
    without: frozenset[str] = frozenset(),
    seed: int = 0,
    n: int | None = None,
) -> BinaryPlan:
    """The questions of a run of `task`.

    Args:
        task: a key of `ASKED`.
        params: how to ask.
        data: `paper`, `synthetic` or the path of the user's own questions.
        domains: which domains, where not all.
        sources: names of the sources, where not the paper's.
        reformulate: where missing rewordings come from: `given`, `grammar` or `skip`.
        without: variants that make no sense in this host.
        seed: seed of the order of the questions, and of synthetic ones.
        n: at most so many questions, balanced over domains and labels.

    Raises:
        ValueError: a parameter's value is unknown or does not fit the others.
        DataError: the questions, or rewordings that the task needs, can't be had.
    """
    variants = tuple(variant for variant in ASKED[task] if variant not in without)
    loaded = load_binary(
        data,
        variants=variants,
        domains=domains,
        sources=sources,
        reformulate=reformulate,
        seed=seed,
        n=n,
    )
    questions = tuple(
        BinaryQuestion(item, variant, params.order) for item in loaded.items for variant in variants
    )
    return BinaryPlan(questions, loaded.provenance)


def _check(name: str, value: object, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise ValueError(f"{name}={value!r}: expected one of {', '.join(allowed)}")


def _check_numbers(weights: object) -> None:
    numbers = isinstance(weights, Mapping) and all(
        isinstance(weight, int | float) and not isinstance(weight, bool)
        for weight in weights.values()
    )
    if not numbers:
        raise ValueError(f"weights={weights!r}: expected a number for each metric")
