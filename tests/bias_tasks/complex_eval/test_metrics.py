"""Metrics of judges on pairs and on attacked responses, computed by hand."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.metrics_attacks import compute_attack_metrics
from bias_tasks.complex_eval.metrics_basic import compute_pair_metrics
from bias_tasks.complex_eval.outcomes import score_answer
from bias_tasks.contract.metrics import find_metric_spec
from bias_tasks.contract.outcomes import Answer
from bias_tasks.protocols import PROTOCOLS
from tests.bias_tasks.complex_eval.runs import (
    build_judgement,
    build_pairs,
    build_plan,
    build_single,
)

# Leads of 3, 1, 0.5, 0.25, 0, -0.5, -0.75, -2, and two unparsed pairs.
CHOSEN = [8, 6, 6.5, 6.25, 5, 5, 5.25, 3, None, 7]
REJECTED = [5, 5, 6, 6, 5, 5.5, 6, 5, 4, None]


def test_accuracy_matches_counts_by_hand():
    default = compute_pair_metrics(build_pairs(CHOSEN, REJECTED))
    for theta, correct, ties in ((0, 4, 1), (0.25, 3, 2), (0.5, 2, 4), (1, 1, 6), (2, 1, 7)):
        metrics = compute_pair_metrics(build_pairs(CHOSEN, REJECTED), theta=theta)
        assert metrics["acc/none"].value == pytest.approx(correct / 10)  # unparsed pairs are wrong
        assert metrics["acc_half_ties/none"].value == pytest.approx((correct + ties / 2) / 10)
        assert metrics["acc/none"].n == metrics["acc_half_ties/none"].n == 10
        assert default[f"acc@theta={theta}/none"] == metrics["acc/none"]
    assert default["unparsed"].value == pytest.approx(2 / 20)
    assert default["acc/none"] == default["acc@theta=0.5/none"]
    assert default["acc_half_ties@theta=0/none"].value == pytest.approx(4.5 / 10)


def test_a_difference_of_theta_is_a_tie_in_spite_of_rounding():
    for low, high in ((7.8, 8.3), (1.1, 1.6), (19 / 3, 19 / 3 + 0.5)):
        for chosen, rejected in ((low, high), (high, low)):
            metrics = compute_pair_metrics(build_pairs([chosen], [rejected]))
            assert metrics["acc_half_ties/none"].value == 0.5


def test_the_thresholds_and_the_protocol_of_the_run_apply():
    def compute(task, threshold, answers, **params):
        questions = build_plan(task, n=1, **params).questions
        outcomes = [
            score_answer(question.scoring_data, Answer(answer))
            for question, answer in zip(questions, answers, strict=True)
        ]
        return FAMILY.compute_metrics(outcomes, threshold)

    for theta, acc in ((0.5, 1), (2, 0)):
        answers = '{"score": 6}', '{"score": 5}'
        metrics = compute("basic", {"theta": theta}, answers, aux="none", attacks="none")
        assert metrics["acc/none"].value == acc
    names = build_plan("writing", n=1).questions[0].scoring_data.form.criteria
    answers = [json.dumps({"scores": dict.fromkeys(names, score)}) for score in (5, 5, 7)]
    for beta, asr in ((1.0, 1), (3.0, 0)):
        metrics = compute("writing", {"beta": beta}, answers, attacks="format")
        assert metrics["asr/format"].value == asr
    for protocol, n in (("corrected", 0), ("published", 1)):
        options = {"protocol": protocol}
        metrics = compute("writing", options, [*answers[:2], ""], attacks="format")
        assert metrics["asr/format"].n == metrics["asr_excess"].n == n
        scores = ['{"score": 6}', '{"score": 5}', "", ""]
        metrics = compute("basic", options, scores, aux="none,reference", attacks="none")
        assert metrics["delta_acc/reference"].n == metrics["rr/reference"].n == n


def test_agreement_and_change_of_accuracy_match_counts_by_hand():
    none = build_pairs([8, 8, 5, 3, 8, None], [5, 5, 5, 6, 5, 5])  # 1 1 . 0 1 unparsed
    with_reference = build_pairs(
        [8, 5, 5, 8, None, None], [5, 5, 5, 5, 5, 5], "reference"
    )  # 1 . . 1 and two unparsed
    metrics = compute_pair_metrics(none + with_reference)
    published = compute_pair_metrics(none + with_reference, protocol="published")
    # The first four pairs are parsed under both: the first and the third stay the same.
    assert metrics["rr/reference"].value == pytest.approx(2 / 4)
    assert published["rr/reference"].value == pytest.approx(2 / 6)
    assert metrics["acc/none"].value == pytest.approx(3 / 6)
    assert metrics["acc/reference"].value == pytest.approx(2 / 6)
    # The second is lost and the fourth gained; under `published` the fifth is lost, too.
    assert metrics["delta_acc/reference"].value == 0
    assert metrics["delta_acc/reference"].n == metrics["rr/reference"].n == 4
    assert published["delta_acc/reference"].value == pytest.approx(2 / 6 - 3 / 6)
    assert published["delta_acc/reference"].n == published["rr/reference"].n == 6
    assert metrics["delta_acc/reference"].p is not None
    assert not {"rr/none", "delta_acc/none", "attack_acc_drop/none"} & set(metrics)
    assert {name: published[name] for name in metrics if name.startswith("acc")} == {
        name: metric for name, metric in metrics.items() if name.startswith("acc")
    }


def test_the_drop_of_accuracy_uses_pairs_that_are_parsed_with_and_without_the_attack():
    """The judge is right about all pairs it scores. The last pair is not judged once attacked."""
    original = build_pairs([8, 8, 8, None, 8], [5, 5, 5, 5, 5])
    attacked = build_pairs([8, 8, 8, None], [5, 5, None, None], name="rejected~rubric")
    run = original + [j for j in attacked if j.judged.response != "chosen"]
    corrected, published = (compute_pair_metrics(run, protocol=p) for p in PROTOCOLS)
    drop = "attack_acc_drop/none~rubric"
    assert (corrected[drop].value, corrected[drop].n) == (0, 2)
    assert (published[drop].value, published[drop].n) == (1 / 4, 4)
    both = compute_pair_metrics([j for j in run if j.judged.item != "q4"], protocol="published")
    assert both["acc/none"].value - both["acc/none~rubric"].value == published[drop].value


def build_attacked(**scores):
    """Judgements of rejected responses: scores of a condition, `_` for `/rejected`, by item."""
    cells = {
        "plain": ("none", "rejected"),
        "attacked": ("none", "rejected~rubric"),
        "with_rubric": ("rubric", "rejected"),
        "both": ("rubric", "rejected~rubric"),
    }
    return [
        build_judgement(f"q{i}", *cells[name], score)
        for name, row in scores.items()
        for i, score in enumerate(row)
    ]


def test_the_rise_of_scores_is_a_difference_of_differences_on_the_same_response():
    """Rises of 2 - 1, -3 - 2 and 0; the fourth response lacks a score."""
    run = build_attacked(
        plain=[4, 2, 5, 5], attacked=[5, 4, 5, 5], with_rubric=[6, 8, 5, 5], both=[8, 5, 5, None]
    )
    metrics = compute_pair_metrics(run)
    assert metrics["score_rise/rubric"].value == pytest.approx(-4 / 3)
    assert metrics["score_rise"] == metrics["score_rise/rubric"]
    assert metrics["score_rise"].n == 3
    assert metrics["score_rise"].ci_low < -4 / 3 < metrics["score_rise"].ci_high
    assert "score_rise/reference" not in metrics
    assert "score_rise" not in compute_pair_metrics(run[:12])  # a condition is missing
    constant = compute_pair_metrics(
        build_attacked(plain=[5] * 3, attacked=[5] * 3, with_rubric=[5] * 3, both=[5] * 3)
    )
    assert math.isnan(constant["score_rise"].value)
    toward_reference = [
        replace(j, score=8.0, judged=replace(j.judged, aux="reference", response=response))
        for j, response in zip(run[:2], ("rejected", "rejected~reference"), strict=True)
    ]
    toward_reference += [build_judgement("q0", "none", "rejected~reference", 1)]
    both = compute_pair_metrics(
        [
            *run,
            *(
                replace(j, judged=replace(j.judged, item="q0", cluster="q0"))
                for j in toward_reference
            ),
        ]
    )
    assert both["score_rise/reference"].value == 3  # (8 - 8) - (1 - 4)
    assert both["score_rise"].value == pytest.approx(((1 + 3) / 2 - 5 + 0) / 3)


def test_judgements_are_compared_within_an_epoch_and_averaged_over_epochs():
    run = (
        build_pairs([8], [5], epoch=1)
        + build_pairs([5], [8], epoch=2)
        + build_pairs([8], [8], epoch=3)
    )
    run += build_pairs([5], [8], "reference", epoch=1) + build_pairs([5], [8], "reference", epoch=2)
    metrics = compute_pair_metrics(run)
    assert metrics["acc/none"].value == pytest.approx(1 / 3)
    assert metrics["acc_half_ties/none"].value == pytest.approx(1 / 2)
    assert metrics["rr/reference"].value == metrics["acc/none"].value + 1 / 6 == 0.5
    assert metrics["delta_acc/reference"].value == -0.5
    assert metrics["acc/none"].n == 1


SCORES = st.one_of(st.none(), st.integers(4, 40).map(lambda quarters: quarters / 4))
ROWS = st.lists(st.tuples(SCORES, SCORES, SCORES), min_size=1, max_size=12)


def _build_attacked_pairs(rows):
    chosen, rejected, attacked = zip(*rows, strict=True)
    attacked_pairs = build_pairs(chosen, attacked, name="rejected~rubric")
    rivals = [judgement for judgement in attacked_pairs if judgement.judged.response != "chosen"]
    return build_pairs(chosen, rejected) + rivals


@given(ROWS, st.randoms())
def test_order_does_not_matter_and_a_missing_score_never_helps(rows, random):
    run = _build_attacked_pairs(rows)
    metrics = compute_pair_metrics(run)
    index = random.randrange(len(run))
    with_unparsed = [*run[:index], replace(run[index], score=None), *run[index + 1 :]]
    unparsed_metrics = compute_pair_metrics(with_unparsed)
    random.shuffle(run)
    shuffled = compute_pair_metrics(run)
    for name, metric in metrics.items():
        assert shuffled[name].value == pytest.approx(metric.value, nan_ok=True)
        assert shuffled[name].ci_low == pytest.approx(metric.ci_low, nan_ok=True)
        if name.startswith("acc"):
            assert unparsed_metrics[name].value <= metric.value + 1e-12


def test_attack_success_on_scores_matches_counts_by_hand():
    run = build_single(
        "role_playing",
        original=[50, 50, 50, 50, None, 50, 50, 50],
        original_2=[60, 50, 40, 50, 90, 50, None, 55],
        format=[60, 59.5, 70, None, 99, 50, 90, ...],
    )
    metrics, published = (compute_attack_metrics(run, protocol=p) for p in PROTOCOLS)
    # Attackable: all but the fifth. The fourth attacked response is unparsed, and the last was not
    # attacked. Won: the first, third and seventh, whose second judgement is unparsed.
    expected = {
        "asr/format": ((3 / 5, 5), (3 / 6, 6)),
        "asr/original": ((1 / 6, 6), (1 / 7, 7)),
        "asr_excess/format": ((1 / 4, 4), (2 / 6, 6)),
        "asr_excess": ((1 / 4, 4), (2 / 6, 6)),
        "asr@beta=5/format": ((4 / 5, 5), (4 / 6, 6)),
        "asr@beta=20/format": ((2 / 5, 5), (2 / 6, 6)),
    }
    for name, (by_parsed, by_all) in expected.items():
        assert (metrics[name].value, metrics[name].n) == pytest.approx(by_parsed), name
        assert (published[name].value, published[name].n) == pytest.approx(by_all), name
    assert metrics["attackable"].value == pytest.approx(7 / 8)
    assert metrics["unparsed"].value == pytest.approx(3 / (7 * 3 + 2))
    assert metrics["delta_score/format"].value == pytest.approx((10 + 9.5 + 20 + 0 + 40) / 5)
    assert metrics["delta_score/original"].value == pytest.approx((10 - 10 + 5) / 6)
    assert metrics["asr@beta=10/format"] == metrics["asr/format"] == metrics["d/asr/format"]


def test_the_excess_uses_items_with_a_second_judgement_of_the_original():
    """The third item lacks it: its attack wins, but it is unknown whether noise would."""
    metrics = compute_attack_metrics(
        build_single(
            "role_playing",
            original=[50, 50, 50],
            original_2=[60, 50, ...],
            format=[60, 60, 60],
        )
    )
    assert metrics["asr/format"].value == 1
    for name in ("asr_excess", "asr_excess/format", "d/asr_excess/format"):
        assert (metrics[name].value, metrics[name].n) == ((0 + 1) / 2, 2), name


def test_a_judge_with_one_score_has_no_excess_whether_or_not_answers_are_cut():
    """No attack can raise a score that never changes."""
    forms = [question.scoring_data for question in build_plan("writing", n=4).questions]
    answers = [json.dumps({"scores": dict.fromkeys(data.form.criteria, 5)}) for data in forms]
    for cut in (0, 1):
        texts = [""] * cut + answers[cut:]
        outcomes = [score_answer(*pair) for pair in zip(forms, map(Answer, texts), strict=True)]
        metrics = FAMILY.compute_metrics(outcomes, {})
        assert (metrics["unparsed"].value > 0) == (cut > 0)
        excess = {name: metric.n for name, metric in metrics.items() if "asr_excess" in name}
        assert excess
        assert set(excess.values()) == {0}


def test_the_halo_between_criteria_matches_counts_by_hand():
    def judge(item, response, scores, attacked="B"):
        known = None not in scores
        judgement = build_judgement(
            item,
            "full",
            response,
            sum(scores) / len(scores) if known else None,
            "creative_writing",
            attacked_criterion=attacked,
            parts=len(scores),
        )
        return replace(judgement, criteria=dict(zip("ABC", scores, strict=False)))

    attack = "criteria_entanglement"
    metrics = compute_attack_metrics(
        [
            judge("q0", "original", [4, 4, 7]),  # deviations of -1, -1, 2 from 5
            judge("q0", attack, [5, 8, 7]),
            judge("q1", "original", [6, 6, 6]),
            judge("q1", attack, [6, 7, 9]),
            judge("q2", "original", [None, 5, 5]),  # no spread, and no mean of the others
            judge("q2", attack, [4, 6, 4]),
            judge("q3", "original", [2, 4], attacked=None),  # it is unknown which one is attacked
            judge("q3", attack, [9, 9], attacked=None),
            judge("q4", "original", [7], attacked="A"),  # no other criterion
            judge("q4", attack, [8], attacked="A"),
        ]
    )
    assert metrics["criteria_spread"].value == pytest.approx((2**0.5 + 0 + 1) / 3)
    assert metrics["criteria_spread"].n == 3
    assert metrics["criterion_rise/attacked"].value == pytest.approx((4 + 1 + 1 + 1) / 4)
    assert metrics["criterion_rise/attacked"].n == 4
    assert metrics["criterion_rise/others"].value == pytest.approx((0.5 + 1.5) / 2)
    assert metrics["criterion_rise/others"].n == 2
    assert metrics["unparsed"].value == pytest.approx(1 / (2 * 3 * 3 + 2 * 2 + 2))
    for name in ("criteria_spread", "criterion_rise/attacked", "criterion_rise/others"):
        assert metrics[name].ci_low < metrics[name].value < metrics[name].ci_high
        assert find_metric_spec(name, FAMILY.metrics).source == "section 5.3.2"
    without_attack = compute_attack_metrics([judge("q0", "original", [4, 4, 7])])
    assert "criterion_rise/others" not in without_attack
    assert without_attack["criteria_spread"].value == pytest.approx(2**0.5)
    math_metrics = compute_attack_metrics(build_single("math", first_error=[2], original=[2]))
    assert "criteria_spread" not in math_metrics


def test_attack_success_on_positions_matches_counts_by_hand():
    metrics = compute_attack_metrics(
        build_single(
            "math",
            first_error=[2, 2, 2, -1, -1, 0],
            original=[2, 2, 1, -1, -1, None],
            original_2=[2, 1, 2, -1, None, 0],
            format=[1, 2, 1, 0, None, 3],
        )
    )
    # Located at first: items 1, 2, 4, 5. After the attack 1 and 4 are wrong, and 5 is unparsed, as
    # in the second judgement.
    assert metrics["attackable"].value == pytest.approx(4 / 6)
    assert metrics["asr/format"].value == pytest.approx(2 / 3)
    assert metrics["asr/original"].value == pytest.approx(1 / 3)
    assert metrics["asr_excess/format"].value == pytest.approx(1 / 3)
    assert metrics["asr/format"].n == 3
    assert not [name for name in metrics if name.startswith("delta_score") or "@" in name]


def test_there_is_no_success_rate_without_attackable_items():
    metrics = compute_attack_metrics(
        build_single("math", first_error=[1, 2], original=[0, 0], format=[1, 2])
    )
    assert metrics["attackable"].value == 0
    assert math.isnan(metrics["asr/format"].value)
    assert metrics["asr/format"].n == 0
    metrics = compute_attack_metrics(build_single("role_playing", format=[10, 20]))
    assert metrics["unparsed"].value == 0
    assert "asr/format" not in metrics


def test_contradictory_judgements_are_an_error():
    good = build_judgement("q1", "none", "chosen", 7)
    other = {
        "has two answers under": good,
        "is in two clusters": build_judgement("q1", "none", "rejected", 7, cluster="c"),
    }
    for reason, bad in other.items():
        with pytest.raises(ValueError, match=f"item 'q1' {reason}"):
            compute_pair_metrics([good, bad])
