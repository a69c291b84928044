"""Questions of each kind of answer: an option, a number, some words, a list, or lists by key."""

from __future__ import annotations

import random
from typing import NamedTuple

from bias_tasks.data.synthetic.choices import draw_choice
from bias_tasks.data.synthetic.words import names, nouns
from bias_tasks.output_format.data.layout import LETTERS, with_candidates
from bias_tasks.output_format.items import Payload

_OPTIONS = 4
_PEOPLE = 4  # in a passage
_STEPS = (2, 3)  # of a sum problem
_CANDIDATES = range(6, 11)  # for a topic
_PHRASES = range(3, 7)  # keyphrases of a document
_ENTITIES = range(0, 4)  # of each type in a document
_MENTIONS = {
    "Task": "The task of {} is addressed.",
    "Method": "The method {} is applied.",
    "Material": "The material {} is used.",
    "Metric": "The metric {} is reported.",
}


class Drawn(NamedTuple):
    """A question and its computed answer."""

    input: str
    answer: Payload
    options: tuple[str, ...] = ()


def options(rng: random.Random) -> Drawn:
    """A question of which exactly one of four options is right; gold is its letter."""
    item = draw_choice(rng, (1,), _OPTIONS)
    question = f"{item.context}\n{item.question}" if item.context else item.question
    (right,) = item.answer
    return Drawn(question, LETTERS[right], item.options)


def sum_problem(rng: random.Random) -> Drawn:
    """A word problem of at most three steps, whose amounts stay positive."""
    (person,) = names(rng, 1)
    (noun,) = nouns(rng, 1)
    amount = rng.randint(5, 40)
    told = [f"{person} has {amount} {noun}s."]
    for _ in range(rng.choice(_STEPS)):
        match rng.choice(("more", "fewer", "times")):
            case "more":
                change = rng.randint(2, 30)
                told.append(f"Then {person} finds {change} more {noun}s.")
                amount += change
            case "fewer":
                change = rng.randint(2, amount - 1)
                told.append(f"Then {person} gives away {change} of the {noun}s.")
                amount -= change
            case "times":
                change = rng.randint(2, 4)
                told.append(f"Then {person}'s {noun}s become {change} times as many.")
                amount *= change
        if amount < 3:  # too few to give some away
            break
    return Drawn(f"Question: {' '.join(told)} How many {noun}s are there now?", str(amount))


def passage(rng: random.Random) -> Drawn:
    """Who keeps what, and which of them is asked for."""
    keepers = names(rng, _PEOPLE)
    kept = nouns(rng, _PEOPLE)
    told = [f"{who} keeps the {what}." for who, what in zip(keepers, kept, strict=True)]
    asked = rng.randrange(_PEOPLE)
    rng.shuffle(told)
    if rng.random() < 0.5:
        question, answer = f"Who keeps the {kept[asked]}?", keepers[asked]
    else:
        question, answer = f"What does {keepers[asked]} keep?", kept[asked]
    return Drawn(f"Content: {' '.join(told)}\n\nQuestion: {question}", answer)


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
    keys = list(_MENTIONS)[: rng.choice((1, 2, 4))]
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
