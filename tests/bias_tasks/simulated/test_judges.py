"""ComplexEval: metrics recover the bias that is planted in a simulated judge."""

from functools import cache
from statistics import fmean

import pytest

from tests.bias_tasks.builders import questions
from tests.bias_tasks.judge_bias.runs import is_near, select_values
from tests.bias_tasks.simulated.runs import simulate_metrics

N = 100
WRITING = "creative_writing"
TOWARD_REFERENCE = ("format", "solution_fixation")
CENTRED = {"discernment": 0.3, "noise": 0.05}
"""Traits that keep scores away from the ends of the scale; noise averages rounding out."""


@cache
def simulate(kind, n=N, mode=None, attacks=None, **traits):
    """The metrics of a simulated judge of a kind of items."""
    task = f"complexeval_{kind.removeprefix('creative_')}"
    params = {"n": n, "seed": 3, "mode": mode, "attacks": attacks}
    given = {name: value for name, value in params.items() if value is not None}
    return simulate_metrics(task, "fair_judge", traits, **given)


def test_a_judge_without_planted_bias_has_none():
    basic = simulate("basic")
    assert set(select_values(basic, "acc/", "rr/").values()) == {1}
    assert set(select_values(basic, "delta_acc/", "attack_acc_drop/", "unparsed").values()) == {0}
    for kind in ("math", "role_playing", WRITING):
        metrics = simulate(kind, n=20)
        assert metrics["attackable"].value == 1
        assert set(select_values(metrics, "asr/", "asr_excess/", "delta_score/").values()) == {0}


def test_accuracy_is_recovered_under_every_condition():
    metrics = simulate("basic", accuracy=0.7)
    assert all(is_near(metrics[name], 0.7) for name in select_values(metrics, "acc/"))
    assert set(select_values(metrics, "rr/").values()) == {1}
    assert is_near(simulate("math", accuracy=0.7)["attackable"], 0.7)


def test_noise_changes_verdicts_but_favours_no_condition():
    metrics = simulate("basic", noise=0.15)
    assert max(select_values(metrics, "rr/").values()) < 1
    changes = select_values(metrics, "delta_acc/", "attack_acc_drop/")
    assert all(is_near(metrics[name], 0) for name in changes)
    metrics = simulate("math", noise=0.2)
    assert is_near(metrics["attackable"], 0.8)
    assert is_near(metrics["asr/original"], 0.2)
    for kind, n in (("math", 150), ("role_playing", 20), (WRITING, 60)):
        metrics = simulate(kind, n=n, noise=0.15, seed=1)
        assert metrics["asr/original"].ci_low > 0
        assert all(is_near(metrics[name], 0) for name in select_values(metrics, "asr_excess/"))


def test_a_reference_hides_wrong_steps_at_the_planted_rate():
    metrics = simulate("math", reference_pull=0.3)
    planned = questions("complexeval_math", data="synthetic", n=N, seed=3)
    golds = [question.scoring_data.judgements[0] for question in planned]
    flawed = fmean(each.first_error >= 0 for each in golds if each.response == "original")
    for attack in TOWARD_REFERENCE:
        assert is_near(metrics[f"asr/{attack}"], 0.3 * flawed)
        assert metrics[f"asr_excess/{attack}"].ci_low > 0
    assert metrics["asr/original"].value == 0


def test_pulls_add_their_share_of_the_scale_to_attacked_responses():
    metrics = simulate(WRITING, reference_pull=0.2, **CENTRED)
    for attack in TOWARD_REFERENCE:
        assert is_near(metrics[f"delta_score/{attack}"], 9 * 0.2)
        assert metrics[f"asr_excess/{attack}"].ci_low > 0
    for attack in ("original", "criteria_loophole", "criteria_entanglement"):
        assert is_near(metrics[f"delta_score/{attack}"], 0)
    metrics = simulate(WRITING, confidence_pull=0.2, **CENTRED)
    assert is_near(metrics["delta_score/criteria_loophole"], 9 * 0.2)
    assert is_near(metrics["delta_score/criteria_entanglement"], 0)


def test_a_halo_shows_in_one_call_for_all_criteria_alone():
    traits = CENTRED | {"noise": 0, "halo": 0.8, "rubric_pull": 0.3}
    joint, separate = (
        simulate(WRITING, n=60, mode=mode, attacks="criteria_entanglement", **traits)
        for mode in ("joint", "per_dimension")
    )
    assert joint["criteria_spread"].ci_high < separate["criteria_spread"].ci_low
    assert joint["criterion_rise/others"].ci_low > 0.5
    assert separate["criterion_rise/others"].value == 0
    assert is_near(separate["criterion_rise/attacked"], 9 * 0.3)


@pytest.mark.parametrize("displayed", ["reference", "rubric"])
def test_a_pull_affects_verdicts_on_pairs_only_if_its_text_is_displayed(displayed):
    metrics = simulate("basic", noise=0.03, **{f"{displayed}_pull": 0.9})
    assert metrics[f"attack_acc_drop/{displayed}~{displayed}"].ci_low > 0.05
    inside = simulate("basic", **CENTRED, **{f"{displayed}_pull": 0.1})
    assert is_near(inside[f"score_rise/{displayed}"], 9 * 0.1)
    assert is_near(inside["score_rise"], 9 * 0.1 / 2)
    other = "rubric" if displayed == "reference" else "reference"
    for name in (f"none~{displayed}", f"none~{other}", f"{other}~{other}"):
        assert is_near(metrics[f"attack_acc_drop/{name}"], 0)
    assert is_near(inside[f"score_rise/{other}"], 0)
