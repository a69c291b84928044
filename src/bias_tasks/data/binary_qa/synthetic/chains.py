"""Facts that follow one from another: who was born where, and what is there."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bias_tasks.data.binary_qa.synthetic.contrasts import Contrast
from bias_tasks.data.binary_qa.synthetic.forms import Predicate
from bias_tasks.data.binary_qa.synthetic.topics import (
    BORN,
    PEOPLE,
    REGION,
    RIVER,
    ROOM,
    THINGS,
    Kind,
    Property,
    some_of,
)
from bias_tasks.data.synthetic.words import names


@dataclass(frozen=True, slots=True)
class Chain:
    """Properties of which each is told of the values of the one before, and what follows."""

    kind: Kind
    links: tuple[Property, ...]
    follows: Predicate
    """{0} is a bearer of the first property, {1} a value of the last."""


def _professors(rng: random.Random, count: int) -> list[str]:
    """Teachers; the title keeps them apart from pupils of the same name."""
    return [f"Professor {name}" for name in names(rng, count)]


_TEACHER = Property("{0} is taught by {1}.", _professors)
_FLOOR = Property("The {0} is on the {1} floor.", some_of("first", "second", "third", "fourth"))

CHAINS = (
    Chain(
        PEOPLE,
        (BORN, RIVER),
        Predicate(
            "Does the {1} flow through the town where {0} was born?",
            "Does the {1} run through {0}'s birthplace?",
            "the {1} flows through the town where {0} was born",
            "Does the {1} not flow through the town where {0} was born?",
        ),
    ),
    Chain(
        PEOPLE,
        (BORN, REGION),
        Predicate(
            "Was {0} born in the {1} of the island?",
            "Is {0}'s birthplace in the {1} of the island?",
            "{0} was born in the {1} of the island",
            "Was {0} born in a part of the island other than the {1}?",
        ),
    ),
    Chain(
        THINGS,
        (ROOM, _FLOOR),
        Predicate(
            "Is the {0} kept on the {1} floor?",
            "Is the {0} stored on the {1} floor?",
            "the {0} is kept on the {1} floor",
            "Is the {0} kept on a floor other than the {1}?",
        ),
    ),
    Chain(
        PEOPLE,
        (_TEACHER, BORN),
        Predicate(
            "Was {0}'s teacher born in {1}?",
            "Is {1} the birthplace of {0}'s teacher?",
            "{0}'s teacher was born in {1}",
            "Was {0}'s teacher born somewhere other than {1}?",
        ),
    ),
    Chain(
        PEOPLE,
        (_TEACHER, BORN, REGION),
        Predicate(
            "Was {0}'s teacher born in the {1} of the island?",
            "Is the birthplace of {0}'s teacher in the {1} of the island?",
            "{0}'s teacher was born in the {1} of the island",
            "Was {0}'s teacher born in a part of the island other than the {1}?",
        ),
    ),
)

NATIVE_TOWN = Contrast(
    Predicate(
        "Was {0} founded after the town where {1} was born?",
        "Was {0} established later than {1}'s birthplace?",
        "{0} was founded after the town where {1} was born",
        "Was {0} not founded after the town where {1} was born?",
    ),
    Predicate(
        "Was {0} founded before the town where {1} was born?",
        "Was {0} established earlier than {1}'s birthplace?",
        "{0} was founded before the town where {1} was born",
        "Was {0} not founded before the town where {1} was born?",
    ),
)
