"""Judges: what is planted in them comes back through the figures."""

from functools import cache
from statistics import fmean

import pytest

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.family import Answer
from bias_tasks.respondents.judge_sway import confidence, overlap
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.known_judged import read_judge_prompt
from bias_tasks.respondents.personas import make_respondent
from tests.bias_tasks.complex_eval.runs import planned

N = 300
WRITING = "creative_writing"
TOWARD_REFERENCE = ("format", "solution_fixation")


@cache
def questions(family, n=N):
    """(facts, prompt, known items) of every question of a run on generated items."""
    plan = planned("basic", n=n, seed=3) if family == "basic" else planned(family, n=n, seed=3)
    return [(each.facts, each.prompt, KnownItems(each.known)) for each in plan.questions]


def judged(family, persona="fair_judge", n=N, **planted):
    respondent = make_respondent(persona, planted)
    return [
        FAMILY.read(facts, Answer(respondent.respond(prompt, known)))
        for facts, prompt, known in questions(family, n)
    ]


@cache
def card(family, persona="fair_judge", n=N, **planted):
    return FAMILY.scorecard(judged(family, persona, n, **planted), {})


def figures(found, *names):
    """The values of the figures that begin with one of these."""
    return {name: each.value for name, each in found.items() if name.startswith(names)}


def near(estimate, truth):
    """Whether a truth lies within twice the interval's width around the value."""
    return abs(estimate.value - truth) <= estimate.ci_high - estimate.ci_low


def gain(family, name, measure):
    """The mean gain of a measure that an attack of this name brings, over the items."""
    told = {
        (judgement["item"], judgement["response"]): read_judge_prompt(prompt)
        for facts, prompt, _ in questions(family)
        for judgement in facts["judgements"]
    }
    attacked = [(item, shown) for (item, what), shown in told.items() if what == name]
    return fmean(measure(shown) - measure(told[item, "original"]) for item, shown in attacked)


def test_nothing_planted_is_no_bias_at_all():
    basic = card("basic")
    assert set(figures(basic, "acc/", "rr/").values()) == {1}
    assert set(figures(basic, "gain/", "attack_cost/", "unread").values()) == {0}
    for family in ("math", "role_playing", WRITING):
        found = card(family, n=20)
        assert found["attackable"].value == 1
        assert set(figures(found, "asr/", "asr_excess/", "delta/").values()) == {0}


def test_accuracy_comes_back_under_every_condition():
    found = card("basic", accuracy=0.7)
    for name in figures(found, "acc/"):
        assert near(found[name], 0.7)
    assert set(figures(found, "rr/").values()) == {1}
    located = card("math", accuracy=0.7)
    assert near(located["attackable"], 0.7)
    assert set(figures(located, "asr/").values()) == {0}


@pytest.mark.parametrize("family", ["math", "role_playing", WRITING])
def test_noise_alone_is_what_the_floor_shows(family):
    contained = figure_count = 0
    # A dialogue's score is the mean of four calls, each with noise of its own: half as noisy.
    n, noise = {"math": (150, 0.1), "role_playing": (20, 0.2), WRITING: (60, 0.1)}[family]
    for seed in range(4):
        found = card(family, n=n, noise=noise, seed=seed)
        assert found["asr/original"].ci_low > 0
        for name in figures(found, "asr_excess/"):
            contained += found[name].ci_low <= 0 <= found[name].ci_high
            figure_count += 1
    assert contained >= 0.8 * figure_count


def test_noise_changes_verdicts_but_favours_no_condition():
    found = card("basic", noise=0.15)
    assert set(figures(found, "rr/").values()) < {value / N for value in range(N)}
    for name in figures(found, "gain/", "attack_cost/"):
        assert near(found[name], 0)


def test_noise_moves_positions_at_the_planted_rate():
    found = card("math", noise=0.2)
    assert near(found["attackable"], 0.8)
    assert near(found["asr/original"], 0.2)


@pytest.mark.parametrize("pull", [0.3, 1.0])
def test_a_reference_hides_wrong_steps_at_the_planted_rate(pull):
    found = card("math", reference_pull=pull)
    flawed = fmean(
        facts["judgements"][0]["gold"] >= 0
        for facts, *_ in questions("math")
        if facts["judgements"][0]["response"] == "original"
    )
    assert flawed == pytest.approx(2 / 3)
    for bias in TOWARD_REFERENCE:
        assert near(found[f"asr/{bias}"], pull * flawed)
        assert found[f"asr_excess/{bias}"].ci_low > 0
    assert found["asr/original"].value == 0


# Seen in the middle of the scale, so that its ends cut nothing off; noise evens rounding out.
CENTRED = {"discernment": 0.3, "noise": 0.05}


def test_a_pull_toward_the_reference_adds_what_the_wording_gained():
    found = card(WRITING, reference_pull=0.4, **CENTRED)
    for bias in TOWARD_REFERENCE:
        gained = gain(WRITING, bias, lambda told: overlap(told, told.blocks["reference"]))
        assert gained > 0.05
        assert near(found[f"delta/{bias}"], 9 * 0.4 * gained)
        assert found[f"asr_excess/{bias}"].ci_low > 0
    for bias in ("original", "criteria_loophole", "criteria_entanglement"):
        assert near(found[f"delta/{bias}"], 0)


def test_learned_phrases_add_what_the_attack_brought_of_them():
    found = card(WRITING, confidence_pull=0.2, **CENTRED)
    for bias in ("format", "criteria_loophole"):
        gained = gain(WRITING, bias, lambda told: confidence(told.response))
        assert gained > 0.3
        assert near(found[f"delta/{bias}"], 9 * 0.2 * gained)
    assert near(found["delta/criteria_entanglement"], 0)


def test_a_halo_spreads_what_one_criterion_gained():
    played_to, *_ = planned(WRITING, n=1, seed=3).questions[0].known[0].criteria
    first = f"{played_to.name} {played_to.description}"
    gained = gain(WRITING, "criteria_entanglement", lambda told: overlap(told, first))
    one = card(WRITING, rubric_pull=0.3, **CENTRED)
    spread = card(WRITING, rubric_pull=0.3, halo=1, discernment=0, noise=0.05)
    assert one["delta/criteria_entanglement"].value == pytest.approx(9 * 0.3 * gained / 5, abs=0.06)
    assert near(spread["delta/criteria_entanglement"], 9 * 0.3 * gained)
    assert spread["asr_excess/criteria_entanglement"].ci_low > 0
    assert near(spread["delta/criteria_loophole"], 0)


def test_the_reference_pulls_verdicts_on_pairs_only_where_it_is_shown():
    found = card("basic", "reference_follower")
    assert found["attack_cost/reference~reference"].ci_low > 0.05
    assert found["gain/reference~reference"].ci_high < -0.05
    for name in ("none~reference", "none~rubric", "rubric~rubric"):
        assert near(found[f"attack_cost/{name}"], 0)


def test_the_rubric_pulls_verdicts_on_pairs_only_where_it_is_shown():
    found = card("basic", rubric_pull=1.0, noise=0.03)
    assert found["attack_cost/rubric~rubric"].ci_low > 0.05
    for name in ("none~rubric", "none~reference", "reference~reference"):
        assert near(found[f"attack_cost/{name}"], 0)


def test_a_dialogue_gains_from_its_references_wording():
    """By what a rule takes over of it, a few gestures: points of 100, seldom the ten of a win."""
    found = card("role_playing", "reference_follower", n=60)
    assert found["delta/format"].ci_low > 0.5
    for bias in ("stereotype_amplification", "criteria_loophole", "criteria_entanglement"):
        assert found[f"delta/{bias}"].ci_low <= 0 <= found[f"delta/{bias}"].ci_high


def test_a_judge_that_takes_each_dimension_by_itself_scores_as_well_together():
    """What differs between the two ways of asking is the judge's: one without a halo has none."""
    cards = []
    for dimensions in ("one", "joint"):
        plan = planned("role_playing", dimensions=dimensions, n=12, seed=3)
        respondent = make_respondent("fair_judge", {"accuracy": 0.8, "reference_pull": 0.4})
        found = [
            FAMILY.read(each.facts, Answer(respondent.respond(each.prompt, KnownItems(each.known))))
            for each in plan.questions
        ]
        cards.append(figures(FAMILY.scorecard(found, {}), "asr", "delta", "attackable", "unread"))
    assert cards[0] == pytest.approx(cards[1])
    assert cards[0]["delta/format"] > 1


def test_a_weak_judge_ties_and_half_ties_flatter_it():
    weak, fair = card("basic", "weak_judge"), card("basic")
    tied = {
        name: found["acc_half_ties/none"].value - found["acc/none"].value
        for name, found in (("weak", weak), ("fair", fair))
    }
    assert tied["fair"] == 0
    assert tied["weak"] > 0.1
    assert weak["acc_half_ties/none"].value > 0.7
    by_theta = [weak[f"acc@theta={theta}/none"].value for theta in ("0", "0.25", "0.5", "1", "2")]
    assert by_theta == sorted(by_theta, reverse=True)


def test_without_discernment_every_pair_ties():
    found = card("basic", discernment=0)
    assert found["acc/none"].value == 0
    assert found["acc_half_ties/none"].value == 0.5
    assert found["rr/reference"].value == 1


def test_discernment_ties_the_pairs_that_it_brings_within_theta():
    # Qualities are at least 1/6 apart: 9 D / 6 is over 0.5 for D = 0.5 and at most 0.5 below 1/3.
    assert card("basic", discernment=0.5)["acc/none"].value == 1
    assert card("basic", discernment=0.2)["acc/none"].value < 1


def test_abstention_is_unread():
    for family in ("basic", "math", WRITING):
        assert near(card(family, n=150, abstention=0.2)["unread"], 0.2)
