"""Yes/no questions: planted traits come back, and likelihoods are those of the first call."""

import math
from functools import cache

import pytest
from lm_eval.api.instance import Instance

from bias_tasks.binary_qa.family import FAMILY
from bias_tasks.contract.family import Answer
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.simulated.persona import make_respondent

N = 1000


@cache
def questions(n=N):
    values = FAMILY.tasks["binaryqa"].values({"data": "synthetic", "n": n})
    return FAMILY.plan("binaryqa", values).questions


def card(persona, n=N, **planted):
    respondent = make_respondent(persona, planted)
    said = [(each, respondent.respond(each.prompt, each)) for each in questions(n)]
    outcomes = [FAMILY.outcome(each.facts, Answer(text)) for each, text in said]
    return {name: found.value for name, found in FAMILY.scorecard(outcomes, {}).items()}


def test_planted_traits_come_back():
    for planted, expected in (
        ({"accuracy_yes": 0.7, "accuracy_no": 0.95}, {"delta_recall": 0.25, "prc": 1, "nrc": 1}),
        ({"no_lean": 0.3}, {"prc": 1, "nrc": 0.7, "arc": 1, "sc": 1}),
        ({"yes_lean": 0.2}, {"prc": 1, "nrc": 0.8, "arc": 1}),
        ({"negation": 0.4}, {"prc": 1, "nrc": 0.36, "arc": 1, "sc": 1}),
        ({"rewording": 0.4}, {"prc": 0.36, "nrc": 1, "arc": 1, "sc": 1}),
        ({"order_effect": 0.25}, {"prc": 1, "nrc": 0.75, "arc": 0.75, "sc": 1}),
        ({"unsteady": 0.5}, {"prc": 0.4375, "nrc": 0.4375, "arc": 0.625, "sc": 0.4375}),
        ({"abstention": 0.2}, {"prc": 0.516, "nrc": 0.516, "arc": 2 / 3, "sc": 1, "unread": 0.2}),
        ({"unsteady": 1.0}, {"prc": 0.25, "nrc": 0.25, "arc": 0.5, "sc": 0.25}),
    ):
        found = card("steadfast", seed=1, **planted)
        for name, share in expected.items():
            error = 4 * math.sqrt(max(share * (1 - share), 0.01 * (share % 1 > 0)) / (N / 2)) + 1e-9
            assert abs(found[name] - share) <= error, (planted, name, found[name])


def pairs(asked):
    """Requests as lm-eval makes them of our tasks: both answers after each prompt."""
    requests = []
    for each in asked:
        for number, label in enumerate(("Yes", "No")):
            requests.append(Instance("loglikelihood", {}, (each.prompt, f" {label}"), number))
            requests[-1].question = each
    return requests


def test_the_likelier_answer_is_the_one_given_at_the_first_call():
    asked = questions(10)
    for name in ("coin", "no_leaner", "unsteady"):
        model = SimulatedLM(name, seed=2, abstention=0.5)
        likelihoods = model.loglikelihood(pairs(asked))
        assert likelihoods == model.loglikelihood(pairs(asked))
        for place, each in enumerate(asked):
            yes, no = likelihoods[2 * place : 2 * place + 2]
            fresh = make_respondent(name, {"seed": 2, "abstention": 0.0})
            assert (yes[0] > no[0]) == yes[1] == (fresh.respond(each.prompt, each) == "Yes")
            assert sorted(math.exp(chance) for chance, _ in (yes, no)) == pytest.approx([0.1, 0.9])
    with pytest.raises(NotImplementedError, match="only personas"):
        SimulatedLM("judge").loglikelihood(pairs(asked[:1]))
    with pytest.raises(NotImplementedError, match="whole texts"):
        SimulatedLM("coin").loglikelihood_rolling([])
