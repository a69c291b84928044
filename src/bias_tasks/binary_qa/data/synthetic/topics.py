"""What passages tell of invented people, things and towns, and what may be asked about it.

Each property has exactly one value for each bearer, so that no value but the stated one is right.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bias_tasks.binary_qa.data.synthetic.forms import Contrast, Predicate, contrasts, predicates
from bias_tasks.data.synthetic.words import names, nouns
from bias_tasks.data.yaml_files import read_yaml

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
