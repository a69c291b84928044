"""Instruction Boundary: metrics recover planted traits, and draws depend on the item only."""

from collections import Counter
from dataclasses import replace

import pytest

from bias_tasks.contract.outcomes import Answer
from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.simulated.persona import make_simulated_model
from tests.bias_tasks.simulated.runs import agrees, simulate_metrics

N = 1200
JUDGING, CHOICE = (load_items("synthetic", form=f, n=N).items for f in ("judging", "choice"))


def build_question(item, variant="vanilla", **params):
    return SettingQuestion(item, variant, variant, SettingParams(**params)).to_question()


def respond(persona, question):
    return persona.respond(question.prompt, question)


def predict(item, persona, variant="vanilla", **params):
    """The predicted judging label, or the indices of the chosen options; None if unparsed."""
    text = respond(persona, build_question(item, variant, **params))
    if item.form == "judging":
        return {"1": "True", "2": "False", "3": "Unknown"}.get(text)
    return () if text[:2] == "No" else tuple(int(number) - 1 for number in text.split(", "))


def test_accuracy_is_recovered_for_each_label():
    names = ("true", "false", "unknown", "single", "multiple", "none")
    planted = dict(zip(names, (0.9, 0.7, 0.35, 0.95, 0.2, 0.5), strict=True))
    traits = {f"accuracy_{name}": share for name, share in planted.items()}
    persona = make_simulated_model("steadfast", {"seed": 5, **traits})
    right = Counter(i.label for i in (*JUDGING, *CHOICE) if predict(i, persona) == i.answer)
    assert all(agrees(3 * right[name] / N, planted[name.lower()], N / 3) for name in right)
    assert len(right) == 6


@pytest.mark.parametrize("label", ["True", "Unknown", "single", "multiple", "none"])
def test_other_answers_move_to_the_suggestion_at_the_planted_rate(label):
    persona = make_simulated_model("steadfast", {"adopt": 0.35, "accuracy": 0.6})
    moved = []
    for item in JUDGING if label in ("True", "Unknown") else CHOICE:
        suggestion = build_question(item, "conformity", suggest=label).source.render().suggestion
        target = label if item.form == "judging" else suggestion.indices
        before = predict(item, persona)
        after = predict(item, persona, "conformity", suggest=label)
        assert after in (before, target)
        moved += [after == target] if before != target else []
    assert len(moved) > N / 3
    assert agrees(sum(moved) / len(moved), 0.35, len(moved))


def test_abstention_hedging_and_position_are_recovered():
    persona = make_simulated_model("perfect", {"abstention": 0.3})
    assert agrees(sum(predict(item, persona) is None for item in JUDGING) / N, 0.3, N)
    hedging = make_simulated_model("steadfast", {"accuracy": 0.0, "hedge": 0.25})
    answerable = [item for item in JUDGING if item.answer != "Unknown"]
    unknown = sum(predict(item, hedging) == "Unknown" for item in answerable)
    assert agrees(unknown / len(answerable), 0.25, len(answerable))
    first = make_simulated_model("steadfast", {"accuracy": 0.0, "hedge": 0.0, "position": 1.0})
    unanswerable = [item for item in CHOICE if item.label == "none"]
    assert {predict(item, first) for item in unanswerable} == {(0,)}


@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_a_perfect_persona_is_correct_whichever_options_are_displayed(protocol):
    for variant in ("vanilla", "missing_choices", "disturbing_miscellany"):
        # Published options have no numbers and gold counts from 0; the persona counts from 1.
        shift = protocol == "published" and variant != "disturbing_miscellany"
        for item in CHOICE[:60]:
            question = build_question(item, variant, protocol=protocol)
            options = question.source.render().options
            gold = [str(p + 1) if shift else options.symbol(p) for p in options.gold]
            answer = respond(make_simulated_model("perfect"), question)
            assert answer == (", ".join(gold) or "No correct answer")


def test_only_the_grader_parses_oblique_answers():
    grader, persona = (
        make_simulated_model("grader"),
        make_simulated_model("oblique", {"accuracy": 1.0}),
    )
    for item in [*JUDGING[:6], *CHOICE[:6]]:
        question = build_question(item)
        answer = Answer(respond(persona, question))
        assert FAMILY.score_answer(question.scoring_data, answer).answer is None
        verdict = grader.respond(
            FAMILY.verdict_request(question.scoring_data, answer).prompt, question
        )
        assert FAMILY.parse_verdict(question.scoring_data, answer, verdict).score == 1


def test_draws_depend_on_the_item_only():
    """Order and other text in a prompt do not change a draw; a copy of an item has other draws."""
    persona = make_simulated_model("conformist", {"adopt": 0.5, "abstention": 0.3})
    questions = [build_question(item, "conformity") for item in JUDGING[:100]]
    alone = [respond(persona, question) for question in questions]
    assert [respond(persona, question) for question in reversed(questions)] == alone[::-1]
    longer = [
        replace(question, prompt=f"Be kind.\n\n{question.prompt}\n") for question in questions
    ]
    assert [respond(persona, question) for question in longer] == alone
    copies = [build_question(replace(JUDGING[0], id=f"copy-{n}"), "conformity") for n in range(100)]
    assert len({respond(persona, question) for question in copies}) > 2


def covers(estimate, truth):
    return estimate.ci_low <= truth <= estimate.ci_high


def test_conformity_moves_correct_answers_at_the_planted_rate():
    """All answers are correct in vanilla and 40 % move to Unknown: sr falls, gr stays."""
    planted = {"accuracy": 1, "adopt": 0.4}
    params = {"form": "judging", "n": 400, "suggest": "Unknown"}
    metrics = simulate_metrics("conformity", traits=planted, **params)
    assert covers(metrics["moved_to_suggestion"], 0.4)
    assert covers(metrics["judging/delta_sr"], -0.4)
    assert metrics["judging/delta_sr"].ci_high < 0
    assert metrics["judging/delta_gr"].value == 0
    assert covers(
        metrics["delta_or/Unknown"], 0.4 * 2 / 3
    )  # a third of the items is Unknown already
