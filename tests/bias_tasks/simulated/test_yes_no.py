"""Yes/no questions: metrics recover planted traits, and likelihoods are those of the first call."""

import math
from functools import cache

import pytest
from lm_eval.api.instance import Instance

from bias_tasks.binary_qa.family import FAMILY
from bias_tasks.contract.outcomes import Answer
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.simulated.persona import make_simulated_model

N = 1000


@cache
def plan_questions(n=N):
    values = FAMILY.tasks["binaryqa"].values({"data": "synthetic", "n": n})
    return FAMILY.plan("binaryqa", values).questions


def simulate_values(persona, n=N, **traits):
    model = make_simulated_model(persona, traits)
    outcomes = [
        FAMILY.score_answer(question.scoring_data, Answer(model.respond(question.prompt, question)))
        for question in plan_questions(n)
    ]
    metrics = FAMILY.compute_metrics(outcomes, {})
    return {name: estimate.value for name, estimate in metrics.items()}


def test_metrics_recover_planted_traits():
    for planted, expected in (
        ({"accuracy_yes": 0.7, "accuracy_no": 0.95}, {"delta_recall": 0.25, "prc": 1, "nrc": 1}),
        ({"no_lean": 0.3}, {"prc": 1, "nrc": 0.7, "arc": 1, "sc": 1}),
        ({"yes_lean": 0.2}, {"prc": 1, "nrc": 0.8, "arc": 1}),
        ({"negation": 0.4}, {"prc": 1, "nrc": 0.36, "arc": 1, "sc": 1}),
        ({"rewording": 0.4}, {"prc": 0.36, "nrc": 1, "arc": 1, "sc": 1}),
        ({"order_effect": 0.25}, {"prc": 1, "nrc": 0.75, "arc": 0.75, "sc": 1}),
        ({"unsteady": 0.5}, {"prc": 0.4375, "nrc": 0.4375, "arc": 0.625, "sc": 0.4375}),
        ({"abstention": 0.2}, {"prc": 1, "nrc": 1, "arc": 1, "sc": 1}),
        ({"abstention": 0.2}, {"coverage/prc": 0.512, "coverage/sc": 0.8, "unparsed": 0.2}),
        ({"unsteady": 1.0}, {"prc": 0.25, "nrc": 0.25, "arc": 0.5, "sc": 0.25}),
    ):
        values = simulate_values("steadfast", seed=1, **planted)
        for name, share in expected.items():
            error = 4 * math.sqrt(max(share * (1 - share), 0.01 * (share % 1 > 0)) / (N / 2)) + 1e-9
            assert abs(values[name] - share) <= error, (planted, name, values[name])


def build_requests(questions):
    """Requests as lm-eval builds them for our tasks: both answers after each prompt."""
    requests = []
    for question in questions:
        for number, label in enumerate(("Yes", "No")):
            requests.append(Instance("loglikelihood", {}, (question.prompt, f" {label}"), number))
            requests[-1].question = question
    return requests


def test_the_likelier_answer_is_the_answer_to_the_first_call():
    questions = plan_questions(10)
    for name in ("coin", "no_leaner", "unsteady"):
        model = SimulatedLM(name, seed=2, abstention=0.5)
        likelihoods = model.loglikelihood(build_requests(questions))
        assert likelihoods == model.loglikelihood(build_requests(questions))
        for index, question in enumerate(questions):
            yes, no = likelihoods[2 * index : 2 * index + 2]
            first_call = make_simulated_model(name, {"seed": 2, "abstention": 0.0})
            answer = first_call.respond(question.prompt, question)
            assert (yes[0] > no[0]) == yes[1] == (answer == "Yes")
            assert sorted(math.exp(chance) for chance, _ in (yes, no)) == pytest.approx([0.1, 0.9])
    with pytest.raises(NotImplementedError, match="only personas"):
        SimulatedLM("grader").loglikelihood(build_requests(questions[:1]))
    with pytest.raises(NotImplementedError, match="whole texts"):
        SimulatedLM("coin").loglikelihood_rolling([])
