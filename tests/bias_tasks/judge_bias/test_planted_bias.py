"""Metrics recover the bias that is planted in a simulated judge."""

import math

import pytest

from tests.bias_tasks.judge_bias.runs import ALL_PROBES, is_near, select_values, simulate_metrics

PAIRWISE, SINGLE = "judge_pairwise", "judge_single"
PULLS = {
    "length_pull": "verbosity",
    "layout_pull": "formatting",
    "authority_pull": "authority",
}


@pytest.mark.parametrize("task", [PAIRWISE, SINGLE])
def test_a_judge_without_planted_bias_has_none(task):
    metrics = simulate_metrics(task, accuracy=0.8)
    changes = (
        "answers_changed/",
        "score_change/",
        "preference_shift/",
        "score_shift/",
    )
    assert set(select_values(metrics, *changes, "max_", "tie_rate").values()) == {0}
    assert set(select_values(metrics, "same_answer").values()) == {1}
    assert is_near(metrics["score/baseline"], 0.8)
    if task == PAIRWISE:
        assert metrics["first_position_rate"].value == 0.5
        assert metrics["acc_both_orders"].value == metrics["score/baseline"].value


def test_an_order_effect_shows_in_the_metrics_of_order():
    metrics = simulate_metrics(PAIRWISE, accuracy=0.8, order_effect=0.5)
    assert is_near(metrics["first_position_rate"], 0.75)
    assert is_near(metrics["same_answer/position"], 0.5)
    assert is_near(metrics["acc_both_orders"], 0.8 * 0.5)
    most = metrics["max_answers_changed"]
    assert is_near(most, 0.5)
    assert most.value == metrics["answers_changed/position"].value
    assert most.ci_low > 0 > metrics["answers_changed/verbosity"].ci_low
    assert metrics["preference_shift/verbosity"].value == 0


@pytest.mark.parametrize(("pull", "probe"), PULLS.items())
def test_a_pull_shifts_preferences_under_its_probe_only(pull, probe):
    metrics = simulate_metrics(PAIRWISE, probes=ALL_PROBES, accuracy=0.7, **{pull: 0.4})
    shift = metrics[f"preference_shift/{probe}"]
    assert is_near(shift, 0.7 * 0.4)
    assert is_near(metrics[f"preference_shift/{probe}_control"], 0.3 * 0.4)
    assert shift.value > 0
    others = [other for other in PULLS.values() if other != probe]
    assert {metrics[f"preference_shift/{other}"].value for other in others} == {0}
    assert metrics["first_position_rate"].value == 0.5


@pytest.mark.parametrize(("pull", "probe"), PULLS.items())
def test_a_pull_shifts_verdicts_on_near_ties_by_half_of_it(pull, probe):
    """The other half are verdicts that favour the response anyway."""
    metrics = simulate_metrics(PAIRWISE, pairs="near", n=120, accuracy=0.8, **{pull: 0.4})
    shift = metrics[f"edited_shift/{probe}"]
    assert is_near(shift, 0.2)
    assert shift.ci_low > 0
    largest = metrics["max_edited_shift"]
    assert largest.value == shift.value
    assert largest.ci_low <= shift.ci_low < shift.ci_high <= largest.ci_high
    others = [other for other in PULLS.values() if other != probe]
    assert {metrics[f"edited_shift/{other}"].value for other in others} == {0}
    assert is_near(metrics["score/baseline"], 0.8)
    assert not {"max_answers_changed", "preference_shift/verbosity"} & set(metrics)


@pytest.mark.parametrize("always", ["first", "last", "tie"])
def test_a_judge_that_always_answers_the_same_has_no_largest_shift(always):
    metrics = simulate_metrics(PAIRWISE, pairs="near", n=12, always=always)
    assert math.isnan(metrics["max_edited_shift"].value)


def test_a_guess_has_no_shift():
    metrics = simulate_metrics(PAIRWISE, pairs="near", n=120, always="guess")
    largest = metrics["max_edited_shift"]
    assert largest.ci_low < 0 < largest.ci_high


@pytest.mark.parametrize(("pull", "probe"), PULLS.items())
def test_a_pull_shifts_scores_under_its_probe_only(pull, probe):
    metrics = simulate_metrics(SINGLE, **{pull: 0.2, "noise": 0.02})
    assert is_near(metrics[f"score_shift/{probe}"], 9 * 0.2)
    others = [metrics[f"score_shift/{other}"] for other in PULLS.values() if other != probe]
    assert all(is_near(estimate, 0) and estimate.p >= 0.05 for estimate in others)
    assert "first_position_rate" not in metrics


def test_a_large_pull_reverses_preferences_between_scores():
    metrics = simulate_metrics(SINGLE, length_pull=0.5)
    assert metrics["preference_shift/verbosity"].value == 1
    assert metrics["score/verbosity"].value == 0
    assert metrics["preference_shift/formatting"].value == 0
