"""The logical form of a question, and its five wordings."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass

from bias_tasks.items import content_hash
from bias_tasks.items.binary_qa import BinaryItem, BinaryLabel, Reformulations


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
class Claim:
    """A predicate, its arguments, and whether it holds of them in the world of the context."""

    predicate: Predicate
    arguments: tuple[str | int, ...]
    truth: bool
    context: str | None = None


Family = Callable[[random.Random, bool], Claim]
"""(generator, truth) -> a claim with that truth. Questions and contexts look alike under both."""


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
