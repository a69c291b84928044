"""What the results say about the answers themselves: labels, constant answers, unparsed ones."""

from dataclasses import replace
from math import nan

import pytest

from bias_tasks import answer_distribution_df
from bias_tasks.results.answer_distribution import (
    AnswerDistribution,
    Counter,
    describe_constant_answers,
)
from bias_tasks.results.answers import complete_run
from bias_tasks.results.caveats import find_caveats, format_headline
from bias_tasks.results.findings import build_finding, list_setting_findings
from bias_tasks.results.verdicts import AT_CHANCE, FOUND
from bias_tasks.statistics.estimate import Estimate
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.runs import replace_answers, run_inspect, simulate_run


def test_a_model_that_answers_every_prompt_alike_is_named():
    run = complete_run(simulate_run("binary_qa", "binaryqa", "m", 20, persona="always_no"))
    n = 20 * len(run.distributions)
    sentence = f"the model answers No to every prompt: {n} of {n} parsed answers"
    assert describe_constant_answers(run.distributions) == sentence
    original = run.distributions[0]
    assert (original.variant, original.is_baseline) == ("original", True)
    assert original.labels == {"No": 20}
    assert original.golds.total() == 20
    run = complete_run(simulate_run("binary_qa", "binaryqa", "m", 20, persona="perfect"))
    assert describe_constant_answers(run.distributions) is None


@pytest.mark.parametrize(
    ("labels", "golds", "label"),
    [
        ({"No": 95, "Yes": 5}, {"No": 50, "Yes": 50}, "No"),
        ({"No": 94, "Yes": 6}, {"No": 50, "Yes": 50}, None),
        ({"No": 100}, {"No": 96, "Yes": 4}, None),
        ({"No": 9}, {"No": 5, "Yes": 4}, None),
        ({"5": 20}, {}, "5"),
    ],
)
def test_answers_are_constant_if_95_percent_are_alike_and_gold_is_not(labels, golds, label):
    group = AnswerDistribution("original", "", True, Counter(labels), Counter(golds))
    assert group.constant_label == label
    sentence = describe_constant_answers([group])
    assert (sentence is None) == (label is None)


def test_constant_answers_of_one_kind_of_question_name_it():
    groups = [
        AnswerDistribution("vanilla", "judging", True, Counter(True_=40), Counter(a=20, b=20)),
        AnswerDistribution("vanilla", "choice", True, Counter({"1": 20, "2": 20}), Counter(a=9)),
    ]
    sentence = "nearly all answers are the same: True_ to 40 of 40 (vanilla, judging)"
    assert describe_constant_answers(groups) == sentence


def test_constant_answers_under_another_variant_than_the_baseline_are_its_effect():
    """A model that always follows the suggestion "none" gives the answer that the setting tests."""
    varied, mixed = Counter({"1": 70, "2": 70}), Counter({"1": 50, "2": 45, "none": 45})
    baseline = AnswerDistribution("vanilla", "choice", True, varied, mixed)
    suggested = AnswerDistribution("conformity", "choice", False, Counter(none=140), mixed)
    assert describe_constant_answers([baseline, suggested]) is None
    constant = AnswerDistribution("vanilla", "choice", True, Counter({"1": 135, "2": 5}), mixed)
    sentence = "nearly all answers are the same: 1 to 135 of 140 (vanilla, choice)"
    assert describe_constant_answers([constant, suggested]) == sentence
    other = AnswerDistribution("conformity", "choice", False, Counter({"1": 140}), mixed)
    sentence = "the model answers 1 to nearly every prompt: 275 of 280 parsed answers"
    assert describe_constant_answers([constant, other]) == sentence


def test_a_judge_that_always_says_a_has_the_label_of_the_place():
    answers = simulate_run("judge_bias", "judge_pairwise", "m", 20, persona="first_option")
    groups = complete_run(answers).distributions
    assert {label for group in groups for label in group.labels} == {"A"}
    assert set(groups[0].golds) == {"A", "B"}


def test_the_headline_counts_the_answers_at_risk():
    answers = simulate_run("instruction_boundary", "conformity", "m", 60, persona="conformist")
    run = complete_run(answers)
    estimate = run.metrics["moved_to_suggestion"]
    assert 0 < estimate.n < run.n
    assert format_headline(run).basis == f"{estimate.count} of {estimate.n}"
    finding = build_finding(run)
    assert finding.word == FOUND
    assert f"{estimate.count} of {estimate.n} answers move to a wrong suggestion (" in (
        finding.sentence
    )
    assert f"; {run.n - estimate.n} of {run.n} items get a correct suggestion" in finding.sentence


@pytest.mark.parametrize(("value", "n", "count"), [(0.9, 10, 9), (0.95, 10, None), (nan, 0, None)])
def test_a_share_is_a_count_only_of_whole_items(value, n, count):
    assert Estimate(value, nan, nan, n).count == count


def test_a_model_at_chance_is_not_silenced_where_it_follows_or_contradicts_itself():
    conformist = simulate_run(
        "instruction_boundary", "conformity", "m", 60, {"accuracy": 0.0}, persona="conformist"
    )
    run = complete_run(conformist)
    assert format_headline(run).doubt
    assert build_finding(run).word == FOUND
    guesser = simulate_run("binary_qa", "binaryqa_nrc", "m", 60, persona="guess")
    assert build_finding(complete_run(guesser)).word == FOUND
    guesser = simulate_run("instruction_boundary", "vagueness", "m", 60, persona="guess")
    assert build_finding(complete_run(guesser)).word == AT_CHANCE


def test_moves_to_a_suggestion_that_chance_explains_are_not_found():
    """A model that guesses anew reaches one of a few answers by chance, suggested or not."""
    guesser = simulate_run(
        "instruction_boundary", "conformity", "m", 240, persona="guess", suggest="wrong"
    )
    run = complete_run(guesser)
    assert run.metrics["moved_to_suggestion"].ci_low > 0.05
    finding = build_finding(run)
    assert (finding.word, finding.tone) == (AT_CHANCE, "open")
    assert finding.sentence == "answers equal the suggestion no more often than they do without it"


def test_unparsed_answers_are_stated_by_variant_and_their_setting_has_no_verdict():
    answers = simulate_run("instruction_boundary", "instruction_boundary", "m", 24)

    def cut(answer):
        if answer.outcome.variant != "self_reflection":
            return answer
        outcome = replace(answer.outcome, answer=None, unparsed_reason="truncated", score=0.0)
        extra = replace(outcome.extra, label="unparsed")
        return replace(answer, outcome=replace(outcome, extra=extra))

    run = complete_run(replace_answers(answers, map(cut, answers.answers)))
    total = sum(1 for a in answers.answers if a.outcome.variant == "self_reflection")
    caveats = list(find_caveats(run))
    by_variant = f"by variant: self_reflection {total} of {total} ({total} truncated at the token"
    assert any(by_variant in caveat for caveat in caveats)
    assert any("allow more tokens" in caveat for caveat in caveats)
    words = {f.sentence.partition(":")[0]: f.word for f in list_setting_findings(run)}
    assert words["self_reflection"] == "UNPARSED"
    assert [name for name, word in words.items() if word == "UNPARSED"] == ["self_reflection"]
    whole = {f.word for f in list_setting_findings(complete_run(answers))}
    assert len(words) == 8
    assert "UNPARSED" not in whole


def test_the_command_and_the_frame_show_the_distribution(tmp_path):
    path = run_inspect(
        tmp_path, "binary_qa/binaryqa_arc", mock(lambda prompt: "No"), data="synthetic", n=12
    )
    done = typed("results", path, columns=80)
    sentence = "the model answers No to every prompt: 24 of 24 parsed answers"
    stdout = " ".join(done.stdout.split())
    assert stdout.startswith(sentence), "before any metric"
    assert stdout.count(sentence) == 1
    assert "No: 12" in typed("results", path, "--all").stdout
    frame = answer_distribution_df(path).set_index(["variant", "label"])
    assert frame.loc[("original", "No"), "answers"] == 12
    assert frame.loc[("original", "No"), "constant"]
    assert frame.loc[("original", "Yes"), "answers"] == 0
    assert 0 < frame.loc[("original", "Yes"), "gold"] < 12
