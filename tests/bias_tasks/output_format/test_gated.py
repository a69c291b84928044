"""Any scorer behind a format: on foreign tasks, on ours, and on the command line of Inspect."""

import math

import pytest
from inspect_ai import Task
from inspect_ai import score as inspect_score
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, choice, exact, includes, match, mean, scorer
from inspect_ai.solver import generate

from bias_tasks.scorers.format_gated import format_gated
from bias_tasks.solvers.format_instruction import format_instruction
from bias_tasks.solvers.inspect_host import ScorerError
from bias_tasks.tasks import output_format as tasks
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.output_format.runs import evaluated

ANSWERS = ["**7**", "Surely **8**.", "7", "**7** or **8**"]
"""Follows and right, follows and wrong, right without the format, and twice."""


def sums(solver, scored, n=4, **sample):
    sample = {"input": "What is 3 + 4?", "target": "7"} | sample
    return Task(
        dataset=[Sample(id=f"s{i}", **sample) for i in range(n)], solver=solver, scorer=scored
    )


def run(task, answers, tmp_path, **options):
    return evaluated(task, tmp_path, mock(answers), max_samples=1, max_connections=1, **options)


def figures(log, place=0):
    assert log.status == "success", log.error
    return {name: metric.value for name, metric in log.results.scores[place].metrics.items()}


@scorer(metrics=[mean()])
def fixed(value):
    async def score(state, target):
        return None if value is None else Score(value=value)

    return score


def test_fi_sys_and_est_true_stand_beside_what_the_scorer_said(tmp_path):
    log = run(sums(format_instruction("bolding"), format_gated("match")), ANSWERS, tmp_path)
    found = figures(log)
    assert (found["fi"], found["sys"], found["est_true"]) == (0.5, 0.25, 0.5)
    assert (found["fi_n"], found["sys_n"], found["est_true_n"]) == (4, 4, 2)
    scores = [sample.scores["format_gated"] for sample in log.samples]
    assert [score.answer for score in scores] == ["7", "8", None, None]
    assert scores[0].metadata["value"] == "C"
    assert [score.reason for score in scores[2:]] == ["invalid_response_format"] * 2


def test_what_is_handed_on_is_a_choice_or_a_text(tmp_path):
    sample = {"choices": ["six", "eight", "seven"], "target": "B"}
    task = sums(format_instruction("text"), format_gated(choice()), n=2, **sample)
    log = run(task, ["eight", "six or eight"], tmp_path)
    assert figures(log)["sys"] == 0.5
    assert log.samples[0].messages[-1].text == "eight"
    task = sums(format_instruction("python"), format_gated(exact()), n=1, target="a, b")
    assert figures(run(task, ["['a', 'b']"], tmp_path))["sys"] == 1


def test_an_unscored_sample_stays_unscored_and_epochs_average(tmp_path):
    for nothing in (None, math.nan):
        task = sums(format_instruction("bolding"), format_gated(fixed(nothing)), n=2)
        log = run(task, ["**7**", "7"], tmp_path)
        assert math.isnan(log.samples[0].scores["format_gated"].value)
        assert figures(log)["fi_n"] == 1
    task = sums(format_instruction("bolding"), format_gated(match()), n=1)
    found = figures(run(task, ["**7**", "7"], tmp_path, epochs=2))
    assert (found["fi"], found["sys"], found["est_true"], found["fi_n"]) == (0.5, 0.5, 1, 1)


def test_a_format_that_nobody_asked_for_is_named_or_an_error(tmp_path):
    log = run(sums(generate(), format_gated(match())), ANSWERS, tmp_path)
    assert log.status == "error"
    assert "name the format with format=" in log.error.message
    named = run(sums(generate(), format_gated(match(), format="bolding")), ANSWERS, tmp_path)
    assert figures(named)["fi"] == 0.5


def test_our_own_samples_know_their_format(tmp_path):
    """The task's own metrics stay in force, and name each format."""
    log = evaluated(tasks.format_wrapping(data="synthetic", n=2), tmp_path, "simulated/perfect")
    found = figures(inspect_score(log, format_gated(includes()), action="overwrite"))
    assert (found["fi/bolding"], found["fi/brackets"], found["items"]) == (1, 1, 2)


def test_a_scorer_that_cannot_be_made_is_one_clear_error():
    for arguments, said in (
        ({"scorer": "no_such"}, "no_such was not found"),
        ({"scorer": "match", "locatio": "end"}, "locatio"),
        ({"scorer": match(), "location": "end"}, "takes no location beside a scorer"),
    ):
        with pytest.raises(ScorerError, match=said):
            format_gated(**arguments)
