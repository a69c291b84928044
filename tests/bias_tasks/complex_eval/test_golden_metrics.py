"""The paper's printed tables, as far as arithmetic can check them."""

import json

import pytest

from bias_tasks.complex_eval.metrics_attacks import BETAS
from bias_tasks.complex_eval.metrics_basic import compute_pair_metrics
from tests.bias_tasks.complex_eval.runs import build_pairs

PRINTED_CHANGES = {
    "qwen2.5-32b": (2.67, -0.25, -0.47, -0.59),
    "deepseek-v3": (4.74, 0.54, -1.66, -0.88),
    "gpt-4o-mini": (3.12, 3.28, -0.19, -0.11),
    "qwq-32b": (4.00, 1.68, -1.15, -2.16),
    "deepseek-r1": (0.57, 0.40, -4.50, -2.21),
    "o4-mini": (2.75, 0.57, -1.00, -0.14),
}
"""Tables 2 and 3: change of accuracy with reference and rubric on original and attacked pairs."""


@pytest.fixture
def tables(golden):
    return json.loads((golden / "complex_eval_tables.json").read_text(encoding="utf-8"))


N = 1000
STEP = 100 / N
"""Percent of one pair."""


def build_scores(correct, ties=0, n=N):
    """Return scores of both responses with these counts of correct verdicts and ties."""
    wrong = n - correct - ties
    return [8] * correct + [5] * (n - correct), [5] * (correct + ties) + [8] * wrong


def build_run(percent, aux="none"):
    return build_pairs(*build_scores(round(percent / STEP)), aux)


def test_thresholds_are_those_of_the_paper(tables):
    metrics = compute_pair_metrics(build_pairs([6.5, 6.75], [6, 6]))
    assert metrics["acc/none"] == metrics[f"acc@theta={tables['theta']}/none"]
    assert metrics["acc/none"].value == 0.5
    assert dict(BETAS) == tables["beta"]


@pytest.mark.parametrize("model", PRINTED_CHANGES)
def test_printed_differences_are_changes_of_accuracy(tables, model):
    plain, attacked = tables["basic_original"][model], tables["basic_attacked"][model]
    reference, rubric = attacked["reference_attack"], attacked["rubric_attack"]
    cells = (
        (plain["none"], plain["reference"], "reference"),
        (plain["none"], plain["rubric"], "rubric"),
        (reference["none"], reference["reference"], "reference"),
        (rubric["none"], rubric["rubric"], "rubric"),
    )
    for (none, printed_acc, aux), printed in zip(cells, PRINTED_CHANGES[model], strict=True):
        assert printed_acc - none == pytest.approx(printed, abs=0.005)
        metrics = compute_pair_metrics(build_run(none) + build_run(printed_acc, aux))
        assert 100 * metrics[f"delta_acc/{aux}"].value == pytest.approx(printed, abs=STEP)
        assert 100 * metrics[f"acc/{aux}"].value == pytest.approx(printed_acc, abs=STEP / 2)


def test_a_weak_judge_wins_with_credit_for_ties_as_in_appendix_d(tables):
    """Tables 5 and 6 have the same verdicts without theta: with half credit for ties, and without.

    Twice their difference is the share of ties, and the ranking depends on the credit.
    """
    half, zero, ties = {}, {}, {}
    for model, printed in tables["no_theta_ties_half"].items():
        with_half, without = printed[0], tables["no_theta_ties_zero"][model][0]
        ties[model] = round(2 * (with_half - without) / STEP)
        metrics = compute_pair_metrics(
            build_pairs(*build_scores(round(without / STEP), ties[model])), theta=0
        )
        half[model] = metrics["acc_half_ties@theta=0/none"].value
        zero[model] = metrics["acc@theta=0/none"].value
        assert 100 * half[model] == pytest.approx(with_half, abs=STEP)
        assert 100 * zero[model] == pytest.approx(without, abs=STEP / 2)
        assert metrics["acc_half_ties/none"] == metrics["acc_half_ties@theta=0/none"]
    assert max(ties, key=ties.get) == max(half, key=half.get) == "gpt-4o-mini"
    assert min(zero.values()) == zero["gpt-4o-mini"]
    assert max(zero, key=zero.get) == "deepseek-r1"
    assert min(ties, key=ties.get) == "deepseek-r1"
