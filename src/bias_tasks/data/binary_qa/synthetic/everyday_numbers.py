"""Everyday facts about numbers, measures and times of day."""

from __future__ import annotations

import random

from bias_tasks.data.binary_qa.synthetic.amounts import EXACT_MEASURE, LESS, MORE, amount, compared
from bias_tasks.data.binary_qa.synthetic.contrasts import Contrast, ordered
from bias_tasks.data.binary_qa.synthetic.forms import Claim, Family, Predicate

_DIVISIBLE = Predicate(
    "Is {0} divisible by {1}?",
    "Is {0} a multiple of {1}?",
    "{0} is divisible by {1}",
    "Does dividing {0} by {1} leave a remainder?",
)
_TIME = Contrast(
    Predicate(
        "Is {0} later in the day than {1}?",
        "Does {0} come after {1} on any given day?",
        "{0} is later in the day than {1}",
        "Is {0} not later in the day than {1}?",
    ),
    Predicate(
        "Is {0} earlier in the day than {1}?",
        "Does {0} come before {1} on any given day?",
        "{0} is earlier in the day than {1}",
        "Is {0} not earlier in the day than {1}?",
    ),
)
_DISTANCE = Contrast(
    Predicate(
        "Is a distance of {0} longer than one of {1}?",
        "Does a distance of {0} exceed one of {1}?",
        "a distance of {0} is longer than one of {1}",
        "Is a distance of {0} at most as long as one of {1}?",
    ),
    Predicate(
        "Is a distance of {0} shorter than one of {1}?",
        "Does a distance of {0} fall short of one of {1}?",
        "a distance of {0} is shorter than one of {1}",
        "Is a distance of {0} at least as long as one of {1}?",
    ),
)
_LOAD = Contrast(
    Predicate(
        "Is a load of {0} heavier than one of {1}?",
        "Does a load of {0} weigh more than one of {1}?",
        "a load of {0} is heavier than one of {1}",
        "Is a load of {0} at most as heavy as one of {1}?",
    ),
    Predicate(
        "Is a load of {0} lighter than one of {1}?",
        "Does a load of {0} weigh less than one of {1}?",
        "a load of {0} is lighter than one of {1}",
        "Is a load of {0} at least as heavy as one of {1}?",
    ),
)
_DURATION = Contrast(
    Predicate(
        "Is a break of {0} longer than one of {1}?",
        "Does a break of {0} last longer than one of {1}?",
        "a break of {0} is longer than one of {1}",
        "Is a break of {0} at most as long as one of {1}?",
    ),
    Predicate(
        "Is a break of {0} shorter than one of {1}?",
        "Does a break of {0} take less time than one of {1}?",
        "a break of {0} is shorter than one of {1}",
        "Is a break of {0} at least as long as one of {1}?",
    ),
)
_UNITS = (
    (_DISTANCE, "kilometres", 1000, "metres"),
    (_DISTANCE, "metres", 100, "centimetres"),
    (_DISTANCE, "centimetres", 10, "millimetres"),
    (_LOAD, "tonnes", 1000, "kilograms"),
    (_LOAD, "kilograms", 1000, "grams"),
    (_DURATION, "days", 24, "hours"),
    (_DURATION, "hours", 60, "minutes"),
    (_DURATION, "minutes", 60, "seconds"),
)
"""Each with how many of the smaller unit make one of the larger."""


def sums(rng: random.Random, truth: bool) -> Claim:
    """A sum compared with a number."""
    comparison = rng.choice((MORE, LESS, EXACT_MEASURE))
    number, value = amount(rng, comparison, truth, range(200, 900), far=20)
    first = rng.randint(value // 4, 3 * value // 4)
    predicate = compared(
        comparison,
        "Is the sum of {0} and {1} # {2}?",
        "Do {0} and {1} add up to # {2}?",
        "the sum of {0} and {1} is # {2}",
    )
    return Claim(predicate, (first, value - first, number), truth)


def differences(rng: random.Random, truth: bool) -> Claim:
    """A difference compared with a number."""
    comparison = rng.choice((MORE, LESS, EXACT_MEASURE))
    number, value = amount(rng, comparison, truth, range(100, 500), far=20)
    taken = rng.randint(100, 500)
    predicate = compared(
        comparison,
        "Is {0} minus {1} # {2}?",
        "Does subtracting {1} from {0} leave # {2}?",
        "{0} minus {1} is # {2}",
    )
    return Claim(predicate, (value + taken, taken, number), truth)


def divisibility(rng: random.Random, truth: bool) -> Claim:
    """Whether a number is a multiple of a small one; each multiple has one number beside it."""
    divisor = rng.choice((3, 7, 9, 11, 13))  # coprime to 10: the last digit says nothing
    quotient = rng.randint(100 // divisor + 1, 1000 // divisor - 1)
    multiple = quotient * divisor
    beside = multiple + 1 + quotient % (divisor - 1)
    return Claim(_DIVISIBLE, (multiple if truth else beside, divisor), truth)


def measures(rng: random.Random, truth: bool) -> Claim:
    """Two lengths, weights or durations in different units."""
    contrast, large, factor, small = rng.choice(_UNITS)
    count = rng.randint(2, 40)
    more = rng.randint(1, count * factor // 3)
    high, low = f"{count} {large}", f"{count * factor - more} {small}"
    if rng.random() < 0.5:
        low, high = high, f"{count * factor + more} {small}"
    return ordered(rng, truth, contrast, low, high)


def times(rng: random.Random, truth: bool) -> Claim:
    """Two times in the same half of a day, one on the 12-hour and one on the 24-hour clock."""
    # The hours after midnight and noon are left out: not everybody counts them alike.
    early, late = sorted(rng.sample(range(60, 12 * 60), 2))
    half = rng.choice((0, 12 * 60))
    if rng.random() < 0.5:
        return ordered(rng, truth, _TIME, _on_12_hours(early + half), _on_24_hours(late + half))
    return ordered(rng, truth, _TIME, _on_24_hours(early + half), _on_12_hours(late + half))


NUMBERS: tuple[Family, ...] = (sums, differences, divisibility, measures, times)


def _on_12_hours(minute: int) -> str:
    half = "a.m." if minute < 12 * 60 else "p.m."
    return f"{minute // 60 % 12}:{minute % 60:02d} {half}"


def _on_24_hours(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"
