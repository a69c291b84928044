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


@dataclass(frozen=True, slots=True)
class Comparison:
    """Words that compare an amount with a number, such as "more than"."""

    asked: str
    synonym: str
    """The same in other words."""
    opposite: str
    """Holds exactly where `asked` does not."""
    sign: int
    """1: the amount is above the number; -1: below it; 0: it is the number."""


MORE = Comparison("more than", "over", "at most", 1)
FEWER = Comparison("fewer than", "under", "at least", -1)
LESS = Comparison("less than", "under", "at least", -1)
EXACT_COUNT = Comparison("exactly", "precisely", "either more or fewer than", 0)
EXACT_MEASURE = Comparison("exactly", "precisely", "either more or less than", 0)


def compared(comparison: Comparison, wording: Mapping[str, str]) -> Predicate:
    """The predicate in whose wording the comparison stands for "#".

    Args:
        comparison: how the amount is compared with the number.
        wording: question, synonym and statement; the negation is the question with the opposite.
    """
    return Predicate(
        wording["question"].replace("#", comparison.asked),
        wording["synonym"].replace("#", comparison.synonym),
        wording["statement"].replace("#", comparison.asked),
        wording["question"].replace("#", comparison.opposite),
    )


def amount(
    rng: random.Random, comparison: Comparison, truth: bool, numbers: range, far: int
) -> tuple[int, int]:
    """A number to ask about, and an amount for which the comparison has the given truth.

    The number is drawn first, from `numbers`, and the amount lies up to `far` from it. Number and
    amount, each by itself, are therefore distributed alike under both truths: above and below are
    asked for equally often, and a wrong exact number is counted round the range's ends.
    """
    place = rng.randrange(len(numbers))
    step = rng.randint(1, far)
    if comparison.sign:
        return numbers[place], numbers[place] + (step if truth else -step) * comparison.sign
    if truth:
        return numbers[place], numbers[place]
    return numbers[place], numbers[(place + rng.choice((step, -step))) % len(numbers)]
