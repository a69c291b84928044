"""Multi-hop: the answer follows from two or three sentences of the passage together.

Every passage also tells something of each person, thing or town that does not matter.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bias_tasks.binary_qa.data.synthetic.forms import Claim, Family, ordered, passage
from bias_tasks.binary_qa.data.synthetic.topics import (
    CHAINS,
    KINDS,
    NATIVE_TOWN,
    PROPERTIES,
    SCALES,
    Kind,
    Property,
    told,
)

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


def compared(rng: random.Random, truth: bool) -> Claim:
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


MULTI_HOP: tuple[Family, ...] = (same, compared, chained, native_town)


def _aside(rng: random.Random, kind: Kind, bearers: Sequence[str], *told_of: Property) -> list[str]:
    """A sentence on each bearer that does not bear on the question."""
    topic = rng.choice([topic for topic in kind.topics.values() if topic not in told_of])
    return told(topic, bearers, topic.values(rng, len(bearers)))
