"""Questions whose answers are lists: which candidates bear on a topic, keyphrases, entities."""

from __future__ import annotations

import random

from bias_tasks.data.output_format.layout import with_candidates
from bias_tasks.data.output_format.synthetic.questions import Drawn
from bias_tasks.data.synthetic.words import names, nouns

_CANDIDATES = range(6, 11)
_PHRASES = range(3, 7)
_ENTITIES = range(0, 4)
_TYPES = ("Task", "Method", "Material", "Metric")
_MENTIONS = {
    "Task": "The task of {} is addressed.",
    "Method": "The method {} is applied.",
    "Material": "The material {} is used.",
    "Metric": "The metric {} is reported.",
}


def relevance(rng: random.Random) -> Drawn:
    """A paper bears on the topic, an invented thing, exactly when its title names it."""
    topic, *others = nouns(rng, 5)
    places = nouns(rng, rng.choice(_CANDIDATES))
    relevant = set(rng.sample(range(len(places)), rng.randint(1, len(places) - 1)))
    gold = tuple(int(i in relevant) for i in range(len(places)))
    titles = [
        f"A study of the {topic if bears else rng.choice(others)} and the {place}"
        for bears, place in zip(gold, places, strict=True)
    ]
    return Drawn(with_candidates(f"the {topic}", titles, "corrected"), gold)


def keyphrases(rng: random.Random) -> Drawn:
    """A document that marks its keyphrases, among words that it does not mark."""
    count = rng.choice(_PHRASES)
    firsts, seconds, plain = nouns(rng, count), nouns(rng, count), nouns(rng, count)
    phrases = tuple(f"{first} {second}" for first, second in zip(firsts, seconds, strict=True))
    told = [
        f"The «{phrase}» is compared with the {word}."
        for phrase, word in zip(phrases, plain, strict=True)
    ]
    return Drawn(f"Every keyphrase stands in angle quotes. {' '.join(told)}", phrases)


def entities(rng: random.Random) -> Drawn:
    """A document that says of each entity which type it is; a type may have none."""
    keys = _TYPES[: rng.choice((1, 2, 4))]
    counts = [rng.choice(_ENTITIES) for _ in keys]
    counts[rng.randrange(len(keys))] += 1  # something to extract
    unused = iter(nouns(rng, sum(counts)))
    gold = {
        key: tuple(next(unused) for _ in range(count))
        for key, count in zip(keys, counts, strict=True)
    }
    told = [_MENTIONS[key].format(entity) for key in keys for entity in gold[key]]
    rng.shuffle(told)
    return Drawn(f"{names(rng, 1)[0]} reports: {' '.join(told)}", gold)
