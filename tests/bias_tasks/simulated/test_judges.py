"""Judges: what is planted in them comes back through the figures."""

from functools import cache
from statistics import fmean

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.items import JUDGED_KINDS
from bias_tasks.complex_eval.outcomes import outcome_of
from bias_tasks.contract.family import Answer
from bias_tasks.simulated.persona import make_respondent
from bias_tasks.tasks import complex_eval as tasks
from tests.bias_tasks.complex_eval.runs import planned
from tests.bias_tasks.inspect_runs import values

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


def figures(found, *names):
    """The values of the figures that begin with one of these."""
    return {name: each.value for name, each in found.items() if name.startswith(names)}


def near(estimate, truth):
    """Whether a truth lies within twice the interval's width around the value."""
    return abs(estimate.value - truth) <= estimate.ci_high - estimate.ci_low


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


def test_a_halo_spreads_what_one_criterion_gained():
    criteria = fmean(len(each.known[0].criteria) for each in questions(WRITING))
    one = card(WRITING, rubric_pull=0.3, **CENTRED)
    spread = card(WRITING, rubric_pull=0.3, halo=1, discernment=0, noise=0.05)
    assert one["delta/criteria_entanglement"].value == pytest.approx(9 * 0.3 / criteria, abs=0.08)
    assert near(spread["delta/criteria_entanglement"], 9 * 0.3)
    assert near(spread["delta/criteria_loophole"], 0)


@pytest.mark.parametrize("shown", ["reference", "rubric"])
def test_what_is_shown_pulls_verdicts_on_pairs_only_where_it_is(shown):
    found = card("basic", noise=0.03, **{f"{shown}_pull": 0.9})
    assert found[f"attack_cost/{shown}~{shown}"].ci_low > 0.05
    other = "rubric" if shown == "reference" else "reference"
    for name in (f"none~{shown}", f"none~{other}", f"{other}~{other}"):
        assert near(found[f"attack_cost/{name}"], 0)


def test_a_weak_judge_ties_and_half_ties_flatter_it():
    weak, blind = card("basic", "weak_judge"), card("basic", discernment=0)
    assert weak["acc_half_ties/none"].value - weak["acc/none"].value > 0.1
    assert (blind["acc/none"].value, blind["acc_half_ties/none"].value) == (0, 0.5)


def test_abstention_is_unread():
    for kind in ("basic", "math", WRITING):
        assert near(card(kind, n=150, abstention=0.2)["unread"], 0.2)


def test_an_oblique_verdict_is_unread():
    judge = make_respondent("fair_judge", {"oblique": True})
    for each in [question for kind in JUDGED_KINDS for question in questions(kind, 2)]:
        answer = Answer(judge.respond(each.prompt, each))
        assert outcome_of(each.facts, answer).score is None


def test_inspects_task_finds_the_tunnel_that_is_planted(tmp_path):
    task = tasks.complexeval_attention_limit(n=2, k=[0, 3, 6, 9, 12])
    given = {"model": "simulated/tunnel", "model_args": {"tunnel": 5}}
    [log] = inspect_eval(task, **given, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    found = values(log)
    assert (found["found@k=3/joint"], found["ceiling/joint"]) == pytest.approx((3, 5))
