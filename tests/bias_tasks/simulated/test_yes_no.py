"""Yes/no questions: metrics recover planted traits, and likelihoods are those of the first call."""

import math

import pytest
from lm_eval.api.instance import Instance

from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.simulated.persona import make_simulated_model
from tests.bias_tasks.builders import questions
from tests.bias_tasks.simulated.runs import simulate_metrics

N = 250


def test_metrics_recover_planted_traits(few_draws):
    for planted, expected in (
        ({"accuracy_yes": 0.7, "accuracy_no": 0.95}, {"delta_recall": 0.25, "prc": 1, "nrc": 1}),
        ({"no_lean": 0.3}, {"prc": 1, "nrc": 0.7, "arc": 1, "sc": 1}),
        ({"yes_lean": 0.2}, {"prc": 1, "nrc": 0.8, "arc": 1}),
        ({"negation": 0.4}, {"prc": 1, "nrc": 0.36, "arc": 1, "sc": 1}),
        ({"rewording": 0.4}, {"prc": 0.36, "nrc": 1, "arc": 1, "sc": 1}),
        ({"order_effect": 0.25}, {"prc": 1, "nrc": 0.75, "arc": 0.75, "sc": 1}),
        ({"unsteady": 0.5}, {"prc": 0.4375, "nrc": 0.4375, "arc": 0.625, "sc": 0.4375}),
        (
            {"abstention": 0.2},
            {"prc": 1, "nrc": 1, "arc": 1, "sc": 1}
            | {"coverage/prc": 0.512, "coverage/sc": 0.8, "unparsed": 0.2},
        ),
        ({"unsteady": 1.0}, {"prc": 0.25, "nrc": 0.25, "arc": 0.5, "sc": 0.25}),
    ):
        metrics = simulate_metrics("binaryqa", traits={"seed": 1, **planted}, n=N)
        for name, share in expected.items():
            error = 4 * math.sqrt(max(share * (1 - share), 0.01 * (share % 1 > 0)) / (N / 2)) + 1e-9
            assert abs(metrics[name].value - share) <= error, (planted, name, metrics[name])


def test_a_share_of_the_questions_in_all_variants_gives_mbs_beside_nrc():
    traits = {"seed": 1, "accuracy": 0.8, "unsteady": 0.1}
    full = simulate_metrics("binaryqa", traits=traits, data="core", n=100)
    partial = simulate_metrics("binaryqa_nrc", traits=traits, data="core", n=100, full_share=0.4)
    assert partial["nrc"] == full["nrc"]
    assert (partial["arc"].n, partial["sc"].n, partial["mbs"].n) == (40, 40, 40)
    assert abs(partial["mbs"].value - full["mbs"].value) < 6
    assert len(questions("binaryqa_nrc", data="core", n=100, full_share=0.4)) == 100 * 3 + 40 * 5


def build_requests(planned):
    """Requests as lm-eval builds them for our tasks: both answers after each prompt."""
    requests = []
    for question in planned:
        for number, label in enumerate(("Yes", "No")):
            requests.append(Instance("loglikelihood", {}, (question.prompt, f" {label}"), number))
            requests[-1].question = question
    return requests


def test_the_likelier_answer_is_the_answer_to_the_first_call():
    planned = questions("binaryqa", data="synthetic", n=10)
    for name in ("coin", "no_leaner", "unsteady"):
        model = SimulatedLM(name, seed=2, abstention=0.5)
        likelihoods = model.loglikelihood(build_requests(planned))
        assert likelihoods == model.loglikelihood(build_requests(planned))
        for index, question in enumerate(planned):
            yes, no = likelihoods[2 * index : 2 * index + 2]
            first_call = make_simulated_model(name, {"seed": 2, "abstention": 0.0})
            answer = first_call.respond(question.prompt, question)
            assert (yes[0] > no[0]) == yes[1] == (answer == "Yes")
            assert sorted(math.exp(chance) for chance, _ in (yes, no)) == pytest.approx([0.1, 0.9])
    with pytest.raises(NotImplementedError, match="only personas"):
        SimulatedLM("grader").loglikelihood(build_requests(planned[:1]))
    with pytest.raises(NotImplementedError, match="whole texts"):
        SimulatedLM("coin").loglikelihood_rolling([])
