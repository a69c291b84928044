"""Comparisons with a number: threshold questions and exact-number questions."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from bias_tasks.binary_qa.data.synthetic.forms import Predicate


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
