"""The logical form of a question, its five wordings, and comparisons in either direction."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from bias_tasks.binary_qa.items import BinaryItem, BinaryLabel, Reformulations
from bias_tasks.names import content_hash


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a question claims, in words; {0}, {1} and so on stand for the arguments."""

    question: str
    synonym: str
    """The same claim asked in other words."""
    statement: str
    """The claim as a clause that can follow "that"."""
    contradictory: str
    """The claim's negation asked: true exactly where the claim is false."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two predicates of {0} and {1}; which of the two lies higher decides both."""

    above: Predicate
    """{0} lies higher: it is longer, later, more and so on."""
    below: Predicate


@dataclass(frozen=True, slots=True)
class Claim:
    """A predicate, its arguments, and whether it holds of them in the world of the context."""

    predicate: Predicate
    arguments: tuple[str | int, ...]
    truth: bool
    context: str | None = None


Family = Callable[[random.Random, bool], Claim]
"""(generator, truth) -> a claim with that truth. Questions and contexts look alike under both."""


def predicates(rows: Mapping[str, Mapping[str, str]]) -> dict[str, Predicate]:
    """The predicates of a YAML table, by name."""
    return {name: Predicate(**row) for name, row in rows.items()}


def contrasts(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Contrast]:
    """The contrasts of a YAML table, by name; a row may hold more than its two predicates."""
    return {
        name: Contrast(Predicate(**row["above"]), Predicate(**row["below"]))
        for name, row in rows.items()
    }


def ordered(
    rng: random.Random,
    truth: bool,
    contrast: Contrast,
    low: str,
    high: str,
    context: str | None = None,
) -> Claim:
    """The claim that `high` is above `low` or that `low` is below `high`, or its mirror image.

    A false claim is a true one with the two exchanged, so that both have the same words.
    """
    above = rng.random() < 0.5
    arguments = (high, low) if above == truth else (low, high)
    return Claim(contrast.above if above else contrast.below, arguments, truth, context)


def binary_item(
    rng: random.Random, label: BinaryLabel, domain: str, families: Sequence[Family]
) -> BinaryItem:
    """A question with the given answer, from one of the families."""
    claim = rng.choice(families)(rng, label == "Yes")
    question, rewordings = _worded(claim)
    fields = (domain, claim.context, question, label, astuple(rewordings))
    identity = f"synthetic-{content_hash('binary', *fields)}"
    return BinaryItem(
        id=identity,
        question=question,
        answer=label,
        domain=domain,
        source="synthetic",
        cluster=identity,
        context=claim.context,
        reformulations=rewordings,
    )


def _worded(claim: Claim) -> tuple[str, Reformulations]:
    said = claim.predicate
    statement = said.statement.format(*claim.arguments)
    return said.question.format(*claim.arguments), Reformulations(
        synonym=said.synonym.format(*claim.arguments),
        polite=f"Would you say that {statement}?",
        contradictory=said.contradictory.format(*claim.arguments),
        false=f"Is it false that {statement}?",
    )


def passage(rng: random.Random, sentences: Sequence[str]) -> str:
    """The sentences in random order, so that what matters may stand anywhere."""
    return " ".join(rng.sample(sentences, len(sentences)))
