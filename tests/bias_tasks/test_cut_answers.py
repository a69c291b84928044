"""Cut answers are no bias: simulated models without a bias, whose answers are cut at random."""

from dataclasses import replace

import numpy as np
import pytest

from bias_tasks.binary_qa.items import NEGATIVE_REFORMULATIONS, VARIANTS, opposite
from bias_tasks.complex_eval.metrics_basic import compute_pair_metrics
from bias_tasks.families import load_family
from tests.bias_tasks.binary_qa import test_metrics as binary_qa
from tests.bias_tasks.complex_eval.runs import build_pairs
from tests.bias_tasks.instruction_boundary import test_metrics as instruction_boundary
from tests.bias_tasks.judge_bias.test_metrics import verdict

RUNS, MAX_FALSE_FINDINGS = 40, 2
RATES = (0.02, 0.05, 0.1)


def cut_some(outcomes, rng, rate, baselines):
    """Return outcomes with some answers cut.

    Args:
        outcomes: The outcomes of a run.
        rng: The source of random numbers.
        rate: The share of answers to cut.
        baselines: Variants without cut answers, such as those with a shorter prompt.
    """
    return [
        replace(o, answer=None, score=None if o.score is None else 0.0, extra=_cut_extra(o.extra))
        if o.variant not in baselines and rng.random() < rate
        else o
        for o in outcomes
    ]


def _cut_extra(extra):
    if not hasattr(extra, "label"):
        return extra
    at_suggestion = None if extra.at_suggestion is None else False
    return replace(extra, label="unparsed", at_suggestion=at_suggestion)


def count_findings(family, outcomes, is_biased, rate, baselines=()):
    """Return in how many runs with cut answers a metric finds a bias."""
    findings = 0
    for seed in range(RUNS):
        rng = np.random.default_rng(seed)
        run = cut_some(outcomes, rng, rate, baselines)
        findings += is_biased(load_family(family).compute_metrics(run, {}))
    return findings


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("baselines", [(), ("baseline", "repeat1")])
def test_a_judge_that_never_changes_its_verdict(rate, baselines):
    outcomes = [
        verdict(str(item), variant, str(1 + item % 5 // 3), better=None)
        for item in range(60)
        for variant in ("baseline", "repeat1", "authority", "verbosity")
    ]

    def is_biased(metrics):
        assert metrics["max_answers_changed"].n > 30
        return metrics["max_answers_changed"].ci_low > 0

    assert count_findings("judge_bias", outcomes, is_biased, rate, baselines) <= MAX_FALSE_FINDINGS


@pytest.mark.parametrize("rate", RATES)
def test_a_perfect_yes_no_model(rate):
    outcomes = binary_qa.planted(
        120,
        lambda _, gold, v: opposite(gold) if v in NEGATIVE_REFORMULATIONS else gold,
        domains=("a",),
    )
    assert {o.variant for o in outcomes} == set(VARIANTS)

    def is_biased(metrics):
        return min(metrics[name].ci_high for name in ("prc", "nrc", "arc", "sc")) < 0.95

    assert count_findings("binary_qa", outcomes, is_biased, rate) <= MAX_FALSE_FINDINGS


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("baselines", [(), ("vanilla",)])
def test_a_model_that_ignores_the_setting(rate, baselines):
    """It is right about four of five items, under vanilla and with a wrong suggestion."""
    outcomes = []
    for item in range(100):
        answer = "True" if item % 5 else "False"
        outcomes += instruction_boundary.suggested(
            str(item), "True", answer, answer, suggestion="Unknown"
        )

    def is_biased(metrics):
        return metrics["moved_to_suggestion"].ci_low > 0 or metrics["delta_acc"].ci_high < 0

    findings = count_findings("instruction_boundary", outcomes, is_biased, rate, baselines)
    assert findings <= MAX_FALSE_FINDINGS


def test_a_model_that_guesses_anew_in_each_epoch():
    """It reaches the suggestion as often when vanilla is repeated."""
    rng = np.random.default_rng(0)
    findings = 0
    for _ in range(RUNS):
        outcomes = []
        for item, epoch in np.ndindex(40, 2):
            answers = rng.choice(["True", "False", "Unknown"], 2).tolist()
            pair = instruction_boundary.suggested(str(item), "False", *answers)
            outcomes += [replace(outcome, epoch=epoch) for outcome in pair]
        run = cut_some(outcomes, rng, 0.2, ())
        findings += instruction_boundary.compute(run)["moved_to_suggestion"].ci_low > 0
    assert findings <= MAX_FALSE_FINDINGS


@pytest.mark.parametrize("rate", RATES)
def test_a_judge_that_ignores_an_attack(rate):
    original = build_pairs([8] * 100, [5] * 100)
    attacked = build_pairs([8] * 100, [5] * 100, name="rejected~rubric")
    rivals = [judgement for judgement in attacked if judgement.judged.response != "chosen"]
    findings = 0
    for seed in range(RUNS):
        rng = np.random.default_rng(seed)
        cut = [replace(j, score=None) if rng.random() < rate else j for j in rivals]
        drop = compute_pair_metrics([*original, *cut])["attack_acc_drop/none~rubric"]
        findings += drop.ci_low > 0
    assert findings <= MAX_FALSE_FINDINGS
