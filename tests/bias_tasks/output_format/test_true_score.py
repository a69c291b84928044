"""The True score: what is read of answers that do not follow."""

import math
from dataclasses import replace

import pytest
from inspect_ai import score as inspect_score
from scipy.stats import t as student

from bias_tasks import output_format_tasks as tasks
from bias_tasks.contract.outcomes import Answer
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.items import FormatParams
from bias_tasks.output_format.metrics import MetricOptions
from bias_tasks.output_format.metrics_groups import compute_run_metrics
from bias_tasks.output_format.plan import FormatQuestion
from bias_tasks.scorers.outcome import outcome as outcome_scorer
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.output_format.runs import evaluated, make_items


def scoring_data(answer_type, format="bolding", **params):
    [item] = make_items(answer_type, 1, first=1)  # gold is B, `b 1`, or the number 2
    return FormatQuestion(item, format, FormatParams(**params)).scoring_data()


@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_the_option_that_an_answer_names_is_scored_though_it_does_not_follow(protocol):
    data = scoring_data("option_letter", protocol=protocol)
    for text, recovered_score in (
        ("The answer is B.", 1),
        ("b 1", 1),
        ("[[A]]", 0),
        ("A and B", 0),  # several are named: wrong, but read
        ("I do not know.", None),
        ("", None),
        ("**B**", None),  # follows: its score is the score
    ):
        outcome = FAMILY.score_visible_text(data, Answer(text))
        assert outcome.extra.recovered_score == recovered_score, text
        assert outcome.extra.follows == outcome.score == (text == "**B**"), text
    for answer_type in ("number", "text"):  # no parser reads a free answer outside of its format
        outcome = FAMILY.score_visible_text(scoring_data(answer_type), Answer("The answer is 2."))
        assert (outcome.extra.follows, outcome.extra.recovered_score) == (False, None)


def test_a_grader_reads_what_the_parser_does_not():
    data, answer = scoring_data("number"), Answer("That makes 1 + 1, so 2 apples.")
    request = FAMILY.verdict_request(data, answer)
    assert "the number that is the final answer" in request.prompt
    outcome = FAMILY.parse_verdict(data, answer, '{"verdict": "2"}')
    assert (outcome.answer, outcome.score, outcome.extra.follows) == (None, 0, False)
    assert (outcome.extra.graded, outcome.extra.recovered_score) == (True, 1)
    assert outcome.explanation.endswith("; a grader reads '2'")
    assert FAMILY.parse_verdict(data, answer, "3").extra.recovered_score == 0
    for reply in ("unreadable", "", '{"verdict": null}'):
        outcome = FAMILY.parse_verdict(data, answer, reply)
        assert (outcome.extra.graded, outcome.extra.recovered_score) == (False, None)
    options = scoring_data("option_letter")
    assert FAMILY.verdict_request(options, Answer("The answer is B.")) is None  # read by the parser
    answer = Answer("It may be the second one.")
    assert FAMILY.verdict_request(options, answer) is not None
    assert FAMILY.parse_verdict(options, answer, "B").extra.recovered_score == 1
    assert FAMILY.parse_verdict(options, answer, "the second").extra.recovered_score is None
    lists = FormatQuestion(make_items("string_list", 1)[0], "bullet", FormatParams())
    assert FAMILY.verdict_request(lists.scoring_data(), Answer("none of it")) is None


def test_a_run_with_a_grader_has_the_true_score_and_the_same_fi(tmp_path):
    rows = [
        {"id": f"q{i}", "input": f"What is {i} + 1?", "answer": i + 1, "answer_type": "number"}
        for i in range(4)
    ]
    path = str(write_jsonl(tmp_path / "mine.jsonl", rows))
    replies = ("**1**", "It is 2.", "It is 9.", "Who knows?")
    model = mock(lambda prompt: next(r for i, r in enumerate(replies) if f"is {i} + 1" in prompt))
    log = evaluated(tasks.format_wrapping(path, formats="bolding"), tmp_path, model)
    before = values(log)
    assert (before["fi/bolding"], before["sys/bolding"]) == (0.25, 0.25)
    assert (before["true_score_low/bolding"], before["true_score_high/bolding"]) == (0.25, 1)
    assert math.isnan(before["true_score/bolding"])

    def grade(prompt):
        return next((n for n in "29" if f"It is {n}." in prompt), "unreadable")

    [scorer] = log.eval.scorers
    graded = inspect_score(
        log,
        outcome_scorer(**scorer.options),
        model_roles={"grader": mock(grade, "grader")},
        action="overwrite",
    )
    after = values(graded)
    for name in ("fi", "sys", "est_true", "true_score_low", "true_score_high"):
        assert after[f"{name}/bolding"] == before[f"{name}/bolding"]
    assert after["true_score/bolding"] == pytest.approx(2 / 3)  # of 1, 2 and 9
    assert after["true_score_coverage/bolding"] == 0.75


def test_answers_of_several_epochs_count_as_the_mean_of_their_item():
    """Items of two epochs, of which 2, 1 and 1 answers follow: n is 2, their mean 0.75."""
    data = scoring_data("number")
    rows = [
        replace(
            FAMILY.score_visible_text(data, Answer("**2**" if follows else "", epoch=epoch)),
            **{"item": item, "cluster": item, "score": score},
        )
        for item, answers in {
            "a": [(1, 1), (1, 1)],
            "b": [(1, 0), (0, 0)],
            "c": [(1, 1), (0, 0)],
        }.items()
        for epoch, (follows, score) in enumerate(answers, 1)
    ]
    metrics = compute_run_metrics(rows, MetricOptions(moe=0.2))
    assert metrics["fi/bolding"].value == pytest.approx(2 / 3)
    assert metrics["est_true/bolding"].value == pytest.approx(3 / 4)
    # Squares around the mean: 1 * 1/16 + 1/2 * 9/16 + 1/2 * 1/16, over n - 1 = 1.
    spread = (student.ppf(0.975, 1) ** 2) * (1 / 16 + 9 / 32 + 1 / 32)
    needed = spread / (spread + 3 * 0.2**2)
    assert metrics["needed_fi/bolding"].value == pytest.approx(needed)
    assert metrics["reliable/bolding"].value == 0
