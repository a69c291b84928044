"""Reading: one sentence of the passage answers the question."""

from __future__ import annotations

import random

from bias_tasks.binary_qa.data.synthetic.forms import Claim, Family, Predicate, passage
from bias_tasks.binary_qa.data.synthetic.topics import KINDS, told
from bias_tasks.data.synthetic.words import names
from bias_tasks.data.yaml_files import read_yaml

_TABLES = read_yaml(__package__, "reading")
_SPEAKS = Predicate(**_TABLES["speaks"])


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
    pairs = [rng.sample(_TABLES["languages"], 2) for _ in people]
    facts = [
        rng.choice(_TABLES["spoken"]).format(person, *pair)
        for person, pair in zip(people, pairs, strict=True)
    ]
    subject = rng.randrange(len(people))
    spoken, unspoken = pairs[subject]
    asked = spoken if truth else unspoken
    return Claim(_SPEAKS, (people[subject], asked), truth, passage(rng, facts))


# `stated` tells of three kinds of bearers, so it has three parts.
READING: tuple[Family, ...] = (stated, stated, stated, languages)
