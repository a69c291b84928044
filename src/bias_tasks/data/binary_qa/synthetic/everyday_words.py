"""Everyday facts about letters, words and the calendar."""

from __future__ import annotations

import random
import string
from collections.abc import Mapping, Sequence

from bias_tasks.data.binary_qa.synthetic.forms import Claim, Family, contrasts, ordered, predicates
from bias_tasks.data.yaml_files import read_yaml

_TABLES = read_yaml(__package__, "everyday_words")
_PREDICATES = predicates(_TABLES["predicates"])
_CONTRASTS = contrasts(_TABLES["contrasts"])
_WORDS: Sequence[str] = _TABLES["words"]
_MONTH_LENGTHS: Mapping[str, int | None] = _TABLES["month_lengths"]
_MONTHS = list(_MONTH_LENGTHS)
_OPPOSITES: Sequence[tuple[str, str]] = _TABLES["opposites"]


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
    """Whether two words are opposites; wrong pairs come from neighbouring rows."""
    row, side = rng.randrange(len(_OPPOSITES)), rng.randrange(2)
    beside = row if truth else row + 1
    word, other = _OPPOSITES[row][side], _OPPOSITES[beside % len(_OPPOSITES)][1 - side]
    return Claim(_PREDICATES["opposite"], (word, other), truth)


WORDS: tuple[Family, ...] = (letters, dictionary, lengths, months, month_lengths, opposites)
