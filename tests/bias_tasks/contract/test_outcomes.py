"""What an answer came to is plain, and all that figures are made from: for every task."""

import json
import math
from dataclasses import replace
from hashlib import sha256

import pytest

from bias_tasks.contract.outcomes import Answer, Outcome
from bias_tasks.families import load_family
from bias_tasks.probing.items import variant_in_id
from tests.bias_tasks.contract.runs import SPECS, small

TASKS = [f"{family}/{spec.name}" for family, spec in SPECS]
TEXTS = (
    *("", " \n", "I can't help with that.", "Who knows?", "7", "Yes", "No", "**Unknown**", "[["),
    *("Final Answer: True", "Final Answer: 1, 3", "the answer is \\boxed{2}", "No correct answer"),
    *('{"score": 7}', '{"score": 11}', '{"first_error": 1}', '{"flaws": []}', "<ANSWER>4</ANSWER>"),
    *('```json\n{"score": 3}\n```', "- one\n- two", "é ₂ 🙂 \u2028", "\x00", "x" * 5000),
)


def planned(name, **given):
    family, _, task = name.partition("/")
    brought = load_family(family)
    return brought, brought.plan(task, brought.tasks[task].values(small(name, 2) | given))


def some_text(prompt):
    """One of the texts, as the prompt's hash says."""
    return TEXTS[int(sha256(prompt.encode()).hexdigest(), 16) % len(TEXTS)]


def through_json(value):
    return json.loads(json.dumps(value, allow_nan=False))


@pytest.mark.parametrize("name", TASKS)
def test_what_is_said_of_an_answer(name):
    """It goes to JSON and back, as its facts do; a refusal and silence change the reason alone."""
    family, plan = planned(name)
    for question in plan.questions[:6]:
        assert question.id == f"{question.item}/{variant_in_id(question.variant)}"
        values = through_json(question.scoring_data.to_dict())
        facts = family.scoring_data_type.from_dict(values)
        assert facts == question.scoring_data
        nothing = family.score_visible_text(facts, Answer())
        said = (nothing.item, nothing.cluster, nothing.variant)
        assert said == (question.item, question.cluster, question.variant)
        gold = facts.gold
        assert nothing.gold == (None if gold is None else str(gold))
        assert (nothing.answer, bool(nothing.reason), bool(nothing.explanation)) == (
            None,
            True,
            True,
        )
        for text in (*TEXTS, question.gold, f"Final Answer: {question.gold}"):
            silent, told, refused = (
                family.score_visible_text(facts, Answer(text, stop, epoch=2))
                for stop in (None, "stop", "refused")
            )
            assert silent == told
            assert replace(refused, reason=None) == replace(told, reason=None)
            if told.answer is None and told.reason is not None:
                assert refused.reason == "refusal"
            assert told.epoch == 2
            for outcome in (told, refused, family.example_outcome(facts)):
                assert (
                    Outcome.from_dict(through_json(outcome.to_dict()), type(outcome.extra))
                    == outcome
                )


def test_outcomes_of_likelihoods_go_through_json_and_back():
    brought = load_family("binary_qa")
    values = brought.tasks["binaryqa"].values(small("binary_qa/binaryqa"))
    for question in brought.plan("binaryqa", values, likelihoods=True).questions:
        for pair in ((-1.0, -2.0), (-2.0, -1.0), (-1.0, -1.0), (-math.inf, -1.0)):
            outcome = brought.score_visible_text(question.scoring_data, Answer(likelihoods=pair))
            assert (
                Outcome.from_dict(through_json(outcome.to_dict()), type(outcome.extra)) == outcome
            )
            likelier = None if pair[0] == pair[1] else ("Yes", "No")[pair[0] < pair[1]]
            assert outcome.answer == likelier


@pytest.mark.parametrize("name", TASKS)
def test_the_order_of_outcomes_makes_no_difference(name):
    family, plan = planned(name)
    found = [
        family.score_visible_text(
            question.scoring_data, Answer(some_text(f"{epoch}{question.prompt}"), epoch=epoch)
        )
        for question in plan.questions
        for epoch in (1, 2)
    ]
    assert family.compute_metrics([], {}) == {}
    one, other = family.compute_metrics(found, {}), family.compute_metrics(found[::-1], {})
    assert set(one) == set(other)
    for figure, estimate in one.items():
        assert estimate.value == pytest.approx(other[figure].value, abs=1e-9, nan_ok=True), figure
        assert estimate.n == other[figure].n
