"""Runs of judges without a framework."""

from functools import cache

from bias_tasks.contract.outcomes import Answer
from bias_tasks.judge_bias.family import FAMILY
from bias_tasks.simulated.persona import make_simulated_model
from tests.bias_tasks.builders import questions

CONTROLS = "verbosity_control,formatting_control,authority_control"
ALL_PROBES = f"position,verbosity,formatting,authority,{CONTROLS}"


def score_answers(model, planned):
    """The outcomes of a model's answers."""
    return [
        FAMILY.score_answer(
            question.scoring_data,
            Answer(model.respond(question.prompt, question), prompt=question.prompt),
        )
        for question in planned
    ]


@cache
def simulate_metrics(task, n=60, probes=None, persona="steadfast", **traits):
    """The metrics of a simulated judge."""
    if persona == "steadfast":
        traits = {"accuracy": 1.0, **traits}
    model = make_simulated_model(persona, traits)
    outcomes = score_answers(model, questions(task, data="synthetic", n=n, probes=probes))
    return FAMILY.compute_metrics(outcomes, {})


def select_values(metrics, *prefixes):
    """The values of the metrics whose names have one of the prefixes."""
    return {name: estimate.value for name, estimate in metrics.items() if name.startswith(prefixes)}


def is_near(estimate, truth):
    """Whether a planted value is within the interval's width of the estimate."""
    return abs(estimate.value - truth) <= estimate.ci_high - estimate.ci_low
