"""What passages tell of invented people, things and towns: one value each, so that no value but
the stated one is right."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bias_tasks.data.binary_qa.synthetic.forms import Predicate
from bias_tasks.data.synthetic.words import names, nouns

Draw = Callable[[random.Random, int], list[str]]
"""(generator, count) -> that many different words."""


@dataclass(frozen=True, slots=True)
class Property:
    """Something with exactly one value for each bearer; {0} is the bearer, {1} the value."""

    fact: str
    values: Draw


@dataclass(frozen=True, slots=True)
class Topic(Property):
    """A property that is asked about."""

    asked: Predicate
    shared: Predicate | None = None
    """Of two bearers, that their values are the same."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Bearers of properties."""

    bearers: Draw
    topics: tuple[Topic, ...]


def towns(rng: random.Random, count: int) -> list[str]:
    """`count` different invented names of towns; no river has such a name."""
    return [f"{noun.capitalize()}ton" for noun in nouns(rng, count)]


def rivers(rng: random.Random, count: int) -> list[str]:
    """`count` different invented names of rivers."""
    return [noun.capitalize() for noun in nouns(rng, count)]


def some_of(*words: str) -> Draw:
    """Draws from a closed list."""
    return lambda rng, count: rng.sample(words, count)


def told(told_of: Property, bearers: Sequence[str], values: Sequence[str]) -> list[str]:
    """One sentence for each bearer."""
    return [told_of.fact.format(*pair) for pair in zip(bearers, values, strict=True)]


BORN = Topic(
    "{0} was born in {1}.",
    towns,
    Predicate(
        "Was {0} born in {1}?",
        "Is {1} the birthplace of {0}?",
        "{0} was born in {1}",
        "Was {0} born somewhere other than {1}?",
    ),
    Predicate(
        "Were {0} and {1} born in the same town?",
        "Do {0} and {1} share a birthplace?",
        "{0} and {1} were born in the same town",
        "Were {0} and {1} born in different towns?",
    ),
)

_PET = Topic(
    "The only pet of {0} is a {1}.",
    some_of("cat", "dog", "parrot", "hamster", "rabbit", "tortoise", "goldfish"),
    Predicate(
        "Is {0}'s pet a {1}?",
        "Does {0} keep a {1} as a pet?",
        "{0}'s pet is a {1}",
        "Is {0}'s pet something other than a {1}?",
    ),
)

_FRUIT = Topic(
    "{0}'s favourite fruit is the {1}.",
    some_of("pear", "cherry", "banana", "melon", "plum", "peach", "mango"),
    Predicate(
        "Is the {1} {0}'s favourite fruit?",
        "Is the {1} the fruit that {0} likes best?",
        "the {1} is {0}'s favourite fruit",
        "Is {0}'s favourite fruit one other than the {1}?",
    ),
    Predicate(
        "Do {0} and {1} have the same favourite fruit?",
        "Do {0} and {1} like the same fruit best?",
        "{0} and {1} have the same favourite fruit",
        "Do {0} and {1} have different favourite fruits?",
    ),
)

_JOB = Topic(
    "The only job that {0} has ever had is that of a {1}.",
    some_of("baker", "carpenter", "gardener", "teacher", "tailor", "plumber", "librarian"),
    Predicate(
        "Has {0} worked as a {1}?",
        "Has {0} been employed as a {1}?",
        "{0} has worked as a {1}",
        "Has {0} never worked as a {1}?",
    ),
)

_MATERIAL = Topic(
    "The {0} is made entirely of {1}.",
    some_of("copper", "glass", "oak", "marble", "leather", "paper", "wool"),
    Predicate(
        "Is the {0} made of {1}?",
        "Does the {0} consist of {1}?",
        "the {0} is made of {1}",
        "Is the {0} made of something other than {1}?",
    ),
    Predicate(
        "Are the {0} and the {1} made of the same material?",
        "Do the {0} and the {1} consist of the same material?",
        "the {0} and the {1} are made of the same material",
        "Are the {0} and the {1} made of different materials?",
    ),
)

ROOM = Topic(
    "The {0} is kept in the {1}.",
    some_of("kitchen", "library", "bathroom", "study", "nursery", "bedroom", "laundry"),
    Predicate(
        "Is the {0} kept in the {1}?",
        "Is the {0} stored in the {1}?",
        "the {0} is kept in the {1}",
        "Is the {0} kept somewhere other than the {1}?",
    ),
    Predicate(
        "Are the {0} and the {1} kept in the same room?",
        "Are the {0} and the {1} stored in one room?",
        "the {0} and the {1} are kept in the same room",
        "Are the {0} and the {1} kept in different rooms?",
    ),
)

_COLOUR = Topic(
    "The {0} is {1} all over.",
    some_of("red", "green", "blue", "yellow", "purple", "white", "black"),
    Predicate(
        "Is the {0} {1}?",
        "Is {1} the colour of the {0}?",
        "the {0} is {1}",
        "Is the {0} a colour other than {1}?",
    ),
    Predicate(
        "Are the {0} and the {1} the same colour?",
        "Do the {0} and the {1} share a colour?",
        "the {0} and the {1} are the same colour",
        "Are the {0} and the {1} different colours?",
    ),
)

RIVER = Topic(
    "The only river that flows through {0} is the {1}.",
    rivers,
    Predicate(
        "Does the {1} flow through {0}?",
        "Does the {1} run through {0}?",
        "the {1} flows through {0}",
        "Does the {1} not flow through {0}?",
    ),
)

_FOUNDER = Topic(
    "{0} was founded by {1} alone.",
    names,
    Predicate(
        "Was {0} founded by {1}?",
        "Was {1} the founder of {0}?",
        "{0} was founded by {1}",
        "Was {0} founded by someone other than {1}?",
    ),
    Predicate(
        "Were {0} and {1} founded by the same person?",
        "Do {0} and {1} have the same founder?",
        "{0} and {1} were founded by the same person",
        "Were {0} and {1} founded by different people?",
    ),
)

REGION = Topic(
    "{0} is in the {1} of the island.",
    some_of("north", "south", "east", "west"),
    Predicate(
        "Is {0} in the {1} of the island?",
        "Is {0} located in the {1} of the island?",
        "{0} is in the {1} of the island",
        "Is {0} in a part of the island other than the {1}?",
    ),
    Predicate(
        "Are {0} and {1} in the same part of the island?",
        "Do {0} and {1} lie in the same part of the island?",
        "{0} and {1} are in the same part of the island",
        "Are {0} and {1} in different parts of the island?",
    ),
)

PEOPLE = Kind(names, (BORN, _PET, _FRUIT, _JOB))
THINGS = Kind(nouns, (_MATERIAL, ROOM, _COLOUR))
TOWNS = Kind(towns, (RIVER, _FOUNDER, REGION))
KINDS = (PEOPLE, THINGS, TOWNS)
