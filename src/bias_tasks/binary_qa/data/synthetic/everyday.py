"""Everyday facts: questions that need no passage, computed or from closed lists.

Yes and No questions have the same words equally often, and closed lists hold as many of each, so
that neither runs out first in long runs.
"""

from __future__ import annotations

import random
import string
from collections.abc import Mapping, Sequence

from bias_tasks.binary_qa.data.synthetic.forms import (
    EXACT_MEASURE,
    LESS,
    MORE,
    Claim,
    Family,
    amount,
    compared,
    contrasts,
    ordered,
    predicates,
)
from bias_tasks.data.files import read_yaml

_TABLES = read_yaml(__package__, "everyday")
_PREDICATES = predicates(_TABLES["predicates"])
_CONTRASTS = contrasts(_TABLES["contrasts"])
_WORDS: Sequence[str] = _TABLES["words"]
_MONTH_LENGTHS: Mapping[str, int | None] = _TABLES["month_lengths"]
_MONTHS = list(_MONTH_LENGTHS)
_OPPOSITES: Sequence[tuple[str, str]] = list(_TABLES["opposites"].items())
_KINDS: Mapping[str, Sequence[str]] = _TABLES["kinds"]
_KIND_NAMES = list(_KINDS)
_CAPITALS: Sequence[tuple[str, str]] = list(_TABLES["capitals"].items())
_CONTINENTS: Sequence[Sequence[str]] = _TABLES["continents"]


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


def letters(rng: random.Random, truth: bool) -> Claim:
    """The order of two letters."""
    return ordered(
        rng, truth, _CONTRASTS["alphabet"], *sorted(rng.sample(string.ascii_uppercase, 2))
    )


def dictionary(rng: random.Random, truth: bool) -> Claim:
    """The order of two words in a dictionary."""
    return ordered(rng, truth, _CONTRASTS["dictionary"], *sorted(rng.sample(_WORDS, 2)))


def lengths(rng: random.Random, truth: bool) -> Claim:
    """Which of two words has more letters."""
    word = rng.choice(_WORDS)
    other = rng.choice([other for other in _WORDS if len(other) != len(word)])
    return ordered(rng, truth, _CONTRASTS["length"], *sorted((word, other), key=len))


def months(rng: random.Random, truth: bool) -> Claim:
    """The order of two months."""
    early, late = sorted(rng.sample(range(12), 2))
    return ordered(rng, truth, _CONTRASTS["calendar"], _MONTHS[early], _MONTHS[late])


def month_lengths(rng: random.Random, truth: bool) -> Claim:
    """Whether a month has 30 or 31 days."""
    month, days = rng.choice([(m, days) for m, days in _MONTH_LENGTHS.items() if days])
    return Claim(_PREDICATES["days"], (month, days if truth else 61 - days), truth)


def opposites(rng: random.Random, truth: bool) -> Claim:
    """Whether two words are opposites; wrong ones come from neighbouring pairs."""
    row, side = rng.randrange(len(_OPPOSITES)), rng.randrange(2)
    beside = row if truth else row + 1
    word, other = _OPPOSITES[row][side], _OPPOSITES[beside % len(_OPPOSITES)][1 - side]
    return Claim(_PREDICATES["opposite"], (word, other), truth)


def kinds(rng: random.Random, truth: bool) -> Claim:
    """Whether things are of a kind; wrong kinds are the next in the list."""
    kind = rng.randrange(len(_KINDS))
    member = rng.choice(_KINDS[_KIND_NAMES[kind]])
    asked = _KIND_NAMES[(kind + (not truth)) % len(_KINDS)]
    return Claim(_PREDICATES["is_a"], (member, asked), truth)


def both_kinds(rng: random.Random, truth: bool) -> Claim:
    """Whether two sorts of things are both of a kind; at least one of them is."""
    kind = rng.randrange(len(_KINDS))
    pair = _two(rng, kind, truth, list(_KINDS.values()))
    return Claim(_PREDICATES["both"], (*pair, _KIND_NAMES[kind]), truth)


def capitals(rng: random.Random, truth: bool) -> Claim:
    """Whether a city is the capital of a country."""
    row = rng.randrange(len(_CAPITALS))
    beside = row if truth else (row + 1) % len(_CAPITALS)
    return Claim(_PREDICATES["capital"], (_CAPITALS[row][0], _CAPITALS[beside][1]), truth)


def continents(rng: random.Random, truth: bool) -> Claim:
    """Whether two countries are on the same continent; wrong ones are on the next in the list."""
    pair = _two(rng, rng.randrange(len(_CONTINENTS)), truth, _CONTINENTS)
    return Claim(_PREDICATES["continent"], pair, truth)


def legs(rng: random.Random, truth: bool) -> Claim:
    """Which of two animals has more legs."""
    return _counted(rng, truth, "legs")


def sides(rng: random.Random, truth: bool) -> Claim:
    """Which of two shapes has more sides."""
    return _counted(rng, truth, "sides")


EVERYDAY: tuple[Family, ...] = (
    *(sums, differences, divisibility, measures, times),
    *(letters, dictionary, lengths, months, month_lengths, opposites),
    *(kinds, both_kinds, capitals, continents, legs, sides),
)


def _on_12_hours(minute: int) -> str:
    half = "a.m." if minute < 12 * 60 else "p.m."
    return f"{minute // 60 % 12}:{minute % 60:02d} {half}"


def _on_24_hours(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _two(
    rng: random.Random, row: int, truth: bool, rows: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """Two of a row, or one of the row and one of the next, in alphabetical order.

    Each word has as many partners in its own row as it has in the two rows beside it.
    """
    place, other = sorted(rng.sample(range(len(rows[row])), 2))
    beside = rows[row if truth else (row + 1) % len(rows)]
    return tuple(sorted((rows[row][place], beside[other])))


def _counted(rng: random.Random, truth: bool, what: str) -> Claim:
    """Which of two has more of what is counted: legs or sides."""
    counts: Mapping[str, int] = _TABLES[what]
    one = rng.choice(list(counts))
    other = rng.choice([name for name, count in counts.items() if count != counts[one]])
    return ordered(rng, truth, _CONTRASTS[what], *sorted((one, other), key=counts.__getitem__))
