"""What stands in an outcome for a reader of logs."""

import pytest

from bias_tasks.family import Answer
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import LABELS


@pytest.mark.parametrize("form", ["judging", "choice"])
def test_gold_is_said_as_the_answer_is(form):
    """Both stand side by side: a right answer is the same text as gold, a wrong one is not."""
    spec = FAMILY.tasks["vanilla"]
    plan = FAMILY.plan("vanilla", spec.values({"form": form, "data": "synthetic", "n": 12}))
    golds = {question.gold for question in plan.questions}
    assert len(golds) > 2
    for question in plan.questions:
        for text in golds:
            said = "No correct answer" if text == "none" else text
            outcome = FAMILY.outcome(question.facts, Answer(f"Final Answer: {said}"))
            assert outcome.gold == question.gold
            assert (outcome.answer == outcome.gold) == (outcome.score == 1)
            assert outcome.own["gold_label"] in LABELS[form]
