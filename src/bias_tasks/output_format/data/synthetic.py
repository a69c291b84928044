"""Unlimited generated items of every answer type, whose gold answers are computed.

Everything follows from the seed: the same arguments give the same items on every machine, and the
first k of n items are those of a call with n = k. Nothing is fetched.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bias_tasks.data.synthetic.choices import draw_choice
from bias_tasks.data.synthetic.stream import stream
from bias_tasks.data.synthetic.words import names, nouns
from bias_tasks.names import content_hash
from bias_tasks.output_format.data.sources import LETTERS, with_candidates, with_options
from bias_tasks.output_format.items import ANSWER_TYPES, AnswerType, FormatItem, Payload

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


def generate_formats(
    n: int, seed: int, answer_types: Sequence[AnswerType] = ANSWER_TYPES, *, training: bool = False
) -> list[FormatItem]:
    """Generated items, the answer types taking turns.

    `training` draws items for demonstrations and fine-tuning instead of items to evaluate. No item
    is ever both, under any two seeds.

    Raises:
        ValueError: n is negative, or there is no answer type.
    """
    if n < 0 or not answer_types:
        raise ValueError(f"expected n of at least 0 and some answer type, not {n}, {answer_types}")
    turns = itertools.islice(itertools.cycle(answer_types), n)
    return list(stream("format", seed, turns, _item, examples=training))


def _item(rng: random.Random, answer_type: AnswerType) -> FormatItem:
    drawn = _MAKERS[answer_type](rng)
    text = with_options(drawn.input, drawn.options) if drawn.options else drawn.input
    identity = f"synthetic-{content_hash(answer_type, text, drawn.options, drawn.answer)}"
    return FormatItem(
        id=identity,
        dataset="synthetic",
        input=text,
        answer=drawn.answer,
        answer_type=answer_type,
        cluster=identity,
        options=drawn.options,
    )


class _Drawn(NamedTuple):
    """A question and its computed answer."""

    input: str
    answer: Payload
    options: tuple[str, ...] = ()


def _options(rng: random.Random) -> _Drawn:
    """A question of which exactly one of four options is right; gold is its letter."""
    item = draw_choice(rng, (1,), _OPTIONS)
    question = f"{item.context}\n{item.question}" if item.context else item.question
    (right,) = item.answer
    return _Drawn(question, LETTERS[right], item.options)


def _sum_problem(rng: random.Random) -> _Drawn:
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
    return _Drawn(f"Question: {' '.join(told)} How many {noun}s are there now?", str(amount))


def _passage(rng: random.Random) -> _Drawn:
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
    return _Drawn(f"Content: {' '.join(told)}\n\nQuestion: {question}", answer)


def _relevance(rng: random.Random) -> _Drawn:
    """A paper bears on the topic, an invented thing, exactly when its title names it."""
    topic, *others = nouns(rng, 5)
    places = nouns(rng, rng.choice(_CANDIDATES))
    relevant = set(rng.sample(range(len(places)), rng.randint(1, len(places) - 1)))
    gold = tuple(int(i in relevant) for i in range(len(places)))
    titles = [
        f"A study of the {topic if bears else rng.choice(others)} and the {place}"
        for bears, place in zip(gold, places, strict=True)
    ]
    return _Drawn(with_candidates(f"the {topic}", titles, "corrected"), gold)


def _keyphrases(rng: random.Random) -> _Drawn:
    """A document that marks its keyphrases, among words that it does not mark."""
    count = rng.choice(_PHRASES)
    firsts, seconds, plain = nouns(rng, count), nouns(rng, count), nouns(rng, count)
    phrases = tuple(f"{first} {second}" for first, second in zip(firsts, seconds, strict=True))
    told = [
        f"The «{phrase}» is compared with the {word}."
        for phrase, word in zip(phrases, plain, strict=True)
    ]
    return _Drawn(f"Every keyphrase stands in angle quotes. {' '.join(told)}", phrases)


def _entities(rng: random.Random) -> _Drawn:
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
    return _Drawn(f"{names(rng, 1)[0]} reports: {' '.join(told)}", gold)


_MAKERS: Mapping[AnswerType, Callable[[random.Random], _Drawn]] = {
    "option_letter": _options,
    "option_text": _options,
    "text": _passage,
    "number": _sum_problem,
    "binary_list": _relevance,
    "string_list": _keyphrases,
    "mapping": _entities,
}
