"""Planted biases show in the changes of rates and outputs, and in contrasts within data sets."""

import pytest

from bias_tasks.family import Answer
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.personas import make_respondent


def card(task, persona="steadfast", planted=None, **given):
    """The figures of a respondent's answers to a task's questions."""
    respondent = make_respondent(persona, planted or {})
    planned = FAMILY.plan(task, FAMILY.tasks[task].values({"data": "synthetic", **given}))
    outcomes = [
        FAMILY.outcome(
            question.facts, Answer(respondent.respond(question.prompt, KnownItems(question.known)))
        )
        for question in planned.questions
    ]
    return FAMILY.scorecard(outcomes, {})


def covers(estimate, truth):
    return estimate.ci_low <= truth <= estimate.ci_high


def test_conformity_moves_right_tense_answers_at_the_planted_rate():
    """Everything is right in vanilla and 40 % move to Unknown: sr falls, gr stays."""
    found = card(
        "conformity",
        planted={"accuracy": 1, "adopt": 0.4},
        form="judging",
        n=400,
        suggest="Unknown",
    )
    assert covers(found["judging/delta_sr"], -0.4)
    assert found["judging/delta_gr"].value == 0
    assert covers(found["delta_or/Unknown"], 0.4 / 2)  # half of the items are Unknown already
    assert covers(found["delta_or/True"], -0.4 / 4)
    assert found["delta_or/unread"].value == found["delta_or/invalid"].value == 0
    assert found["judging/delta_sr"].ci_high < 0


def test_consensus_moves_choices_to_none():
    found = card("conformity", planted={"accuracy": 1, "adopt": 0.5}, form="choice", n=300)
    assert covers(found["choice/delta_sr"], -0.5)
    assert covers(found["choice/delta_gr_multiple"], -0.5)
    assert found["choice/delta_gr_none"].value == 0
    assert covers(found["delta_or/none"], 0.5 * 2 / 3)


def test_missing_choices_finds_who_never_says_that_none_is_right():
    """Hasty in all but single answers: the uncovered option is missed, the covering one found."""
    planted = {"accuracy": 1, "accuracy_none": 0, "hedge": 0}
    found = card("missing_choices", planted=planted, form="choice", n=90)
    assert found["vanilla/choice/acc"].value == 1
    assert found["choice/gr_none"].value == 0
    assert found["choice/sr"].value == found["choice/gr_multiple"].value == 1
    assert found["choice/delta_gr_none"].value == -1
    assert found["choice/gr_none"].n > 30  # of 30 without a right option, and half of the rest


def test_missing_choices_leaves_the_perfect_right():
    found = card("missing_choices", "perfect", form="choice", n=60)
    assert found["choice/acc"].value == found["vanilla/choice/acc"].value == 1


@pytest.mark.parametrize("form", ["judging", "choice"])
def test_self_reflection_is_answered_under_the_headings_that_it_asks_for(form):
    found = card("self_reflection", "perfect", form=form, n=12)
    assert found[f"{form}/acc"].value == 1
    assert found["unread"].value == 0


def test_within_data_sets_the_gap_is_the_planted_one(shared_data):
    """Right at 0.9 with one option right, 0.5 with none and 0.2 with several."""
    planted = {"accuracy_single": 0.9, "accuracy_none": 0.5, "accuracy_multiple": 0.2, "seed": 1}
    found = card(
        "vanilla", planted=planted, data="paper", form="choice", sources="ib_choice_within"
    )
    assert covers(found["choice/gap_none"], 0.5 - 0.9)
    assert covers(found["choice/gap_multiple"], 0.2 - 0.9)
    assert found["choice/gap_none"].n == 2 * 73
    assert found["choice/gap_multiple"].n == 2 * 150


def test_in_the_papers_choice_file_no_data_set_has_both_labels(shared_data):
    found = card("vanilla", data="paper", form="choice")
    assert found["choice/gap_none"].n == found["choice/gap_multiple"].n == 0
    judging = card("vanilla", planted={"accuracy": 0.7}, data="paper", form="judging", n=80)
    assert judging["judging/gap"].n == 80
