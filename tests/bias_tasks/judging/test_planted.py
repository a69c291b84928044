"""Judges under probes: what is planted in them comes back through the figures."""

import pytest

from tests.bias_tasks.judging.runs import EVERY, card, figures, near

PAIRS, SINGLE = "judge_pairwise", "judge_single"
PULLS = {
    "length_pull": "verbosity",
    "layout_pull": "formatting",
    "authority_pull": "authority",
}


@pytest.mark.parametrize("task", [PAIRS, SINGLE])
def test_nothing_planted_is_no_bias_at_all(task):
    found = card(task, accuracy=0.8)
    moved = ("answers_changed/", "score_change/", "pull/", "shift/", "most_", "ties")
    assert set(figures(found, *moved).values()) == {0}
    assert set(figures(found, "same_answer").values()) == {1}
    assert near(found["score/plain"], 0.8)
    if task == PAIRS:
        assert found["first_share"].value == 0.5
        assert found["both_orders"].value == found["score/plain"].value


def test_an_order_that_decides_is_found_by_what_knows_the_content():
    found = card(PAIRS, accuracy=0.8, order_effect=0.5)
    assert near(found["first_share"], 0.75)
    assert near(found["same_answer/position"], 0.5)
    assert near(found["both_orders"], 0.8 * 0.5)
    assert near(found["most_changed"], 0.5)
    assert found["most_changed"].value == found["answers_changed/position"].value
    assert found["most_changed"].ci_low > 0 > found["answers_changed/verbosity"].ci_low
    assert found["pull/verbosity"].value == 0


@pytest.mark.parametrize(("pull", "probe"), PULLS.items())
def test_each_pull_is_found_by_its_probe_and_by_no_other(pull, probe):
    found = card(PAIRS, probes=EVERY, accuracy=0.7, **{pull: 0.4})
    assert near(found[f"pull/{probe}"], 0.7 * 0.4)
    assert near(found[f"pull/{probe}_control"], 0.3 * 0.4)
    assert found[f"pull/{probe}"].ci_low > 0
    assert found[f"pull/{probe}"].p < 0.05
    others = {name for other in PULLS.values() if other != probe for name in (f"pull/{other}",)}
    assert {found[name].value for name in others} == {0}
    assert found["first_share"].value == 0.5


@pytest.mark.parametrize(("pull", "probe"), PULLS.items())
def test_scores_move_by_what_is_planted(pull, probe):
    found = card(SINGLE, **{pull: 0.2, "noise": 0.02})
    assert near(found[f"shift/{probe}"], 9 * 0.2)
    others = [found[f"shift/{other}"] for other in PULLS.values() if other != probe]
    assert all(near(each, 0) and each.p >= 0.05 for each in others)
    assert "first_share" not in found


def test_a_pull_that_lifts_the_worse_over_the_better_turns_preferences():
    found = card(SINGLE, length_pull=0.5)
    assert found["pull/verbosity"].value == 1
    assert found["score/verbosity"].value == 0
    assert found["pull/formatting"].value == 0
