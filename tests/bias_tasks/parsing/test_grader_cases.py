"""The task that tests graders on the paper's cases."""

import json

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks import grader_agreement
from bias_tasks.grader_cases_tasks import grader_cases
from bias_tasks.instruction_boundary.grader_cases import load_grader_cases
from bias_tasks.parsing.written_text import InvalidReplyError
from bias_tasks.statistics.rate_intervals import wilson
from tests.bias_tasks.mocks import mock

CATEGORIES = {"True": "__PROVED__", "False": "__DISPROVED__", "Unknown": "__UNKNOWN__"}
CASES = {case.prompt: case for case in load_grader_cases()}


def right(prompt):
    """Reply as appendix K asks."""
    gold = str(CASES[prompt].data.gold)
    return CATEGORIES.get(gold) or ("NO_ANSWER" if gold == "none" else gold.replace(" ", ""))


def silent_on_choice(prompt):
    return right(prompt) if "__PROVED__" in prompt else "I think it is 1, or 3."


def always_proved(prompt):
    return "__PROVED__" if "__PROVED__" in prompt else right(prompt)


def run(form, folder, **graders):
    roles = {role: mock(answer, role) for role, answer in graders.items()}
    [log] = inspect_eval(
        grader_cases(form),
        model=roles.pop("model", "none"),
        model_roles=roles,
        log_dir=str(folder),
        display="none",
    )
    assert log.status == "success", log.error
    assert [each.name for each in log.eval.scorers] == [grader_agreement.__name__]
    return log


def values(log):
    return {score.name: score.metrics["mean"].value for score in log.results.scores}


def test_the_cases_are_the_papers(golden):
    for form, letter, labels in (("judging", "h", CATEGORIES), ("choice", "m", None)):
        path = golden / f"instruction_boundary_appendix_{letter}.json"
        printed = {}
        for row in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            printed[row["response"]] = row.get("expected", row.get("parsed"))
        for name in ("", "1, 3, 4"):
            printed.pop(name, None)
        ours = {
            case.answer.text: labels[case.data.gold] if labels else [*case.data.options.gold]
            for case in load_grader_cases(form)
        }
        assert ours == printed
    assert [len(load_grader_cases(form)) for form in ("judging", "choice", "all")] == [19, 24, 43]


def test_a_right_grader_agrees_with_every_case_and_a_verdict_must_be_the_graders():
    for prompt, case in CASES.items():
        assert case.read_verdict(right(prompt)) == case.data.gold
        assert case.answer.text in prompt
        for reply in ("", "unreadable", "perhaps 1 or 3", "[" * 5000, "77"):
            with pytest.raises(InvalidReplyError):
                case.read_verdict(reply)


def test_agreement_with_gold_and_between_two_graders(tmp_path):
    """7 of 19 judging cases are True, and 24 of 43 cases have options."""
    log = run("judging", tmp_path / "a", grader=right, second_grader=always_proved)
    expected = {"agreement": 1, "agreement_second": 7 / 19, "between_graders": 7 / 19}
    assert values(log) == pytest.approx(expected)
    sample = log.samples[1]
    [score] = sample.scores.values()
    assert "states Unknown; the grader: Unknown; the second grader: True" in score.explanation
    # Without a role the evaluated model is the grader. Two that give no verdict do not agree.
    assert values(run("judging", tmp_path / "b", model=always_proved)) == {
        "agreement": pytest.approx(7 / 19)
    }
    silent = {"grader": silent_on_choice, "second_grader": silent_on_choice}
    log = run("all", tmp_path / "c", **silent)
    assert values(log)["agreement"] == values(log)["between_graders"] == pytest.approx(19 / 43)
    [metrics] = [row.metrics for row in log.results.scores if row.name == "between_graders"]
    bounds = {metric.name: metric.value for metric in metrics.values()}
    assert (bounds["ci_low"], bounds["ci_high"]) == pytest.approx(wilson(19 / 43, 43))
