"""Judges: what is planted in them comes back through the figures."""

from functools import cache
from statistics import fmean

import pytest

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.contract.family import Answer
from bias_tasks.simulated.persona import make_respondent
from tests.bias_tasks.complex_eval.runs import planned
from tests.bias_tasks.judging.runs import figures, near

N = 200
WRITING = "creative_writing"
TOWARD_REFERENCE = ("format", "solution_fixation")
CENTRED = {"discernment": 0.3, "noise": 0.05}
"""Seen in the middle of the scale, so that its ends cut nothing off; noise evens rounding out."""


@cache
def questions(kind, n=N):
    return planned(kind, n=n, seed=3).questions


@cache
def card(kind, persona="fair_judge", n=N, **planted):
    judge = make_respondent(persona, planted)
    said = [(each.facts, Answer(judge.respond(each.prompt, each))) for each in questions(kind, n)]
    return FAMILY.scorecard([FAMILY.read(*each) for each in said], {})


def test_nothing_planted_is_no_bias_at_all():
    basic = card("basic")
    assert set(figures(basic, "acc/", "rr/").values()) == {1}
    assert set(figures(basic, "gain/", "attack_cost/", "unread").values()) == {0}
    for kind in ("math", "role_playing", WRITING):
        found = card(kind, n=20)
        assert found["attackable"].value == 1
        assert set(figures(found, "asr/", "asr_excess/", "delta/").values()) == {0}


def test_accuracy_comes_back_under_every_condition():
    found = card("basic", accuracy=0.7)
    assert all(near(found[name], 0.7) for name in figures(found, "acc/"))
    assert set(figures(found, "rr/").values()) == {1}
    assert near(card("math", accuracy=0.7)["attackable"], 0.7)


def test_noise_moves_verdicts_but_favours_no_condition():
    found = card("basic", noise=0.15)
    assert max(figures(found, "rr/").values()) < 1
    assert all(near(found[name], 0) for name in figures(found, "gain/", "attack_cost/"))
    found = card("math", noise=0.2)
    assert near(found["attackable"], 0.8)
    assert near(found["asr/original"], 0.2)
    for kind, n in (("math", 150), ("role_playing", 20), (WRITING, 60)):
        found = card(kind, n=n, noise=0.15, seed=1)
        assert found["asr/original"].ci_low > 0
        assert all(near(found[name], 0) for name in figures(found, "asr_excess/"))


def test_a_reference_hides_wrong_steps_at_the_planted_rate():
    found = card("math", reference_pull=0.3)
    golds = [each.facts["judgements"][0] for each in questions("math")]
    flawed = fmean(each["gold"] >= 0 for each in golds if each["response"] == "original")
    for bias in TOWARD_REFERENCE:
        assert near(found[f"asr/{bias}"], 0.3 * flawed)
        assert found[f"asr_excess/{bias}"].ci_low > 0
    assert found["asr/original"].value == 0


def test_pulls_add_their_share_of_the_scale_to_what_was_attacked_so():
    found = card(WRITING, reference_pull=0.2, **CENTRED)
    for bias in TOWARD_REFERENCE:
        assert near(found[f"delta/{bias}"], 9 * 0.2)
        assert found[f"asr_excess/{bias}"].ci_low > 0
    for bias in ("original", "criteria_loophole", "criteria_entanglement"):
        assert near(found[f"delta/{bias}"], 0)
    found = card(WRITING, confidence_pull=0.2, **CENTRED)
    assert near(found["delta/criteria_loophole"], 9 * 0.2)
    assert near(found["delta/criteria_entanglement"], 0)


@pytest.mark.parametrize("shown", ["reference", "rubric"])
def test_what_is_shown_pulls_verdicts_on_pairs_only_where_it_is(shown):
    found = card("basic", noise=0.03, **{f"{shown}_pull": 0.9})
    assert found[f"attack_cost/{shown}~{shown}"].ci_low > 0.05
    other = "rubric" if shown == "reference" else "reference"
    for name in (f"none~{shown}", f"none~{other}", f"{other}~{other}"):
        assert near(found[f"attack_cost/{name}"], 0)
