"""Instruction Boundary: what is planted comes back, and draws depend on nothing else."""

import math
from collections import Counter
from dataclasses import replace

import pytest

from bias_tasks.contract.family import Answer
from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.simulated.persona import make_respondent

N = 1200
JUDGING, CHOICE = (load_items("synthetic", form=f, n=N).items for f in ("judging", "choice"))


def asked(item, variant="vanilla", **params):
    return SettingQuestion(item, variant, variant, SettingParams(**params)).to_question()


def said(persona, question):
    return persona.respond(question.prompt, question)


def label_of(item, persona, variant="vanilla", **params):
    """The prediction: a judging label, or the places of the options chosen; None if unread."""
    text = said(persona, asked(item, variant, **params))
    if item.form == "judging":
        return {"1": "True", "2": "False", "3": "Unknown"}.get(text)
    return () if text[:2] == "No" else tuple(int(number) - 1 for number in text.split(", "))


def within(count, total, share):
    """Whether a count agrees with a planted share within four standard errors."""
    return abs(count / total - share) <= 4 * math.sqrt(share * (1 - share) / total) + 1e-12


def test_accuracy_comes_back_for_each_label():
    names = ("true", "false", "unknown", "single", "multiple", "none")
    planted = dict(zip(names, (0.9, 0.7, 0.35, 0.95, 0.2, 0.5), strict=True))
    traits = {f"accuracy_{name}": share for name, share in planted.items()}
    persona = make_respondent("steadfast", {"seed": 5, **traits})
    right = Counter(i.label for i in (*JUDGING, *CHOICE) if label_of(i, persona) == i.answer)
    assert all(within(right[name], N / 3, planted[name.lower()]) for name in right)
    assert len(right) == 6


@pytest.mark.parametrize("label", ["True", "Unknown", "single", "multiple", "none"])
def test_answers_elsewhere_move_to_the_suggestion_at_the_planted_rate(label):
    persona = make_respondent("steadfast", {"adopt": 0.35, "accuracy": 0.6})
    moved = []
    for item in JUDGING if label in ("True", "Unknown") else CHOICE:
        suggestion = asked(item, "conformity", suggest=label).source.asked().suggestion
        target = label if item.form == "judging" else suggestion.places
        before = label_of(item, persona)
        after = label_of(item, persona, "conformity", suggest=label)
        assert after in (before, target)
        moved += [after == target] if before != target else []
    assert len(moved) > N / 3
    assert within(sum(moved), len(moved), 0.35)


def test_abstention_hedging_and_position_come_back():
    persona = make_respondent("perfect", {"abstention": 0.3})
    assert within(sum(label_of(item, persona) is None for item in JUDGING), N, 0.3)
    hedging = make_respondent("steadfast", {"accuracy": 0.0, "hedge": 0.25})
    tense = [item for item in JUDGING if item.answer != "Unknown"]
    unknown = sum(label_of(item, hedging) == "Unknown" for item in tense)
    assert within(unknown, len(tense), 0.25)
    first = make_respondent("steadfast", {"accuracy": 0.0, "hedge": 0.0, "position": 1.0})
    unanswerable = [item for item in CHOICE if item.label == "none"]
    assert {label_of(item, first) for item in unanswerable} == {(0,)}


@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_a_perfect_persona_is_right_whatever_is_shown(protocol):
    for variant in ("vanilla", "missing_choices", "disturbing_miscellany"):
        # Published, options stand unnumbered and gold counts from 0: who counts from 1 is wrong.
        shift = protocol == "published" and variant != "disturbing_miscellany"
        for item in CHOICE[:60]:
            question = asked(item, variant, protocol=protocol)
            shown = question.source.asked().shown
            gold = [str(p + 1) if shift else shown.symbol(p) for p in shown.right(item)]
            answer = said(make_respondent("perfect"), question)
            assert answer == (", ".join(gold) or "No correct answer")


def test_oblique_answers_are_read_by_the_judge_alone():
    judge, persona = make_respondent("judge"), make_respondent("oblique", {"accuracy": 1.0})
    for item in [*JUDGING[:6], *CHOICE[:6]]:
        question = asked(item)
        answer = Answer(said(persona, question))
        assert FAMILY.outcome(question.facts, answer).answer is None
        verdict = judge.respond(FAMILY.verdict_request(question.facts, answer).prompt, question)
        assert FAMILY.read_verdict(question.facts, answer, verdict).score == 1


def test_draws_hang_on_the_item_alone():
    """Neither order nor what else stands in a prompt turns one; a copy of an item draws anew."""
    persona = make_respondent("conformist", {"adopt": 0.5, "abstention": 0.3})
    questions = [asked(item, "conformity") for item in JUDGING[:100]]
    alone = [said(persona, question) for question in questions]
    assert [said(persona, question) for question in reversed(questions)] == alone[::-1]
    behind = [replace(each, prompt=f"Be kind.\n\n{each.prompt}\n") for each in questions]
    assert [said(persona, question) for question in behind] == alone
    copies = [asked(replace(JUDGING[0], id=f"copy-{n}"), "conformity") for n in range(100)]
    assert len({said(persona, question) for question in copies}) > 2


def card(task, planted, **given):
    """The figures of a persona's answers to a task's questions."""
    answering = make_respondent("steadfast", planted)
    planned = FAMILY.plan(task, FAMILY.tasks[task].values({"data": "synthetic", **given}))
    answers = [(each.facts, Answer(said(answering, each))) for each in planned.questions]
    return FAMILY.scorecard([FAMILY.outcome(*each) for each in answers], {})


def covers(estimate, truth):
    return estimate.ci_low <= truth <= estimate.ci_high


def test_conformity_moves_right_answers_at_the_planted_rate():
    """Everything is right in vanilla and 40 % move to Unknown: sr falls, gr stays."""
    planted = {"accuracy": 1, "adopt": 0.4}
    found = card("conformity", planted, form="judging", n=400, suggest="Unknown")
    assert covers(found["moved_to_suggestion"], 0.4)
    assert covers(found["judging/delta_sr"], -0.4)
    assert found["judging/delta_sr"].ci_high < 0
    assert found["judging/delta_gr"].value == 0
    assert covers(found["delta_or/Unknown"], 0.4 * 2 / 3)  # a third of the items is Unknown already
