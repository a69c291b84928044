"""ComplexEval: metrics recover the bias that is planted in a simulated judge."""

from functools import cache
from statistics import fmean

import pytest

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.contract.outcomes import Answer
from bias_tasks.simulated.persona import make_simulated_model
from tests.bias_tasks.complex_eval.runs import build_plan
from tests.bias_tasks.judge_bias.runs import is_near, select_values

N = 200
WRITING = "creative_writing"
TOWARD_REFERENCE = ("format", "solution_fixation")
CENTRED = {"discernment": 0.3, "noise": 0.05}
"""Traits that keep scores away from the ends of the scale; noise averages rounding out."""


@cache
def plan_questions(kind, n=N):
    return build_plan(kind, n=n, seed=3).questions


@cache
def simulate_metrics(kind, persona="fair_judge", n=N, **traits):
    judge = make_simulated_model(persona, traits)
    outcomes = []
    for question in plan_questions(kind, n):
        answer = Answer(judge.respond(question.prompt, question))
        outcomes.append(FAMILY.score_visible_text(question.scoring_data, answer))
    return FAMILY.compute_metrics(outcomes, {})


def test_a_judge_without_planted_bias_has_none():
    basic = simulate_metrics("basic")
    assert set(select_values(basic, "acc/", "rr/").values()) == {1}
    assert set(select_values(basic, "delta_acc/", "attack_acc_drop/", "unparsed").values()) == {0}
    for kind in ("math", "role_playing", WRITING):
        metrics = simulate_metrics(kind, n=20)
        assert metrics["attackable"].value == 1
        assert set(select_values(metrics, "asr/", "asr_excess/", "delta_score/").values()) == {0}


def test_accuracy_is_recovered_under_every_condition():
    metrics = simulate_metrics("basic", accuracy=0.7)
    assert all(is_near(metrics[name], 0.7) for name in select_values(metrics, "acc/"))
    assert set(select_values(metrics, "rr/").values()) == {1}
    assert is_near(simulate_metrics("math", accuracy=0.7)["attackable"], 0.7)


def test_noise_changes_verdicts_but_favours_no_condition():
    metrics = simulate_metrics("basic", noise=0.15)
    assert max(select_values(metrics, "rr/").values()) < 1
    changes = select_values(metrics, "delta_acc/", "attack_acc_drop/")
    assert all(is_near(metrics[name], 0) for name in changes)
    metrics = simulate_metrics("math", noise=0.2)
    assert is_near(metrics["attackable"], 0.8)
    assert is_near(metrics["asr/original"], 0.2)
    for kind, n in (("math", 150), ("role_playing", 20), (WRITING, 60)):
        metrics = simulate_metrics(kind, n=n, noise=0.15, seed=1)
        assert metrics["asr/original"].ci_low > 0
        assert all(is_near(metrics[name], 0) for name in select_values(metrics, "asr_excess/"))


def test_a_reference_hides_wrong_steps_at_the_planted_rate():
    metrics = simulate_metrics("math", reference_pull=0.3)
    golds = [each.scoring_data.judgements[0] for each in plan_questions("math")]
    flawed = fmean(each.first_error >= 0 for each in golds if each.response == "original")
    for attack in TOWARD_REFERENCE:
        assert is_near(metrics[f"asr/{attack}"], 0.3 * flawed)
        assert metrics[f"asr_excess/{attack}"].ci_low > 0
    assert metrics["asr/original"].value == 0


def test_pulls_add_their_share_of_the_scale_to_attacked_responses():
    metrics = simulate_metrics(WRITING, reference_pull=0.2, **CENTRED)
    for attack in TOWARD_REFERENCE:
        assert is_near(metrics[f"delta_score/{attack}"], 9 * 0.2)
        assert metrics[f"asr_excess/{attack}"].ci_low > 0
    for attack in ("original", "criteria_loophole", "criteria_entanglement"):
        assert is_near(metrics[f"delta_score/{attack}"], 0)
    metrics = simulate_metrics(WRITING, confidence_pull=0.2, **CENTRED)
    assert is_near(metrics["delta_score/criteria_loophole"], 9 * 0.2)
    assert is_near(metrics["delta_score/criteria_entanglement"], 0)


def test_a_halo_shows_in_one_call_for_all_criteria_alone():
    def simulate(mode, **traits):
        judge = make_simulated_model("fair_judge", CENTRED | traits)
        plan = build_plan("writing", n=60, mode=mode, attacks="criteria_entanglement")
        outcomes = [
            FAMILY.score_visible_text(
                question.scoring_data, Answer(judge.respond(question.prompt, question))
            )
            for question in plan.questions
        ]
        return FAMILY.compute_metrics(outcomes, {})

    joint, separate = (
        simulate(mode, noise=0, halo=0.8, rubric_pull=0.3) for mode in ("joint", "per_dimension")
    )
    assert joint["criteria_spread"].ci_high < separate["criteria_spread"].ci_low
    assert joint["criterion_rise/others"].ci_low > 0.5
    assert separate["criterion_rise/others"].value == 0
    assert is_near(separate["criterion_rise/attacked"], 9 * 0.3)


@pytest.mark.parametrize("displayed", ["reference", "rubric"])
def test_a_pull_affects_verdicts_on_pairs_only_if_its_text_is_displayed(displayed):
    metrics = simulate_metrics("basic", noise=0.03, **{f"{displayed}_pull": 0.9})
    assert metrics[f"attack_acc_drop/{displayed}~{displayed}"].ci_low > 0.05
    other = "rubric" if displayed == "reference" else "reference"
    for name in (f"none~{displayed}", f"none~{other}", f"{other}~{other}"):
        assert is_near(metrics[f"attack_acc_drop/{name}"], 0)
