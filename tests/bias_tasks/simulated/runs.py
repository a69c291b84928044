"""Runs of simulated models without a framework, and whether a share agrees with what is planted."""

import math
from functools import lru_cache

from bias_tasks.contract.outcomes import Answer
from bias_tasks.families import family_of_task
from bias_tasks.simulated.persona import make_simulated_model
from tests.bias_tasks.builders import questions

planned = lru_cache(maxsize=16)(questions)
"""The questions of a run, which several models answer."""


def simulate_outcomes(task, persona="steadfast", traits=(), **params):
    """The outcomes of a simulated model's answers to a task's questions on synthetic items."""
    model, family = make_simulated_model(persona, dict(traits)), family_of_task(task)
    return [
        family.score_answer(
            question.scoring_data,
            Answer(model.respond(question.prompt, question), prompt=question.prompt),
        )
        for question in planned(task, **{"data": "synthetic", **params})
    ]


def simulate_metrics(task, persona="steadfast", traits=(), **params):
    """The metrics of a simulated model's run."""
    outcomes = simulate_outcomes(task, persona, traits, **params)
    return family_of_task(task).compute_metrics(outcomes, {})


def agrees(share, planted, n):
    """Whether a share agrees with a planted one within four standard errors."""
    return abs(share - planted) <= 4 * math.sqrt(planted * (1 - planted) / n) + 1e-9
