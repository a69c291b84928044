"""Metrics of judges that report flaws at random."""

import json
import random
from itertools import product

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.layout import read_dialogue
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.contract.outcomes import Answer
from tests.bias_tasks.complex_eval.runs import build_plan

MODES = ("joint", "per_dimension")
KS = (0, 2, 5, 10, 20)


def compute_metrics(report, n=12):
    """Return the metrics of a judge whose reports are `report(rng, turns, question)`.

    A report is a dimension and a quote.
    """
    rng, outcomes = random.Random(5), []
    k = ",".join(map(str, KS))
    plan = build_plan("attention_limit", mode="joint,per_dimension", k=k, n=n, seed=3)
    for question in plan.questions:
        turns = [turn.content for turn in read_dialogue(read_blocks(question.prompt)["response"])]
        flaws = [
            {"dimension": name, "severity": 2, "quote": quote}
            for name, quote in report(rng, turns, question)
        ]
        outcomes.append(
            FAMILY.score_answer(question.scoring_data, Answer(json.dumps({"flaws": flaws})))
        )
    return FAMILY.compute_metrics(outcomes, {})


def report_everywhere(quotes):
    """Return the reports of a judge that quotes `quotes(rng, turns)` in every dimension."""
    return lambda rng, turns, question: [
        (name, quote)
        for name in question.scoring_data.form.criteria
        for quote in quotes(rng, turns)
    ]


RANDOM_QUOTES = {
    "parts of words": lambda rng, turns: ("tion", "here", "ould", "ight", "ther", ""),
    "all turns in one": lambda rng, turns: ["\n".join(turns)],
    "a sentence by chance": lambda rng, turns: [rng.choice(rng.choice(turns).split(". "))],
    "six turns by chance": lambda rng, turns: rng.sample(turns, 6),
}


def test_random_reports_are_no_better_than_chance():
    for name, quotes in RANDOM_QUOTES.items():
        metrics = compute_metrics(report_everywhere(quotes))
        for mode, share in product(MODES, ("recall", "precision")):
            metric, chance = metrics[f"{share}/{mode}"], metrics[f"{share}_chance/{mode}"].value
            # Some of 16 intervals at 95 % miss; each may miss by a tenth.
            assert metric.ci_low <= 1.1 * chance, (name, mode, share)
            assert metric.value <= 1.35 * chance, (name, mode, share)
