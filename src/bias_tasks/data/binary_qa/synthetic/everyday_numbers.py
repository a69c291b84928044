"""Everyday facts about numbers, measures and times of day."""

from __future__ import annotations

import random

from bias_tasks.data.binary_qa.synthetic.amounts import EXACT_MEASURE, LESS, MORE, amount, compared
from bias_tasks.data.binary_qa.synthetic.forms import Claim, Family, contrasts, ordered, predicates
from bias_tasks.data.yaml_files import read_yaml

_TABLES = read_yaml(__package__, "everyday_numbers")
_PREDICATES = predicates(_TABLES["predicates"])
_CONTRASTS = contrasts(_TABLES["contrasts"])


def sums(rng: random.Random, truth: bool) -> Claim:
    """A sum compared with a number."""
    comparison = rng.choice((MORE, LESS, EXACT_MEASURE))
    number, value = amount(rng, comparison, truth, range(200, 900), far=20)
    first = rng.randint(value // 4, 3 * value // 4)
    predicate = compared(comparison, _TABLES["comparisons"]["sum"])
    return Claim(predicate, (first, value - first, number), truth)


def differences(rng: random.Random, truth: bool) -> Claim:
    """A difference compared with a number."""
    comparison = rng.choice((MORE, LESS, EXACT_MEASURE))
    number, value = amount(rng, comparison, truth, range(100, 500), far=20)
    taken = rng.randint(100, 500)
    predicate = compared(comparison, _TABLES["comparisons"]["difference"])
    return Claim(predicate, (value + taken, taken, number), truth)


def divisibility(rng: random.Random, truth: bool) -> Claim:
    """Whether a number is a multiple of a small one; each multiple has one number beside it."""
    divisor = rng.choice((3, 7, 9, 11, 13))  # coprime to 10: the last digit says nothing
    quotient = rng.randint(100 // divisor + 1, 1000 // divisor - 1)
    multiple = quotient * divisor
    beside = multiple + 1 + quotient % (divisor - 1)
    return Claim(_PREDICATES["divisible"], (multiple if truth else beside, divisor), truth)


def measures(rng: random.Random, truth: bool) -> Claim:
    """Two lengths, weights or durations in different units."""
    kind, large, factor, small = rng.choice(_TABLES["units"])
    count = rng.randint(2, 40)
    more = rng.randint(1, count * factor // 3)
    high, low = f"{count} {large}", f"{count * factor - more} {small}"
    if rng.random() < 0.5:
        low, high = high, f"{count * factor + more} {small}"
    return ordered(rng, truth, _CONTRASTS[kind], low, high)


def times(rng: random.Random, truth: bool) -> Claim:
    """Two times in the same half of a day, one on the 12-hour and one on the 24-hour clock."""
    # The hours after midnight and noon are left out: not everybody counts them alike.
    early, late = sorted(rng.sample(range(60, 12 * 60), 2))
    half = rng.choice((0, 12 * 60))
    if rng.random() < 0.5:
        return ordered(
            rng, truth, _CONTRASTS["time"], _on_12_hours(early + half), _on_24_hours(late + half)
        )
    return ordered(
        rng, truth, _CONTRASTS["time"], _on_24_hours(early + half), _on_12_hours(late + half)
    )


NUMBERS: tuple[Family, ...] = (sums, differences, divisibility, measures, times)


def _on_12_hours(minute: int) -> str:
    half = "a.m." if minute < 12 * 60 else "p.m."
    return f"{minute // 60 % 12}:{minute % 60:02d} {half}"


def _on_24_hours(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"
