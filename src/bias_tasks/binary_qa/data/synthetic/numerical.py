"""Numerical: sums, differences and counts over the passage, compared with a number."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from bias_tasks.binary_qa.data.synthetic.amounts import (
    EXACT_COUNT,
    EXACT_MEASURE,
    FEWER,
    LESS,
    MORE,
    Comparison,
    amount,
    compared,
)
from bias_tasks.binary_qa.data.synthetic.forms import Claim, Family, passage
from bias_tasks.data.synthetic.words import names
from bias_tasks.data.yaml_files import read_yaml

_Scene = Callable[[random.Random, bool, Comparison], Claim]

_TABLES = read_yaml(__package__, "numerical")
_WORDINGS: Mapping[str, Mapping[str, str]] = _TABLES["comparisons"]
_OBJECTS: Sequence[str] = _TABLES["objects"]
_GOALS = 12
"""Goals in a match."""


def total(rng: random.Random, truth: bool, comparison: Comparison) -> Claim:
    """How many things two of four people collected together."""
    number, together = amount(rng, comparison, truth, range(40, 90), far=5)
    first = rng.randint(together // 4, 3 * together // 4)
    counts = [first, together - first, rng.randint(10, 65), rng.randint(10, 65)]
    people, objects = names(rng, 4), rng.choice(_OBJECTS)
    facts = [f"{who} collected {n} {objects}." for who, n in zip(people, counts, strict=True)]
    predicate = compared(comparison, _WORDINGS["total"])
    return Claim(predicate, (*people[:2], number, objects), truth, passage(rng, facts))


def left_over(rng: random.Random, truth: bool, comparison: Comparison) -> Claim:
    """How many things one of three people has after buying some and giving some away."""
    number, left = amount(rng, comparison, truth, range(10, 60), far=5)
    people, objects = names(rng, 3), rng.choice(_OBJECTS)
    facts = []
    for who, kept in zip(people, (left, rng.randint(5, 65), rng.randint(5, 65)), strict=True):
        given = rng.randint(2, 30)
        bought = rng.randint(2, kept + given - 2)
        facts.append(
            f"{who} had {kept + given - bought} {objects}, "
            f"bought {bought} more and then gave {given} away."
        )
    predicate = compared(comparison, _WORDINGS["left_over"])
    return Claim(predicate, (people[0], number, objects), truth, passage(rng, facts))


def career(rng: random.Random, truth: bool, comparison: Comparison) -> Claim:
    """How many years lie between two years of one of four careers."""
    number, years = amount(rng, comparison, truth, range(6, 20), far=4)
    people = names(rng, 4)
    facts = []
    for who, length in zip(people, (years, *rng.choices(range(2, 24), k=3)), strict=True):
        start = rng.randint(1930, 1990)
        facts.append(f"{who}'s career lasted from {start} to {start + length}.")
    predicate = compared(comparison, _WORDINGS["career"])
    return Claim(predicate, (people[0], number), truth, passage(rng, facts))


def ages(rng: random.Random, truth: bool, comparison: Comparison) -> Claim:
    """How many years lie between the ages of two of four people."""
    number, gap = amount(rng, comparison, truth, range(6, 30), far=4)
    younger = rng.randint(18, 50)
    pair = rng.sample((younger, younger + gap), 2)
    people = names(rng, 4)
    facts = [
        f"{who} is {age} years old."
        for who, age in zip(people, (*pair, *rng.choices(range(18, 80), k=2)), strict=True)
    ]
    predicate = compared(comparison, _WORDINGS["ages"])
    return Claim(predicate, (*people[:2], number), truth, passage(rng, facts))


def goals(rng: random.Random, truth: bool, comparison: Comparison) -> Claim:
    """How many of a match's goals one of three players scored."""
    number, scored = amount(rng, comparison, truth, range(3, 7), far=2)
    people = names(rng, 3)
    second = rng.randint(1, _GOALS - scored - 1)
    scorers = [people[0]] * scored + [people[1]] * second
    scorers += [people[2]] * (_GOALS - len(scorers))
    rng.shuffle(scorers)
    minutes = sorted(rng.sample(range(1, 91), _GOALS))
    facts = [f"{who} scored in minute {at}." for who, at in zip(scorers, minutes, strict=True)]
    predicate = compared(comparison, _WORDINGS["goals"])
    return Claim(predicate, (people[0], number), truth, " ".join(facts))


def _asked(scene: _Scene, *comparisons: Comparison) -> Family:
    def family(rng: random.Random, truth: bool) -> Claim:
        return scene(rng, truth, rng.choice(comparisons))

    return family


_COUNTS: tuple[_Scene, ...] = (total, left_over, goals)
_YEARS: tuple[_Scene, ...] = (career, ages)

THRESHOLD: tuple[Family, ...] = (
    *(_asked(scene, MORE, FEWER) for scene in _COUNTS),
    *(_asked(scene, MORE, LESS) for scene in _YEARS),
)
EXACT: tuple[Family, ...] = (
    *(_asked(scene, EXACT_COUNT) for scene in _COUNTS),
    *(_asked(scene, EXACT_MEASURE) for scene in _YEARS),
)
