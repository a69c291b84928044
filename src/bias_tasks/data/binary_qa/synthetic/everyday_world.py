"""Everyday facts about the world, from closed lists whose truth is certain."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from bias_tasks.data.binary_qa.synthetic.forms import Claim, Family, contrasts, ordered, predicates
from bias_tasks.data.yaml_files import read_yaml

_TABLES = read_yaml(__package__, "everyday_world")
_PREDICATES = predicates(_TABLES["predicates"])
_CONTRASTS = contrasts(_TABLES["contrasts"])
_KINDS: Mapping[str, Sequence[str]] = _TABLES["kinds"]
_KIND_NAMES = list(_KINDS)
_CAPITALS: Sequence[tuple[str, str]] = _TABLES["capitals"]
_CONTINENTS: Sequence[Sequence[str]] = _TABLES["continents"]


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


WORLD: tuple[Family, ...] = (kinds, both_kinds, capitals, continents, legs, sides)


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
