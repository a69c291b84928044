"""Agreement of a judge with human labels, computed by hand and by other libraries."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.families import load_family
from bias_tasks.judge_bias.items import JudgeBiasExtra

FAMILY = load_family("judge_bias")


def verdict(item, answer, human_labels, order=(1, 2)):
    extra = JudgeBiasExtra(response_order=order, edited_response=1, human_labels=human_labels)
    return Outcome(item, item, "baseline", None, answer, None, "", extra=extra)


def score_both(item, scores, human_labels):
    outcomes = []
    for number, value in enumerate(scores, start=1):
        extra = JudgeBiasExtra(
            response_order=(1, 2), edited_response=1, response=number, human_labels=human_labels
        )
        variant, answer = f"baseline/{number}", str(value)
        outcomes.append(Outcome(item, item, variant, None, answer, value, "", extra=extra))
    return outcomes


def test_agreement_and_kappa_by_hand():
    metrics = FAMILY.compute_metrics(
        [
            verdict("a", "1", (3, 1)),
            verdict("b", "2", (3, 1)),
            verdict("c", "tie", (1, 2)),
            verdict("d", "1", (5, 5)),
            verdict("e", None, (1, 0)),
            # displayed in the reverse order: people prefer the second one
            verdict("f", "1", (2, 1), order=(2, 1)),
        ],
        {},
    )
    assert (metrics["human_agreement"].value, metrics["human_agreement"].n) == (2.5 / 5, 5)
    people = ["first", "first", "second", "tie", "second"]
    judge = ["first", "second", "tie", "first", "second"]
    assert metrics["human_kappa"].value == pytest.approx(cohen_kappa_score(people, judge))
    # observed 2/5; by chance (2 * 2 + 2 * 2 + 1 * 1) / 25
    assert metrics["human_kappa"].value == pytest.approx((2 / 5 - 9 / 25) / (1 - 9 / 25))
    assert metrics["human_kappa"].n == 5


def test_scores_correlate_with_human_labels():
    rows = [(1, 4, (1.0, 2.0)), (6, 5, (4.0, 5.0)), (9, 9, (7.0, 3.0))]
    outcomes = [
        outcome
        for number, (first, second, human_labels) in enumerate(rows)
        for outcome in score_both(str(number), (first, second), human_labels)
    ]
    metrics = FAMILY.compute_metrics(outcomes, {})
    judge, people = [1, 4, 6, 5, 9, 9], [1, 2, 4, 5, 7, 3]
    assert metrics["human_spearman"].value == pytest.approx(spearmanr(judge, people).statistic)
    unexplained = 1 - np.corrcoef(judge, people)[0, 1] ** 2
    assert metrics["human_unexplained"].value == pytest.approx(unexplained)
    for name in ("human_spearman", "human_unexplained"):
        assert metrics[name].n == 6
        assert metrics[name].ci_low < metrics[name].value < metrics[name].ci_high
    # one pair agrees with people, one does not, and the tie counts as half
    assert metrics["human_agreement"].value == pytest.approx(0.5)
