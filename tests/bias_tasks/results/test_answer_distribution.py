"""What the results say about the answers themselves: labels, constant answers, unparsed ones."""

from dataclasses import replace
from math import nan

import pytest

from bias_tasks import answer_distribution_df
from bias_tasks.contract.outcomes import Answer
from bias_tasks.results.answer_distribution import (
    AnswerDistribution,
    Counter,
    describe_constant_answers,
)
from bias_tasks.results.answers import complete_run
from bias_tasks.results.caveats import find_caveats, format_headline
from bias_tasks.results.findings import build_finding, list_setting_findings
from bias_tasks.statistics.estimate import Estimate
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.runs import replace_answers, run_inspect, simulate_run


def simulate(family, task, *arguments, **options):
    return complete_run(simulate_run(family, task, "m", *arguments, **options))


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
    assert (describe_constant_answers([group]) is None) == (label is None)


def test_constant_answers_name_the_kind_of_question_and_other_variants_only_if_they_agree():
    """A model that always follows the suggestion "none" gives the answer that the setting tests."""
    mixed = Counter({"1": 50, "2": 45, "none": 45})
    right = Counter({"1": 49})

    def describe(baseline, suggested, *variant):
        groups = [
            AnswerDistribution("vanilla", "choice", True, Counter(baseline), mixed, right),
            AnswerDistribution("conformity", "choice", False, Counter(suggested), mixed, right),
        ]
        return describe_constant_answers(groups)

    assert describe({"1": 70, "2": 70}, {"none": 140}) is None
    sentence = "answers 1 to 135 of 140 prompts: 35 % right (vanilla, choice)"
    assert describe({"1": 135, "2": 5}, {"none": 140}) == sentence
    sentence = "answers 1 to 275 of 280 prompts: 35 % right"
    assert describe({"1": 135, "2": 5}, {"1": 140}) == sentence
    sentence = "answers 1 to all 280 prompts: 35 % right, as by chance"
    assert describe({"1": 140}, {"1": 140}) == sentence
    groups = [AnswerDistribution("vanilla", "", True, Counter(A=77), unparsed=Counter(form=23))]
    assert describe_constant_answers(groups) == "answers A to 77 of 100 prompts (23 unparsed)"


def test_a_judge_that_always_says_a_has_the_label_of_the_place():
    groups = simulate("judge_bias", "judge_pairwise", 20, persona="first_option").distributions
    assert {label for group in groups for label in group.labels} == {"A"}
    assert set(groups[0].golds) == {"A", "B"}


@pytest.mark.parametrize(("value", "n", "count"), [(0.9, 10, 9), (0.95, 10, None), (nan, 0, None)])
def test_a_share_is_a_count_only_of_whole_items(value, n, count):
    assert Estimate(value, nan, nan, n).count == count


def test_the_headline_counts_the_answers_at_risk():
    run = simulate("instruction_boundary", "conformity", 60, {"accuracy": 0.5}, "conformist")
    estimate = run.metrics["moved_to_suggestion"]
    assert 0 < estimate.n < run.n
    assert format_headline(run).basis == f"{estimate.count} of {estimate.n}"
    finding = build_finding(run)
    moves = f"{estimate.count} of {estimate.n} other answers switch to a wrong suggestion ("
    assert (finding.word, moves in finding.sentence) == ("FOUND", True)


@pytest.mark.parametrize(
    ("task", "options", "word"),
    [
        ("conformity", {"persona": "conformist", "traits": {"accuracy": 0.0}}, "FOUND"),
        ("vagueness", {"persona": "guess"}, "AT CHANCE"),
        # A model that guesses anew reaches one of a few answers by chance, suggested or not.
        ("conformity", {"persona": "guess", "suggest": "wrong", "n": 240}, "AT CHANCE"),
    ],
)
def test_a_model_at_chance_is_not_silenced_where_it_follows_a_suggestion(task, options, word):
    run = simulate("instruction_boundary", task, **{"n": 60, **options})
    finding = build_finding(run)
    assert (finding.word, bool(format_headline(run).doubt)) == (word, True)
    if "suggest" in options:
        assert run.metrics["moved_to_suggestion"].ci_low > 0.05
        control = "answers equal the suggestion no more often than they do without it"
        assert (finding.tone, finding.sentence) == ("open", control)


def test_a_model_at_chance_is_not_silenced_where_it_contradicts_itself():
    run = simulate("binary_qa", "binaryqa_nrc", 60, persona="guess")
    assert build_finding(run).word == "FOUND"


def test_unparsed_answers_are_stated_by_variant_and_their_setting_has_no_verdict():
    answers = simulate_run("instruction_boundary", "instruction_boundary", "m", 24)

    def cut(answer):
        if answer.outcome.variant != "self_reflection":
            return answer
        family = answers.run.family
        outcome = family.score_answer(answer.scoring_data, Answer("Well, the", "truncated"))
        return replace(answer, outcome=outcome)

    run = complete_run(replace_answers(answers, map(cut, answers.answers)))
    total = sum(a.outcome.variant == "self_reflection" for a in answers.answers)
    [caveat] = [text for text in find_caveats(run) if "by variant: " in text]
    assert f"self_reflection {total} of {total} ({total} truncated at the token" in caveat
    assert "allow more tokens" in caveat
    words = {f.sentence.partition(":")[0]: f.word for f in list_setting_findings(run)}
    assert len(words) == 8
    assert [name for name, word in words.items() if word == "UNPARSED"] == ["self_reflection"]
    whole = {f.word for f in list_setting_findings(complete_run(answers))}
    assert "UNPARSED" not in whole


def test_the_command_and_the_frame_show_the_distribution(tmp_path):
    path = run_inspect(
        tmp_path, "binary_qa/binaryqa_arc", mock(lambda prompt: "No"), data="synthetic", n=12
    )
    stdout = " ".join(typed("results", path, columns=80).stdout.split())
    sentence = "answers No to all 24 prompts: 50 % right, as by chance"
    assert (stdout.find(sentence), stdout.count(sentence)) == (0, 1), "before any metric"
    assert "No: 12" in typed("results", path, "--all").stdout
    frame = answer_distribution_df(path).set_index(["variant", "label"])
    no, yes = (frame.loc[("original", label)] for label in ("No", "Yes"))
    assert (no["answers"], no["constant"], yes["answers"]) == (12, True, 0)
    assert 0 < yes["gold"] < 12
