"""Judges that look for flaws, blindly or honestly: what that comes to in the figures."""

import json
import random
from itertools import product

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.layout import read_dialogue
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.contract.family import Answer
from tests.bias_tasks.complex_eval.runs import planned

MODES = ("joint", "per_dimension")
KS = (0, 2, 5, 10, 20)


def figures(report, n=12):
    """The figures of a judge that reports `report(rng, turns, question)`: (dimension, quote)."""
    rng, outcomes = random.Random(5), []
    k = ",".join(map(str, KS))
    plan = planned("attention_limit", mode="joint,per_dimension", k=k, n=n, seed=3)
    for question in plan.questions:
        turns = [turn.content for turn in read_dialogue(read_blocks(question.prompt)["response"])]
        flaws = [
            {"dimension": name, "severity": 2, "quote": quote}
            for name, quote in report(rng, turns, question)
        ]
        outcomes.append(FAMILY.outcome(question.facts, Answer(json.dumps({"flaws": flaws}))))
    return FAMILY.scorecard(outcomes, {})


def everywhere(quotes):
    """A judge that quotes `quotes(rng, turns)` in every dimension asked for."""
    return lambda rng, turns, question: [
        (name, quote) for name in question.facts["form"]["criteria"] for quote in quotes(rng, turns)
    ]


BLIND = {
    "parts of words": lambda rng, turns: ("tion", "here", "ould", "ight", "ther", ""),
    "all turns in one": lambda rng, turns: ["\n".join(turns)],
    "a sentence by chance": lambda rng, turns: [rng.choice(rng.choice(turns).split(". "))],
    "six turns by chance": lambda rng, turns: rng.sample(turns, 6),
}


def test_a_blind_reporter_is_no_better_than_chance():
    for name, quotes in BLIND.items():
        found = figures(everywhere(quotes))
        for mode, share in product(MODES, ("recall", "precision")):
            figure, chance = found[f"{share}/{mode}"], found[f"{share}_chance/{mode}"].value
            # Of 16 intervals at 95 % some miss: each may, by a tenth.
            assert figure.ci_low <= 1.1 * chance, (name, mode, share)
            assert figure.value <= 1.35 * chance, (name, mode, share)
