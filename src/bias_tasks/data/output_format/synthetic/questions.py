"""Questions with one answer: an option, a number, or some words of a passage."""

from __future__ import annotations

import random
from typing import NamedTuple

from bias_tasks.data.output_format.layout import LETTERS
from bias_tasks.data.synthetic.choices import choice_item
from bias_tasks.data.synthetic.words import names, nouns
from bias_tasks.items.output_format import Payload

_PEOPLE = 4
_STEPS = (2, 3)


class Drawn(NamedTuple):
    """A question and its computed answer."""

    input: str
    answer: Payload
    options: tuple[str, ...] = ()


def options(rng: random.Random) -> Drawn:
    """A question of which exactly one of four options is right; gold is its letter."""
    item = choice_item(rng, "single")
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
