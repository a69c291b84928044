"""Numeric properties of invented people, things and towns, and how they are compared."""

from __future__ import annotations

from dataclasses import dataclass

from bias_tasks.data.binary_qa.synthetic.contrasts import Contrast
from bias_tasks.data.binary_qa.synthetic.forms import Predicate
from bias_tasks.data.binary_qa.synthetic.topics import PEOPLE, THINGS, TOWNS, Kind


@dataclass(frozen=True, slots=True)
class Scale:
    """A property with a number for each bearer; {0} is the bearer, {1} the number."""

    kind: Kind
    fact: str
    numbers: range
    contrast: Contrast
    """Above: the number of {0} is larger than that of {1}."""


_AGE = Scale(
    PEOPLE,
    "{0} is {1} years old.",
    range(20, 80),
    Contrast(
        Predicate(
            "Is {0} older than {1}?",
            "Was {0} born before {1}?",
            "{0} is older than {1}",
            "Is {0} not older than {1}?",
        ),
        Predicate(
            "Is {0} younger than {1}?",
            "Was {0} born after {1}?",
            "{0} is younger than {1}",
            "Is {0} not younger than {1}?",
        ),
    ),
)

_HEIGHT = Scale(
    PEOPLE,
    "{0} is {1} centimetres tall.",
    range(150, 200),
    Contrast(
        Predicate(
            "Is {0} taller than {1}?",
            "Does {0} have a greater height than {1}?",
            "{0} is taller than {1}",
            "Is {0} at most as tall as {1}?",
        ),
        Predicate(
            "Is {0} shorter than {1}?",
            "Does {0} have a smaller height than {1}?",
            "{0} is shorter than {1}",
            "Is {0} at least as tall as {1}?",
        ),
    ),
)

_WEIGHT = Scale(
    THINGS,
    "The {0} weighs {1} kilograms.",
    range(5, 90),
    Contrast(
        Predicate(
            "Is the {0} heavier than the {1}?",
            "Does the {0} weigh more than the {1}?",
            "the {0} is heavier than the {1}",
            "Is the {0} at most as heavy as the {1}?",
        ),
        Predicate(
            "Is the {0} lighter than the {1}?",
            "Does the {0} weigh less than the {1}?",
            "the {0} is lighter than the {1}",
            "Is the {0} at least as heavy as the {1}?",
        ),
    ),
)

_INHABITANTS = Scale(
    TOWNS,
    "{0} has {1} inhabitants.",
    range(1100, 9900),
    Contrast(
        Predicate(
            "Does {0} have more inhabitants than {1}?",
            "Is the population of {0} larger than that of {1}?",
            "{0} has more inhabitants than {1}",
            "Does {0} have at most as many inhabitants as {1}?",
        ),
        Predicate(
            "Does {0} have fewer inhabitants than {1}?",
            "Is the population of {0} smaller than that of {1}?",
            "{0} has fewer inhabitants than {1}",
            "Does {0} have at least as many inhabitants as {1}?",
        ),
    ),
)

FOUNDED = Scale(
    TOWNS,
    "{0} was founded in {1}.",
    range(1100, 1900),
    Contrast(
        Predicate(
            "Was {0} founded after {1}?",
            "Was {0} established later than {1}?",
            "{0} was founded after {1}",
            "Was {0} not founded after {1}?",
        ),
        Predicate(
            "Was {0} founded before {1}?",
            "Was {0} established earlier than {1}?",
            "{0} was founded before {1}",
            "Was {0} not founded before {1}?",
        ),
    ),
)

SCALES = (_AGE, _HEIGHT, _WEIGHT, _INHABITANTS, FOUNDED)
