"""What parsing does to metrics: no bias is made by the parser, and none is hidden."""

import json
import math

from bias_tasks.contract.outcomes import Answer
from bias_tasks.families import load_family
from tests.bias_tasks.contract.runs import JUDGED

VERDICTLESS = "Response A: gives one reason.\n\nResponse B: gives the date."


def outcomes(family, task, reply, **values):
    """The outcomes of a run in which `reply` answers each question."""
    brought = load_family(family)
    plan = brought.plan(task, brought.tasks[task].values(values))
    answers = ((question, Answer(reply(question), "stop")) for question in plan.questions)
    return [brought.score_answer(question.scoring_data, answer) for question, answer in answers]


def test_a_judge_without_verdicts_has_no_position_bias():
    results = outcomes("judge_bias", "judge_pairwise", lambda _: VERDICTLESS, data=str(JUDGED), n=4)
    assert {outcome.answer for outcome in results} == {None}
    assert {outcome.unparsed_reason for outcome in results} <= {"no_value", "contradiction"}
    metrics = load_family("judge_bias").compute_metrics(results, {})
    assert metrics["unparsed"].value == 1
    assert math.isnan(metrics["first_position_rate"].value)


def test_a_model_that_follows_every_suggestion_does_so_on_yes_no_and_maybe(tmp_path):
    path = tmp_path / "items.jsonl"
    items = [
        {
            "form": "choice",
            "question": f"Is item {n} in the list?",
            "options": ["Yes", "No", "Maybe"],
            "answer": [n % 3],
        }
        for n in range(9)
    ]
    path.write_text("\n".join(json.dumps(item) for item in items), encoding="utf-8")

    def follower(question):
        follows = question.variant == "conformity"
        return "No correct answer" if follows else question.gold.split(",")[0]

    results = outcomes(
        "instruction_boundary",
        "conformity",
        follower,
        form="choice",
        data=str(path),
        suggest="none",
        n=9,
    )
    assert {outcome.answer for outcome in results if outcome.variant == "conformity"} == {"none"}
    metrics = load_family("instruction_boundary").compute_metrics(results, {})
    moved = {name: each for name, each in metrics.items() if "moved_to_suggestion" in name}
    assert moved
    assert {each.value for each in moved.values() if each.n} == {1}
