"""Metrics of judges, computed by hand."""

import pytest

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.judge_bias.items import JudgeBiasExtra
from bias_tasks.judge_bias.metrics import judge_bias_metrics
from bias_tasks.judge_bias.outcomes import compute_preferences, score_preference


def verdict(item, variant, answer, order=(1, 2), *, better=1, edited=2, epoch=1):
    gold = None if better is None else str(better)
    extra = JudgeBiasExtra(response_order=order, edited_response=edited)
    score = score_preference(answer, gold)
    return Outcome(item, item, variant, gold, answer, score, "", epoch=epoch, extra=extra)


def score(item, variant, response, value, *, better=1):
    extra = JudgeBiasExtra(
        response_order=(1, 2), edited_response=2, response=response, better_response=better
    )
    answer = None if value is None else str(value)
    return Outcome(item, item, f"{variant}/{response}", None, answer, value, "", extra=extra)


def both_orders(item, baseline, position, **options):
    """The verdicts at baseline and in the reverse order."""
    return [
        verdict(item, "baseline", baseline, **options),
        verdict(item, "position", position, (2, 1), **options),
    ]


def test_first_position_rate_over_both_orders():
    metrics = judge_bias_metrics(
        [
            *both_orders("a", "1", "1"),  # by content: once the first, once the second
            *both_orders("b", "1", "2"),  # the first twice
            *both_orders("c", "tie", "2"),  # half, and the first
            *both_orders("d", "2", None),  # unparsed in one order: excluded
            verdict("e", "baseline", None),
        ]
    )
    assert metrics["first_position_rate"].value == pytest.approx((0.5 + 1 + 0.75) / 3)
    assert metrics["first_position_rate"].n == 3
    assert metrics["acc_both_orders"].value == pytest.approx(1 / 4)
    assert metrics["tie_rate"].value == pytest.approx(1 / 4)
    assert metrics["unparsed"].value == pytest.approx(2 / 9)
    assert metrics["score/baseline"].value == pytest.approx((1 + 1 + 0.5 + 0 + 0) / 5)
    assert metrics["same_answer/position"].value == pytest.approx(1 / 3)
    assert metrics["same_answer/position"].n == 3


def test_preference_shift_is_toward_the_edited_response_which_a_control_swaps():
    metrics = judge_bias_metrics(
        [
            *(verdict("a", "baseline", "1"), verdict("a", "verbosity", "2")),  # to the worse
            *(verdict("b", "baseline", "1"), verdict("b", "verbosity", "tie")),  # halfway
            *(verdict("c", "baseline", "2"), verdict("c", "verbosity", None)),  # excluded
            *(verdict("a", "verbosity_control", "1"), verdict("b", "verbosity_control", "1")),
            verdict("c", "verbosity_control", "1"),  # to the better
        ]
    )
    assert metrics["preference_shift/verbosity"].value == pytest.approx((1 + 0.5) / 2)
    assert metrics["preference_shift/verbosity"].n == 2
    assert metrics["preference_shift/verbosity_control"].value == pytest.approx(1 / 3)
    assert metrics["preference_shift/verbosity_control"].ci_high > 1 / 3
    assert "score_change/verbosity_control" not in metrics
    assert "score/verbosity_control" not in metrics


def test_unlabelled_pairs_have_no_metrics_of_correctness():
    metrics = judge_bias_metrics(
        [
            *both_orders("a", "1", "2", better=None),
            verdict("a", "authority", "2", better=None),
        ]
    )
    assert {name.partition("/")[0] for name in metrics} == {
        *("max_answers_changed", "answers_changed", "same_answer", "coverage"),
        *("first_position_rate", "tie_rate", "preference_shift", "unparsed"),
    }
    assert metrics["preference_shift/authority"].value == 1
    assert metrics["first_position_rate"].value == 1


def test_a_preference_with_an_unparsed_score_is_not_a_changed_one():
    """One of both scores of a, b and c is unparsed, at baseline, in a repeat or under a probe."""
    outcomes = []
    for item, cut in zip("abcdef", ("baseline", "repeat1", "authority", *[""] * 3), strict=True):
        better = 2 if item == "f" else 1
        for variant in ("baseline", "repeat1", "authority"):
            moved = variant == "authority" and item == "d"
            scores = (4.0, 6.0) if moved or better == 2 else (6.0, 4.0)
            values = (scores[0], None if variant == cut else scores[1])
            outcomes += [
                score(item, variant, number, value, better=better)
                for number, value in enumerate(values, 1)
            ]
    metrics = judge_bias_metrics(outcomes)
    changed = metrics["answers_changed/authority"]
    assert (changed.value, changed.n) == (pytest.approx(1 / 3), 3)
    assert metrics["max_answers_changed"].value == changed.value
    change = metrics["score_change/authority"]
    assert (change.value, change.n) == (-1 / 4, 4)  # b counts: its baseline is parsed
    assert metrics["score/authority"].value == pytest.approx(4 / 6)  # c is wrong, and d is
    # Each of twelve responses is compared with itself. That of a and that of c is unparsed once.
    assert metrics["score_shift/authority"].n == 10


def test_scores_become_preferences():
    outcomes = [
        *(score("a", "baseline", 1, 7.0), score("a", "baseline", 2, 4.0)),
        *(score("a", "repeat1", 1, 5.0), score("a", "repeat1", 2, 5.0)),
        score("a", "verbosity", 2, 8.0),  # compared with the baseline score 7
        score("a", "formatting", 2, None),
        *(score("b", "baseline", 1, 3.0, better=2), score("b", "baseline", 2, 4.5, better=2)),
        score("b", "repeat1", 1, 3.0, better=2),  # the other answer is missing
    ]
    preferences = {
        (outcome.item, outcome.variant): (outcome.answer, outcome.score)
        for outcome in compute_preferences(outcomes)
    }
    assert preferences == {
        ("a", "baseline"): ("1", 1.0),
        ("a", "repeat1"): ("tie", 0.5),
        ("a", "verbosity"): ("2", 0.0),
        ("a", "formatting"): (None, 0.0),
        ("b", "baseline"): ("2", 1.0),
    }
    metrics = judge_bias_metrics(outcomes)
    assert metrics["score_shift/verbosity"].value == pytest.approx(4.0)
    assert metrics["score_shift/formatting"].n == 0
    assert metrics["unparsed"].n == 2


def test_a_duplicate_answer_is_an_error():
    with pytest.raises(ValueError, match="two answers under variant 'baseline'"):
        judge_bias_metrics([verdict("a", "baseline", "1"), verdict("a", "baseline", "2")])
    with pytest.raises(ValueError, match="two scores of response 1 under baseline in epoch 1"):
        judge_bias_metrics([score("a", "baseline", 1, 5.0), score("a", "baseline", 1, 6.0)])
    assert judge_bias_metrics([]) == {}
