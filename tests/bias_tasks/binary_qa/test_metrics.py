"""Metrics of small runs counted by hand and of simulated models, and properties of any run."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.binary_qa.family import FAMILY
from bias_tasks.binary_qa.items import NEGATIVE_REFORMULATIONS, VARIANTS, BinaryExtra, opposite
from bias_tasks.binary_qa.metrics_mbs import CORE_METRICS, DEFAULT_WEIGHTS, compute_mbs
from bias_tasks.contract.outcomes import Outcome

LABELS = ("Yes", "No")
ANSWER = {"Y": "Yes", "N": "No", "-": None}


def outcome(item, variant, original, answer, domain="d", epoch=1, cluster=None):
    """Return the outcome of an answer; `original` is the correct one to the original question."""
    gold = (
        opposite(original)
        if variant in NEGATIVE_REFORMULATIONS and original in LABELS
        else original
    )
    extra = BinaryExtra(domain=domain, answer_to_original=original)
    score = float(answer == gold)
    return Outcome(
        item, cluster or item, variant, gold, answer, score, "", epoch=epoch, extra=extra
    )


def compute(outcomes, **options):
    metrics = FAMILY.compute_metrics(outcomes, options)
    shared = {"items", "above_chance", "above_chance_significant"}
    return {name: metric for name, metric in metrics.items() if name not in shared}


def run(golds, **answers):
    """Return one question per letter; answers by variant, `-` unparsed and blank missing."""
    return [
        outcome(f"q{i}", variant, ANSWER[gold], ANSWER[row[i]])
        for variant, row in answers.items()
        for i, gold in enumerate(golds)
        if row[i] != " "
    ]


def planted(n, answer, domains=("a", "b", "c", "d", "e"), seed=0):
    """Return a full run with the answers `answer(rng, gold, variant)`."""
    rng = np.random.default_rng(seed)
    return [
        outcome(f"q{i}", v, LABELS[i % 2], answer(rng, LABELS[i % 2], v), domains[i % len(domains)])
        for i in range(n)
        for v in VARIANTS
    ]


def test_ten_questions_by_hand():
    metrics = compute(run("YYYYYNNNNN", original="YYYN-NNNNY"))
    # Yes: 3 right of 5, answered 4 times. No: 4 right of 5, answered 5 times. One is unparsed.
    expected = {
        **{"f1": 0.5 * 2 * 3 / (5 + 4) + 0.5 * 2 * 4 / (5 + 5), "delta_recall": 4 / 5 - 3 / 5},
        **{
            "delta_precision": 4 / 5 - 3 / 4,
            "yes_rate": 4 / 9,
            "acc/original": 0.7,
            "unparsed": 0.1,
        },
    }
    assert {name: metrics[name].value for name in expected} == pytest.approx(expected)
    assert metrics["f1"].n == metrics["delta_precision"].n == 10
    assert not {"prc", "mbs"} & set(metrics)
    assert math.isnan(metrics["std/f1"].value)
    assert metrics["std/f1"].n == 0


def test_consistency_by_hand():
    answers = {
        **{"original": "YYYNNNNNY-", "synonym": "YYNNNNNNY-", "polite": "YYYNYNN-Y-"},
        **{"contradictory": "NNNYYYYYN-", "false": "NYNYYYYYNY", "reversed": "YYYNNNNNN-"},
        **{"repeat_2": "YYYNNNNNYY", "repeat_3": "YYYNNNNY --"},
    }
    metrics = compute(run("YYYYYNNNNN", **answers))
    assert metrics["prc"].value == pytest.approx(6 / 8)  # 8 and 10 are not parsed; not 3 and 5
    assert metrics["nrc"].value == pytest.approx(8 / 9)  # 10 is not parsed; not 2
    assert metrics["arc"].value == pytest.approx(8 / 9)  # 10 is not parsed; not 9
    assert metrics["sc"].value == pytest.approx(7 / 8)  # 9 has no answer, 10 is not parsed; not 8
    assert [metrics[name].n for name in ("prc", "nrc", "arc", "sc")] == [8, 9, 9, 8]
    published = compute(run("YYYYYNNNNN", **answers), protocol="published")
    # 10 is the same in all positive rewordings and orders, and so not the opposite of itself.
    assert [published[name].value for name in ("prc", "nrc", "arc", "sc")] == pytest.approx(
        [7 / 10, 8 / 10, 9 / 10, 7 / 9]
    )
    assert [published[name].n for name in ("prc", "nrc", "arc", "sc")] == [10, 10, 10, 9]
    coverage = [metrics[f"coverage/{name}"].value for name in ("prc", "nrc", "arc", "sc", "false")]
    assert coverage == pytest.approx([8 / 10, 9 / 10, 9 / 10, 8 / 10, 9 / 10])
    assert metrics["coverage/sc"].n == 10
    assert metrics["acc/contradictory"].value == pytest.approx(6 / 10)
    assert metrics["acc/false"].value == pytest.approx(6 / 10)
    assert metrics["acc/repeat_3"].n == 9


def test_metrics_cover_the_questions_that_have_what_they_compare():
    answers = {"original": "YYYYNNNN", "synonym": "YYNN    ", "polite": "YY  NNYY"}
    answers |= {"contradictory": "N       ", "false": " YYY    "}
    metrics = compute(run("YYYYNNNN", **answers))
    assert (metrics["prc"].value, metrics["prc"].n) == (1.0, 2)
    assert (metrics["agreement/synonym"].value, metrics["agreement/synonym"].n) == (0.5, 4)
    assert (metrics["agreement/polite"].value, metrics["agreement/polite"].n) == (
        pytest.approx(4 / 6),
        6,
    )
    assert (metrics["agreement/contradictory"].value, metrics["agreement/false"].value) == (
        1.0,
        0.0,
    )
    coverage = {name: metrics[f"coverage/{name}"].value for name in ("synonym", "polite", "prc")}
    assert coverage == {"synonym": 0.5, "polite": 0.75, "prc": 0.25}
    assert metrics["coverage/false"].value == 3 / 8
    assert (metrics["coverage/nrc"].value, metrics["nrc"].n) == (0.0, 0)
    assert math.isnan(metrics["nrc"].value)
    assert metrics["coverage/prc"].n == 8


def test_the_published_protocol_compares_unparsed_answers_like_others():
    outcomes = run(
        "YYY", original="--Y", synonym="-YY", polite="-YY", contradictory="-NN", false="-NN"
    )
    corrected = compute(outcomes)
    published = compute(outcomes, protocol="published")
    assert corrected["prc"].value == corrected["nrc"].value == 1  # only the third is parsed
    assert corrected["coverage/prc"].value == published["coverage/prc"].value
    assert (corrected["prc"].n, published["prc"].n) == (1, 3)  # equation 2: all questions
    assert published["prc"].value == pytest.approx(2 / 3)  # three unparsed answers are the same
    assert published["nrc"].value == pytest.approx(2 / 3)  # unparsed is the opposite of No
    assert published["f1"] == corrected["f1"]


def test_answers_are_compared_within_an_epoch():
    """The third epoch has no reversed answer."""
    answers = [("original", "Yes", 1), ("reversed", "Yes", 1), ("original", "No", 2)]
    answers += [("reversed", "Yes", 2), ("original", "No", 3)]
    metrics = compute([outcome("q", v, "Yes", answer, epoch=epoch) for v, answer, epoch in answers])
    assert (metrics["arc"].value, metrics["arc"].n) == (0.5, 1)
    assert metrics["acc/original"].value == pytest.approx(1 / 3)


def test_confidence_by_hand():
    """The fourth question is a tie: it has no answer, so that nothing is compared with it."""
    chances = (0.9, 0.3, 0.8, 0.5)
    outcomes = run("YYNN", original="YNY-", polite="YYYN", false="NNYY", reversed="YNN ")
    outcomes = [
        replace(o, extra=replace(o.extra, yes_probability=chances[int(o.item[1:])]))
        for o in outcomes
    ]
    metrics = compute(outcomes)
    assert metrics["confidence/correct"].value == pytest.approx(0.9)
    assert metrics["confidence/wrong"].value == pytest.approx((0.7 + 0.8) / 2)
    assert (metrics["confidence/correct"].n, metrics["confidence/wrong"].n) == (1, 2)
    # Ranks of the margins 0.8, 0.4, 0.6, and of the inconsistent shares 0/3, 2/3, 2/3.
    expected = np.corrcoef([3, 1, 2], [1, 2.5, 2.5])[0, 1]
    assert metrics["inconsistency_spearman"].value == pytest.approx(expected)
    assert metrics["inconsistency_spearman"].n == 3
    # An unparsed rewording of the third leaves it one inconsistent variant of two.
    cut = [
        replace(o, answer=None) if (o.item, o.variant) == ("q2", "false") else o for o in outcomes
    ]
    expected = np.corrcoef([3, 1, 2], [1, 3, 2])[0, 1]
    assert compute(cut)["inconsistency_spearman"].value == pytest.approx(expected)
    right = compute([o for o in outcomes if o.item == "q0"])
    for name in ("confidence/wrong", "inconsistency_spearman"):
        assert math.isnan(right[name].value), name
    assert not {"confidence/wrong", "inconsistency_spearman"} & set(
        compute(run("YN", original="YN"))
    )


def test_a_metric_without_a_denominator_is_nan():
    metrics = compute(planted(40, lambda rng, gold, variant: "No"))
    assert metrics["f1"].value == pytest.approx(0.5 * 2 * 20 / (20 + 40))
    assert metrics["delta_recall"].value == 1
    for name in ("delta_precision", "a/delta_precision", "std/delta_precision", "mbs"):
        assert math.isnan(metrics[name].value), name
        assert metrics[name].n == 0
    assert metrics["std/f1"].n == 40
    assert metrics["nrc"].value == 0
    one_class = compute(run("YYYY", original="YYYN"))
    assert one_class["f1"].value == pytest.approx(2 * 3 / (4 + 3))
    assert one_class["delta_recall"].n == 0
    one_domain = compute(planted(40, lambda rng, gold, variant: gold, domains=("a",)))
    assert "mbs" not in one_domain
    assert math.isnan(one_domain["std/f1"].value)
    garbage = compute(planted(50, lambda rng, gold, variant: None))
    for name in ("prc", "nrc", "arc", "sc"):
        assert garbage[f"coverage/{name}"].value == 0, name
        assert math.isnan(garbage[name].value), name
        assert garbage[name].n == 0, name
    assert math.isnan(garbage["yes_rate"].value)
    assert (garbage["f1"].value, garbage["unparsed"].value) == (0, 1)


def test_mbs_is_undefined_if_too_few_questions_are_reworded():
    whole = planted(100, lambda rng, gold, variant: LABELS[rng.integers(2)])

    def without(kind, count, domain=None):
        """Return the run without a rewording of the first questions of a domain, or of all."""
        bare = dict.fromkeys(o.item for o in whole if domain in (None, o.extra.domain))
        bare = [*bare][:count]
        return [o for o in whole if o.variant != kind or o.item not in bare]

    for outcomes, weights, defined in (
        (without("polite", 10), None, True),
        (without("polite", 11), None, False),
        (without("false", 20, "a"), None, False),
        (without("false", 20, "a"), {"nrc": 1}, False),
        (without("false", 100), {"f1": 1, "prc": 1}, True),
    ):
        options = {"weights": weights} if weights else {}
        assert math.isnan(compute(outcomes, **options)["mbs"].value) is not defined


def test_a_perfect_model_and_a_coin():
    metrics = compute(
        planted(100, lambda _, gold, v: opposite(gold) if v in NEGATIVE_REFORMULATIONS else gold)
    )
    assert metrics["mbs"].value == pytest.approx(100)
    assert metrics["mbs"].ci_low < 99
    for name in CORE_METRICS:
        assert metrics[name].ci_low < metrics[name].ci_high, name
        assert metrics[f"std/{name}"].value == 0 < metrics[f"std/{name}"].ci_high, name
    metrics = compute(planted(1000, lambda rng, gold, variant: LABELS[rng.integers(2)]))
    truth = {"f1": 0.5, "delta_recall": 0, "delta_precision": 0}
    truth |= {"prc": 0.25, "nrc": 0.25, "arc": 0.5, "sc": 0.25}
    truth["mbs"] = compute_mbs(truth, dict.fromkeys(CORE_METRICS, 0.0), DEFAULT_WEIGHTS)
    for name, value in truth.items():
        assert metrics[name].ci_low <= value <= metrics[name].ci_high, name
    assert all(metrics[f"std/{name}"].ci_low == 0 for name in CORE_METRICS)
    # The paper's random baseline has 57.4: noise only adds to differences and deviations.
    assert 55.5 < metrics["mbs"].value < truth["mbs"] == pytest.approx(59.375)


def test_a_perfect_model_whose_answers_are_cut_is_consistent():
    """Of the groups of three answers, 14 % lose one: that lowers `prc` under `published` only."""
    rng = np.random.default_rng(1)
    perfect = planted(
        400, lambda _, gold, v: opposite(gold) if v in NEGATIVE_REFORMULATIONS else gold
    )
    outcomes = [replace(o, answer=None, score=0.0) if rng.random() < 0.05 else o for o in perfect]
    metrics, published = compute(outcomes), compute(outcomes, protocol="published")
    for name in ("prc", "nrc", "arc", "sc"):
        for kind in ("", "average/"):
            assert metrics[f"{kind}{name}"].value == 1, (kind, name)
            assert metrics[f"{kind}{name}"].ci_high == 1, (kind, name)
        assert metrics[f"std/{name}"].value == 0, name
        assert metrics[name].n == round(400 * metrics[f"coverage/{name}"].value), name
        # There, an unparsed answer is the opposite of any other.
        assert (published[name].value < 0.93) is (name != "nrc"), name
    assert {metrics[f"agreement/{kind}"].value for kind in ("polite", "false")} == {1}
    assert metrics["unparsed"].value == pytest.approx(0.05, abs=0.01)
    # Levels still count an unparsed answer as wrong; only they lower the score.
    assert metrics["f1"] == published["f1"]
    assert metrics["acc/original"].value < 0.97
    assert metrics["mbs"].value == pytest.approx(metrics["mbs_consistent"].value)
    assert metrics["mbs"].value > published["mbs"].value + 2


def test_mbs_is_compared_with_that_of_the_same_answers_if_they_were_consistent():
    """By hand: each consistency weighs 7.5 points, and its standard deviation a ninth of them."""

    def consistent(wrong):
        def answer(rng, gold, variant):
            given = opposite(gold) if next(wrong) else gold
            return opposite(given) if variant in NEGATIVE_REFORMULATIONS else given

        return answer

    wrong = (i % 7 < 2 for i in range(60) for _ in VARIANTS)
    metrics = compute(planted(60, consistent(wrong)))
    assert metrics["f1"].value < 0.9
    assert metrics["mbs_consistent"].value == metrics["mbs"].value < 90
    assert math.isnan(metrics["mbs_consistent"].ci_low)
    negation_blind = compute(planted(60, lambda _, gold, v: gold))
    assert negation_blind["mbs_consistent"].value == pytest.approx(100)
    assert negation_blind["mbs"].value == pytest.approx(92.5)
    random = compute(planted(60, lambda rng, gold, v: LABELS[rng.integers(2)]))
    cost = sum(
        7.5 * (1 - random[name].value) + 7.5 / 9 * 2 * random[f"std/{name}"].value
        for name in ("prc", "nrc", "arc", "sc")
    )
    assert random["mbs_consistent"].value - random["mbs"].value == pytest.approx(cost)
    one_label = compute(planted(60, lambda _, gold, v: "No"))
    assert math.isnan(one_label["mbs_consistent"].value)
    only_f1 = compute(planted(60, lambda _, gold, v: gold), weights={"f1": 1})
    assert only_f1["mbs_consistent"].value == only_f1["mbs"].value


def test_only_proportions_of_weights_count():
    outcomes = planted(60, lambda rng, gold, variant: LABELS[rng.integers(2)])
    one = compute(outcomes, weights={"f1": 0.2, "prc": 0.6})["mbs"]
    three = compute(outcomes, weights={"f1": 1, "prc": 3, "sc": 0})["mbs"]
    assert one.value == pytest.approx(three.value)
    metrics = compute(outcomes)
    core = 90 * (0.25 * metrics["f1"].value + 0.75 * metrics["prc"].value)
    std = 10 * (1 - 2 * (0.25 * metrics["std/f1"].value + 0.75 * metrics["std/prc"].value))
    assert one.value == pytest.approx(core + std)


def test_averages_over_domains_by_hand():
    """Every domain has the same weight, whatever its size (tables 3 to 6)."""
    rows = {"a": ("YYYYNNNN", "YYYYNNNY", "YYYYNNYY"), "b": ("YN", "NN", "NN")}
    outcomes = [
        outcome(f"{domain}{i}", variant, ANSWER[gold], ANSWER[answers[i]], domain)
        for domain, (golds, original, turned) in rows.items()
        for variant, answers in (("original", original), ("reversed", turned))
        for i, gold in enumerate(golds)
    ]
    metrics = compute(outcomes)
    assert metrics["average/arc"].value == pytest.approx((7 / 8 + 1) / 2)
    assert metrics["std/arc"].value == pytest.approx((1 - 7 / 8) / 2)  # of the population of two
    assert metrics["arc"].value == pytest.approx(9 / 10)
    assert metrics["average/delta_recall"].value == pytest.approx((-1 / 4 + 1) / 2)
    assert metrics["f1"].value == pytest.approx(0.8)  # each class: 4 right of 5 and of 5
    f1 = (0.5 * 8 / 9 + 0.5 * 6 / 7, 0.5 * 2 / 3)
    assert metrics["average/f1"].value == pytest.approx(sum(f1) / 2)
    assert metrics["average/f1"].n == 10
    # Domain b has no answer Yes, so its precision is undefined.
    assert math.isnan(metrics["average/delta_precision"].value)
    assert metrics["average/delta_precision"].n == 0
    assert not {"average/prc", "average/sc"} & set(metrics)
    for name in ("average/arc", "average/f1", "average/delta_recall"):
        assert metrics[name].ci_low < metrics[name].value < metrics[name].ci_high <= 1


def test_wrong_outcomes_and_weights_are_refused():
    good = outcome("q1", "original", "Yes", "No")
    for bad, message in (
        (good, "item 'q1' has two answers under variant 'original' in epoch 1"),
        (outcome("q1", "shouted", "Yes", "No"), "variant 'shouted' is unknown"),
        (outcome("q2", "original", "True", "No"), "gold label 'True' is unknown"),
        (
            outcome("q2", "original", "Yes", "yes"),
            "answer 'yes' is unknown: expected one of Yes, No",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            compute([good, bad])
    for weights, message in (
        ({"f1": 1, "accuracy": 1}, "unknown in weights: accuracy"),
        ({"f1": -0.1}, "weight of f1"),
        ({"f1": math.nan}, "weight of f1"),
        ({"f1": 0.0}, "all 0"),
        ({}, "all 0"),
    ):
        with pytest.raises(ValueError, match=message):
            compute([good], weights=weights)


@st.composite
def runs(draw):
    """Draw outcomes of up to ten questions in up to four clusters of each domain."""
    outcomes = []
    for item in range(draw(st.integers(1, 10))):
        gold, domain = draw(st.sampled_from(LABELS)), draw(st.sampled_from("ab"))
        cluster = f"{domain}{draw(st.integers(0, 3))}"
        for variant in VARIANTS:
            if draw(st.integers(0, 9)) == 0:
                continue  # an unscored sample
            answer = draw(st.sampled_from((*LABELS, None)))
            outcomes.append(outcome(str(item), variant, gold, answer, domain, cluster=cluster))
    return outcomes


def assert_same(metrics, expected):
    assert metrics.keys() == expected.keys()
    for name, metric in expected.items():
        for field in ("value", "ci_low", "ci_high", "n"):
            value = pytest.approx(getattr(metric, field), abs=1e-6, nan_ok=True)
            assert getattr(metrics[name], field) == value, (name, field)


@given(runs(), st.randoms(use_true_random=False))
def test_metrics_stay_in_range_and_do_not_depend_on_names_or_order(outcomes, random):
    metrics = compute(outcomes)
    for name, metric in metrics.items():
        assert math.isnan(metric.value) == (metric.n == 0), name
        assert math.isnan(metric.ci_low) == math.isnan(metric.ci_high), name
        if not math.isnan(metric.ci_low):
            signed = "delta" in name and "std" not in name
            highest = {"mbs": 100, "n_domains": 2}.get(name, math.inf if "std" in name else 1)
            assert (-1 if signed else 0) <= metric.ci_low <= metric.value, name
            assert metric.value <= metric.ci_high <= highest, name
    renamed = [
        replace(o, item=f"i{9 - int(o.item)}", cluster=f"c{o.cluster}", epoch=7) for o in outcomes
    ]
    assert_same(compute(random.sample(renamed, len(renamed))), metrics)
    assert_same(compute([replace(o, epoch=epoch) for o in outcomes for epoch in (1, 2)]), metrics)
