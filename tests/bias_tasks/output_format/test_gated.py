"""`format_gated` on other packages' tasks, on our tasks, and on the command line of Inspect."""

import math

import pytest
from click.testing import CliRunner
from inspect_ai import Task
from inspect_ai import score as inspect_score
from inspect_ai._cli.main import inspect as inspect_command
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import Score, choice, exact, f1, includes, match, mean, scorer
from inspect_ai.solver import generate, multiple_choice

from bias_tasks import output_format_tasks as tasks
from bias_tasks.scorers.format_gated import format_gated
from bias_tasks.solvers.format_instruction import format_instruction
from bias_tasks.solvers.inspect_api import ScorerError
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.output_format.runs import evaluated

ANSWERS = ["**7**", "Surely **8**.", "7", "**7** or **8**"]
"""Correct in the format, wrong in the format, correct without the format, and two answers."""
BOLDING = [format_instruction("bolding"), generate()]
SHOW = multiple_choice(template="{question}\n\n{choices}")


def sums(solver, scored, n=4, **sample):
    sample = {"input": "What is 3 + 4?", "target": "7"} | sample
    return Task(
        dataset=[Sample(id=f"s{i}", **sample) for i in range(n)], solver=solver, scorer=scored
    )


def run(task, answers, tmp_path, **options):
    return evaluated(task, tmp_path, mock(answers), max_samples=1, max_connections=1, **options)


def metrics(log, index=0):
    assert log.status == "success", log.error
    return {name: metric.value for name, metric in log.results.scores[index].metrics.items()}


def shares(log, index=0):
    return tuple(metrics(log, index)[name] for name in ("fi", "sys", "est_true"))


@scorer(metrics=[mean()])
def fixed(value):
    async def score(state, target):
        return None if value is None else Score(value=value)

    return score


@pytest.mark.parametrize("wrapped", ["match", f1()])
def test_the_score_has_the_metrics_and_the_result_of_the_scorer(wrapped, tmp_path):
    log = run(sums(BOLDING, format_gated(wrapped)), ANSWERS, tmp_path)
    found = metrics(log)
    assert shares(log) == (0.5, 0.25, 0.5)
    assert (found["fi_n"], found["sys_n"], found["est_true_n"]) == (4, 4, 2)
    for name in ("fi", "sys", "est_true"):
        assert 0 <= found[f"{name}_ci_low"] < found[name] < found[f"{name}_ci_high"] <= 1
    scores = [sample.scores["format_gated"] for sample in log.samples]
    assert [score.answer for score in scores] == ["7", "8", None, None]
    assert scores[0].metadata["value"] in ("C", 1.0)
    assert [score.reason for score in scores[2:]] == ["invalid_response_format"] * 2


def test_the_scorer_gets_a_choice_or_a_text(tmp_path):
    sample = {"choices": ["six", "eight", "seven"], "target": "B"}
    task = sums([format_instruction("text"), SHOW], format_gated(choice()), n=2, **sample)
    log = run(task, ["eight", "six or eight"], tmp_path)
    assert metrics(log)["sys"] == 0.5
    assert log.samples[0].messages[-1].text == "eight"
    for name, answer, text in (
        ("python", "['a', 'b']", "a, b"),
        ("json", '{"Name": ["a", "b"]}', '{"Name": ["a", "b"]}'),
    ):
        asking = [format_instruction(name, keys="Name" if name == "json" else None), generate()]
        task = sums(asking, format_gated(exact()), n=1, target=text)
        assert metrics(run(task, [answer], tmp_path))["sys"] == 1


def test_an_unscored_sample_stays_unscored_and_epochs_average(tmp_path):
    for nothing in (None, math.nan):
        task = sums(BOLDING, format_gated(fixed(nothing)), n=2)
        log = run(task, ["**7**", "7"], tmp_path)
        assert math.isnan(log.samples[0].scores["format_gated"].value)
        assert metrics(log)["fi_n"] == 1
    task = sums(BOLDING, format_gated(match()), n=1)
    log = run(task, ["**7**", "7"], tmp_path, epochs=2)
    assert (*shares(log), metrics(log)["fi_n"]) == (0.5, 0.5, 1, 1)


def test_without_a_requested_format_the_argument_is_required(tmp_path):
    log = run(sums(generate(), format_gated(match())), ANSWERS, tmp_path)
    assert log.status == "error"
    assert "name the format with format=" in log.error.message
    named = run(sums(generate(), format_gated(match(), format="bolding")), ANSWERS, tmp_path)
    assert metrics(named)["fi"] == 0.5


def test_our_own_samples_know_their_format(tmp_path):
    """The task's own metrics are computed for each format."""
    log = evaluated(tasks.format_wrapping(data="synthetic", n=2), tmp_path, "simulated/perfect")
    found = metrics(inspect_score(log, format_gated(includes()), action="overwrite"))
    assert (found["fi/bolding"], found["fi/brackets"], found["items"]) == (1, 1, 2)


def test_a_scorer_that_cannot_be_created_is_one_clear_error():
    for arguments, message in (
        ({"scorer": "no_such"}, "no_such was not found"),
        ({"scorer": "match", "locatio": "end"}, "locatio"),
        ({"scorer": match(), "location": "end"}, "takes no location with a scorer"),
    ):
        with pytest.raises(ScorerError, match=message):
            format_gated(**arguments)


def test_a_log_is_scored_again_from_the_command_line(tmp_path):
    log = run(sums(BOLDING, includes()), ANSWERS, tmp_path)
    assert metrics(log)["accuracy"] == 0.75
    chosen = ["--scorer", "bias_tasks/format_gated", "-S", "scorer=match", "-S", "location=exact"]
    how = ["--action", "append", "--overwrite", "--display", "none"]
    done = CliRunner().invoke(inspect_command, ["score", log.location, *chosen, *how])
    assert done.exit_code == 0, done.output
    again = read_eval_log(log.location)
    assert metrics(again, 0)["accuracy"] == 0.75
    assert shares(again, 1) == (0.5, 0.25, 0.5)
    options = again.eval.scorers[-1].options
    assert options["scorer"] == "match"
