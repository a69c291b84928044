"""What passages tell of invented people, things and towns, and what may be asked about it.

Each property has exactly one value for each bearer, so that no value but the stated one is right.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bias_tasks.binary_qa.data.synthetic.forms import (
    EXACT_COUNT,
    EXACT_MEASURE,
    FEWER,
    LESS,
    MORE,
    Claim,
    Comparison,
    Contrast,
    Family,
    Predicate,
    amount,
    compared,
    contrasts,
    ordered,
    passage,
    predicates,
)
from bias_tasks.data.files import read_yaml
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
    topics: Mapping[str, Topic]


@dataclass(frozen=True, slots=True)
class Scale:
    """A property with a number for each bearer; {0} is the bearer, {1} the number."""

    kind: Kind
    fact: str
    numbers: range
    contrast: Contrast
    """Above: the number of {0} is larger than that of {1}."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Properties of which each is told of the values of the one before, and what follows."""

    kind: Kind
    links: tuple[Property, ...]
    follows: Predicate
    """{0} is a bearer of the first property, {1} a value of the last."""


def told(told_of: Property, bearers: Sequence[str], values: Sequence[str]) -> list[str]:
    """One sentence for each bearer."""
    return [told_of.fact.format(*pair) for pair in zip(bearers, values, strict=True)]


def towns(rng: random.Random, count: int) -> list[str]:
    """`count` different invented names of towns; no river has such a name."""
    return [f"{noun.capitalize()}ton" for noun in nouns(rng, count)]


def rivers(rng: random.Random, count: int) -> list[str]:
    """`count` different invented names of rivers."""
    return [noun.capitalize() for noun in nouns(rng, count)]


def professors(rng: random.Random, count: int) -> list[str]:
    """Teachers; the title keeps them apart from pupils of the same name."""
    return [f"Professor {name}" for name in names(rng, count)]


_DRAWS: Mapping[str, Draw] = {
    "names": names,
    "nouns": nouns,
    "towns": towns,
    "rivers": rivers,
    "professors": professors,
}


def _draw(values: str | Sequence[str]) -> Draw:
    """One of `_DRAWS` by its name, or what draws from a closed list."""
    return _DRAWS[values] if isinstance(values, str) else lambda rng, n: rng.sample(values, n)


def _property(row: Mapping[str, Any]) -> Property:
    return Property(row["fact"], _draw(row["values"]))


def _topic(row: Mapping[str, Any]) -> Topic:
    asked = predicates({name: row[name] for name in ("asked", "shared") if name in row})
    return Topic(row["fact"], _draw(row["values"]), **asked)


_TABLES = read_yaml(__package__, "topics")

KINDS: Mapping[str, Kind] = {
    name: Kind(_DRAWS[row["bearers"]], {topic: _topic(of) for topic, of in row["topics"].items()})
    for name, row in _TABLES["kinds"].items()
}
PROPERTIES: Mapping[str, Property] = {
    **{name: topic for kind in KINDS.values() for name, topic in kind.topics.items()},
    **{name: _property(row) for name, row in _TABLES["properties"].items()},
}
_CONTRASTS = contrasts(_TABLES["scales"])
SCALES: Mapping[str, Scale] = {
    name: Scale(KINDS[row["kind"]], row["fact"], range(*row["numbers"]), _CONTRASTS[name])
    for name, row in _TABLES["scales"].items()
}
CHAINS = tuple(
    Chain(
        KINDS[row["kind"]],
        tuple(PROPERTIES[name] for name in row["links"]),
        Predicate(**row["follows"]),
    )
    for row in _TABLES["chains"]
)
(NATIVE_TOWN,) = contrasts({"native_town": _TABLES["native_town"]}).values()


_READING = read_yaml(__package__, "reading")
_SPEAKS = Predicate(**_READING["speaks"])


def stated(rng: random.Random, truth: bool) -> Claim:
    """A property of a person, a thing or a town; another one has the value that is asked about."""
    kind = rng.choice(list(KINDS.values()))
    bearers = kind.bearers(rng, rng.randint(3, 4))
    asked, other = rng.sample(list(kind.topics.values()), 2)
    values = asked.values(rng, len(bearers))
    facts = told(asked, bearers, values) + told(other, bearers, other.values(rng, len(bearers)))
    subject, elsewhere = rng.sample(range(len(bearers)), 2)
    value = values[subject if truth else elsewhere]
    return Claim(asked.asked, (bearers[subject], value), truth, passage(rng, facts))


def languages(rng: random.Random, truth: bool) -> Claim:
    """Which of two languages somebody speaks: the passage affirms one and denies the other."""
    people = names(rng, rng.randint(3, 4))
    pairs = [rng.sample(_READING["languages"], 2) for _ in people]
    facts = [
        rng.choice(_READING["spoken"]).format(person, *pair)
        for person, pair in zip(people, pairs, strict=True)
    ]
    subject = rng.randrange(len(people))
    spoken, unspoken = pairs[subject]
    asked = spoken if truth else unspoken
    return Claim(_SPEAKS, (people[subject], asked), truth, passage(rng, facts))


# `stated` tells of three kinds of bearers, so it has three parts.
READING: tuple[Family, ...] = (stated, stated, stated, languages)


_BEARERS = 4
"""People, things or towns in a passage."""


def same(rng: random.Random, truth: bool) -> Claim:
    """Whether two of four have the same value; two pairs of them do."""
    kind = rng.choice(list(KINDS.values()))
    asked, shared = rng.choice(
        [(t, t.shared) for t in kind.topics.values() if t.shared is not None]
    )
    bearers = kind.bearers(rng, _BEARERS)
    one, other = asked.values(rng, 2)
    facts = told(asked, bearers, (one, one, other, other))
    pair = rng.sample((0, 1) if truth else (0, rng.choice((2, 3))), 2)
    arguments = tuple(bearers[place] for place in pair)
    return Claim(shared, arguments, truth, passage(rng, facts + _aside(rng, kind, bearers, asked)))


def compared_numbers(rng: random.Random, truth: bool) -> Claim:
    """Which of two has the larger or the smaller number."""
    scale = rng.choice(list(SCALES.values()))
    bearers = scale.kind.bearers(rng, _BEARERS)
    numbers = rng.sample(scale.numbers, _BEARERS)
    facts = [scale.fact.format(*pair) for pair in zip(bearers, numbers, strict=True)]
    low, high = sorted(rng.sample(range(_BEARERS), 2), key=numbers.__getitem__)
    context = passage(rng, facts + _aside(rng, scale.kind, bearers))
    return ordered(rng, truth, scale.contrast, bearers[low], bearers[high], context)


def chained(rng: random.Random, truth: bool) -> Claim:
    """A property of somebody's town, of a thing's room and the like."""
    chain = rng.choice(CHAINS)
    bearers = chain.kind.bearers(rng, _BEARERS)
    facts = _aside(rng, chain.kind, bearers, chain.links[0])
    values = bearers
    for link in chain.links:
        holders, values = values, link.values(rng, _BEARERS)
        facts += told(link, holders, values)
    subject, elsewhere = rng.sample(range(_BEARERS), 2)
    value = values[subject if truth else elsewhere]
    return Claim(chain.follows, (bearers[subject], value), truth, passage(rng, facts))


def native_town(rng: random.Random, truth: bool) -> Claim:
    """Whether a town was founded before or after the one where somebody was born."""
    kind, born, founded = KINDS["people"], PROPERTIES["born"], SCALES["founded"]
    people, towns = kind.bearers(rng, _BEARERS), born.values(rng, _BEARERS)
    years = rng.sample(founded.numbers, _BEARERS)
    facts = told(born, people, towns) + _aside(rng, kind, people, born)
    facts += [founded.fact.format(*pair) for pair in zip(towns, years, strict=True)]
    home, other = rng.sample(range(_BEARERS), 2)
    later = years[other] > years[home]
    predicate = NATIVE_TOWN.above if later == truth else NATIVE_TOWN.below
    return Claim(predicate, (towns[other], people[home]), truth, passage(rng, facts))


MULTI_HOP: tuple[Family, ...] = (same, compared_numbers, chained, native_town)


def _aside(rng: random.Random, kind: Kind, bearers: Sequence[str], *told_of: Property) -> list[str]:
    """A sentence on each bearer that does not bear on the question."""
    topic = rng.choice([topic for topic in kind.topics.values() if topic not in told_of])
    return told(topic, bearers, topic.values(rng, len(bearers)))


_Scene = Callable[[random.Random, bool, Comparison], Claim]

_NUMBERS = read_yaml(__package__, "numerical")
_WORDINGS: Mapping[str, Mapping[str, str]] = _NUMBERS["comparisons"]
_OBJECTS: Sequence[str] = _NUMBERS["objects"]
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
