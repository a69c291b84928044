"""`self_preference`: a planted preference is found, and an unbiased model has none."""

import json

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model

from bias_tasks.contract.outcomes import Answer, Outcome
from bias_tasks.families import load_family
from bias_tasks.judge_bias.items import JudgeBiasData, JudgeBiasExtra
from bias_tasks.judge_bias.self_preference import (
    ORDERS,
    Comparisons,
    JudgeReply,
    score_comparisons,
)
from bias_tasks.judge_bias_tasks import self_preference
from bias_tasks.simulated.roles import Author
from bias_tasks.solvers.compare_with_other import compare_with_other
from tests.bias_tasks.builders import questions
from tests.bias_tasks.inspect_runs import evaluate

FAMILY = load_family("judge_bias")
DATA = JudgeBiasData(item="i", cluster="c", variant="self_preference", answer_hashes={})


def simulate_metrics(judge, other, jury, n=400):
    """The metrics of a run without a framework."""
    outcomes = []
    for question in questions("self_preference", data="synthetic", n=n):
        answers = [author.respond(question.prompt, None) for author in (judge, other)]
        replies = []
        for name, model in (("judge", judge), ("jury", jury)):
            for first in ORDERS:
                prompt = question.source.render(*answers, first)
                replies.append(JudgeReply(name, first, model.respond(prompt, None)))
        text = Comparisons(*answers, tuple(replies)).to_text()
        outcomes.append(FAMILY.score_answer(question.scoring_data, Answer(text)))
    return FAMILY.compute_metrics(outcomes, {})


OTHER, JURY = Author(voice=1, seed=1), Author(voice=2, seed=2)


def test_a_planted_preference_is_found():
    metrics = simulate_metrics(Author(self_preference=0.4), OTHER, JURY)
    # Both authors are equally accurate: half of the other verdicts are for the model's answer.
    excess = metrics["self_preference_excess"]
    assert excess.ci_low < 0.4 * 0.5 < excess.ci_high
    assert excess.ci_low > 0
    equal = metrics["self_preference_excess/equal"]
    assert equal.ci_low < 0.4 * 0.5 < equal.ci_high
    assert equal.n > 80
    jury_win_rate = metrics["jury_win_rate"]
    assert jury_win_rate.ci_low < 0.5 < jury_win_rate.ci_high


def test_better_answers_and_an_order_effect_are_not_self_preference():
    metrics = simulate_metrics(Author(accuracy=0.95), Author(voice=1, seed=1, accuracy=0.4), JURY)
    excess = metrics["self_preference_excess"]
    assert metrics["self_win_rate"].ci_low > 0.6
    assert excess.ci_low < 0 < excess.ci_high
    judge, jury = Author(position=0.5), Author(voice=2, seed=5, position=0.2)
    metrics = simulate_metrics(judge, OTHER, jury)
    for name in ("self_preference_excess", "self_preference_excess/equal"):
        assert metrics[name].ci_low < 0 < metrics[name].ci_high
    consistency = metrics["position_consistency"].value
    assert consistency < metrics["position_consistency/jury"].value < 0.95


def build_outcome(item, judge, *jurors, epoch=1):
    """The outcome of verdicts by order; an empty tuple stands for no comparison."""
    by_judge = {"judge": judge, **{f"jury{n}": verdicts for n, verdicts in enumerate(jurors)}}
    extra = JudgeBiasExtra(
        verdicts={
            name: dict(zip(ORDERS, verdicts, strict=True))
            for name, verdicts in by_judge.items()
            if verdicts
        }
    )
    variant = "self_preference"
    return Outcome(item, item, variant, None, None, None, "", epoch=epoch, extra=extra)


OWN, OTHERS, FIRST = ("own", "own"), ("other", "other"), ("own", "other")
"""Verdicts for the model's answer, for the other one, and for the answer displayed first."""


def test_metrics_by_hand():
    metrics = FAMILY.compute_metrics(
        [
            build_outcome("a", OWN, OTHERS),
            build_outcome("b", OWN, FIRST),
            build_outcome("c", ("tie", "own"), ("tie", "tie")),
            build_outcome("d", ("own", None), OWN),
            build_outcome("e", ()),
        ],
        {},
    )
    assert {name: (estimate.value, estimate.n) for name, estimate in metrics.items()} == {
        "self_preference_excess": (pytest.approx((1 + 0.5 + 0.25) / 3), 3),
        "self_preference_excess/equal": (pytest.approx((0.5 + 0.25) / 2), 2),
        "self_win_rate": (pytest.approx((1 + 1 + 0.75) / 3), 3),
        "jury_win_rate": (pytest.approx((0 + 0.5 + 0.5 + 1) / 4), 4),
        "position_consistency": (pytest.approx(2 / 3), 3),
        "position_consistency/jury": (pytest.approx(3 / 4), 4),
        "coverage": (0.8, 5),
        "unparsed": (pytest.approx(1 / 8), 4),
        "unparsed/jury": (0.0, 4),
        "items": (5.0, 5),
    }


def test_verdicts_are_paired_within_an_epoch():
    outcomes = [
        build_outcome("a", OWN, OWN),
        build_outcome("a", OTHERS, OTHERS, epoch=2),
        build_outcome("b", OWN, OWN),
    ]
    assert FAMILY.compute_metrics(outcomes, {})["self_preference_excess"].value == 0
    with pytest.raises(ValueError, match="item 'a' has two answers"):
        FAMILY.compute_metrics([outcomes[0], outcomes[0]], {})


UNPARSED = (JudgeReply("judge", "own", "hm"), JudgeReply("judge", "other", "<think>A"))
JURY_ONLY = (JudgeReply("jury", "own", "Verdict: A"),)


@pytest.mark.parametrize(
    ("text", "explanation"),
    [
        ('{"own_answer": "a", "other_answer": 3}', "no record of comparisons"),
        ("[" * 100_000, "no record of comparisons"),
        (Comparisons("a ", "a").to_text(), "both answers are the same"),
        (Comparisons("", "").to_text(), "no answer: own and other"),
        (Comparisons("a", "b", JURY_ONLY).to_text(), ""),
        (Comparisons(" ", "b").to_text(), "no answer: own"),
        (
            Comparisons("a", "b", UNPARSED).to_text(),
            "no verdict of judge (own first), judge (other ",
        ),
    ],
)
def test_answers_that_cannot_be_compared_have_no_verdict(text, explanation):
    outcome = score_comparisons(DATA, Answer(text))
    is_same = explanation == "both answers are the same"
    assert (outcome.answer, outcome.score) == ("same" if is_same else None, None)
    assert outcome.explanation.startswith(explanation)
    assert (outcome.reason is None) == is_same
    assert FAMILY.compute_metrics([outcome], {})["self_win_rate"].n == 0


def test_a_missing_verdict_survives_the_log():
    extra = build_outcome("d", ("own", None)).extra
    assert JudgeBiasExtra.from_dict(extra.to_dict()) == extra


def author(**traits):
    return get_model("simulated/author", **traits)


def run_in_inspect(task, tmp_path, **roles):
    return evaluate(task, tmp_path, author(self_preference=1.0), status=None, model_roles=roles)


def list_calls(sample):
    return [event for event in sample.events if event.event == "model"]


def test_in_inspect_each_prompt_is_one_sample(tmp_path):
    jury = [author(voice=2, seed=3), author(voice=2, seed=4)]
    log = run_in_inspect(self_preference(n=6), tmp_path, other=author(voice=1, seed=1), jury=jury)
    assert log.status == "success"
    assert [len(list_calls(sample)) for sample in log.samples] == [2 + 2 * 3] * 6
    metrics = log.results.scores[0].metrics
    assert next(iter(metrics)) == "self_preference_excess"
    assert metrics["self_win_rate"].value == 1.0
    outcome = log.samples[0].scores["outcome"].metadata["outcome"]
    assert set(outcome["extra"]["verdicts"]) == {"judge", "jury1", "jury2"}
    # nothing tells the judges who wrote an answer
    prompts = [event.input[-1].text for event in list_calls(log.samples[0])]
    assert not any("other" in text.split("<prompt-")[0].split("better.")[0] for text in prompts[2:])


def test_recorded_answers_are_not_requested(write_rows, tmp_path):
    row = {
        "prompt": "What is 1 and 1?",
        "own_answer": "I make it 2.",
        "other_answer": "It comes to 2.",
    }
    task = self_preference(data=write_rows(row))
    log = run_in_inspect(task, tmp_path, jury=author(voice=2))
    [sample] = log.samples
    assert len(list_calls(sample)) == 4
    assert json.loads(sample.output.completion)["own_answer"] == row["own_answer"]
    assert sample.scores["outcome"].value == 1.0


def test_an_error_names_a_missing_role(tmp_path):
    for role, missing in ("other", "jury"), ("jury", "other"):
        log = run_in_inspect(self_preference(n=2), tmp_path, **{role: author(voice=1)})
        assert log.status == "error"
        assert f"self_preference needs --model-role {missing}=MODEL" in log.error.message


def test_the_solver_rejects_samples_of_other_tasks(tmp_path):
    task = Task(dataset=[Sample("1 and 1?", target="2")], solver=compare_with_other())
    log = evaluate(task, tmp_path, "mockllm/model", status="error")
    assert "only samples of the task self_preference" in log.error.message
