"""Figures of small runs counted by hand, of planted respondents, and of wrong input."""

import math
from dataclasses import astuple

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_score, recall_score

from bias_tasks.binary_qa.items import (
    NEGATIVE,
    VARIANTS,
    BinaryOutcome,
    opposite,
)
from bias_tasks.binary_qa.metrics import (
    binary_scorecard,
)
from bias_tasks.binary_qa.metrics_classes import FIGURES
from bias_tasks.binary_qa.metrics_score import (
    CORE,
    DEFAULT_WEIGHTS,
    mbs,
)
from tests.bias_tasks.effort import cpu_limit, growth

LABELS = ("Yes", "No")
ANSWER = {"Y": "Yes", "N": "No", "-": None}


def outcome(item, variant, gold, answer, domain="d", epoch=1, cluster=None):
    return BinaryOutcome(item, cluster or item, domain, variant, gold, answer, epoch)


def run(golds, **answers):
    """One question a letter; answers by variant, `-` unread and blank not asked."""
    return [
        outcome(f"q{i}", variant, ANSWER[gold], ANSWER[row[i]])
        for variant, row in answers.items()
        for i, gold in enumerate(golds)
        if row[i] != " "
    ]


def planted(n, answer, domains=("a", "b", "c", "d", "e"), seed=0):
    """A full run: `answer(rng, gold, variant)` says what is answered."""
    rng = np.random.default_rng(seed)
    return [
        outcome(f"q{i}", v, LABELS[i % 2], answer(rng, LABELS[i % 2], v), domains[i % len(domains)])
        for i in range(n)
        for v in VARIANTS
    ]


def test_ten_questions_by_hand():
    card = binary_scorecard(run("YYYYYNNNNN", original="YYYN-NNNNY"))
    # Yes: 3 right of 5, answered 4 times. No: 4 right of 5, answered 5 times. One is unread.
    assert card["f1"].value == pytest.approx(0.5 * 2 * 3 / (5 + 4) + 0.5 * 2 * 4 / (5 + 5))
    assert card["delta_recall"].value == pytest.approx(4 / 5 - 3 / 5)
    assert card["delta_precision"].value == pytest.approx(4 / 5 - 3 / 4)
    assert card["yes_rate"].value == pytest.approx(0.4)
    assert card["acc/original"].value == pytest.approx(0.7)
    assert card["unread"].value == pytest.approx(0.1)
    assert card["f1"].n == card["delta_precision"].n == 10
    assert "prc" not in card
    assert "mbs" not in card
    assert math.isnan(card["std/f1"].value)
    assert card["std/f1"].n == 0


def test_consistency_by_hand():
    golds = "YYYYYNNNNN"
    card = binary_scorecard(
        run(
            golds,
            original="YYYNNNNNY-",
            synonym="YYNNNNNNY-",
            polite="YYYNYNN-Y-",
            contradictory="NNNYYYYYN-",
            false="NYNYYYYYNY",
            reversed="YYYNNNNNN-",
            repeat_2="YYYNNNNNYY",
            repeat_3="YYYNNNNY --",
        )
    )
    assert card["prc"].value == pytest.approx(6 / 10)  # not 3, 5, 8 and the unread 10
    assert card["nrc"].value == pytest.approx(8 / 10)  # not 2 and 10
    assert card["arc"].value == pytest.approx(8 / 10)  # not 9 and 10
    assert card["sc"].value == pytest.approx(7 / 9)  # 9 was not asked; not 8 and 10
    assert card["sc"].n == 9
    assert card["acc/contradictory"].value == pytest.approx(6 / 10)
    assert card["acc/false"].value == pytest.approx(6 / 10)
    assert card["acc/repeat_3"].n == 9


def test_figures_are_over_the_questions_that_have_what_they_compare():
    card = binary_scorecard(
        run(
            "YYYYNNNN",
            original="YYYYNNNN",
            synonym="YYNN    ",
            polite="YY  NNYY",
            contradictory="N       ",
            false=" YYY    ",
        )
    )
    assert (card["prc"].value, card["prc"].n) == (1.0, 2)
    assert (card["agree/synonym"].value, card["agree/synonym"].n) == (0.5, 4)
    assert (card["agree/polite"].value, card["agree/polite"].n) == (pytest.approx(4 / 6), 6)
    assert (card["agree/contradictory"].value, card["agree/false"].value) == (1.0, 0.0)
    coverage = {name: card[f"coverage/{name}"].value for name in ("synonym", "polite", "prc")}
    assert coverage == {"synonym": 0.5, "polite": 0.75, "prc": 0.25}
    assert card["coverage/false"].value == 3 / 8
    assert (card["coverage/nrc"].value, card["nrc"].n) == (0.0, 0)
    assert math.isnan(card["nrc"].value)
    assert card["coverage/prc"].n == 8


def test_questions_without_rewordings_do_not_widen_the_others_intervals():
    """Twice as many questions, half of them without rewordings: prc knows as much as before."""

    def answer(rng, gold, variant):
        return gold if rng.random() < 0.8 else opposite(gold)

    def widths(outcomes):
        card = binary_scorecard(outcomes)
        return {name: card[name].ci_high - card[name].ci_low for name in ("prc", "std/prc", "mbs")}

    complete = planted(400, answer)
    bare = [
        outcome(f"r{each.item}", each.variant, each.gold, each.answer, each.domain)
        for each in planted(400, answer, seed=1)
        if each.variant not in ("synonym", "polite", "contradictory", "false")
    ]
    alone, both = widths(complete), widths(complete + bare)
    for name, width in alone.items():
        assert both[name] < 1.1 * width, name


def test_published_protocol_compares_unread_answers_like_others():
    outcomes = run(
        "YYY", original="--Y", synonym="-YY", polite="-YY", contradictory="-NN", false="-NN"
    )
    corrected = binary_scorecard(outcomes)
    published = binary_scorecard(outcomes, protocol="published")
    assert corrected["prc"].value == corrected["nrc"].value == pytest.approx(1 / 3)
    assert published["prc"].value == pytest.approx(2 / 3)  # unread thrice is the same thrice
    assert published["nrc"].value == pytest.approx(2 / 3)  # unread is the opposite of No
    assert published["f1"] == corrected["f1"]


def test_epochs_are_compared_within_themselves():
    outcomes = [
        outcome("q", "original", "Yes", "Yes", epoch=1),
        outcome("q", "reversed", "Yes", "Yes", epoch=1),
        outcome("q", "original", "Yes", "No", epoch=2),
        outcome("q", "reversed", "Yes", "Yes", epoch=2),
        outcome("q", "original", "Yes", "No", epoch=3),  # its reversed answer is missing
    ]
    card = binary_scorecard(outcomes)
    assert card["arc"].value == 0.5
    assert card["acc/original"].value == pytest.approx(1 / 3)
    assert card["arc"].n == 1


@pytest.mark.parametrize("seed", range(5))
def test_classes_agree_with_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    golds = ["Yes"] * 17 + ["No"] * 40
    answers = rng.choice(["Yes", "No", "unread"], 57, p=(0.5, 0.3, 0.2)).tolist()
    outcomes = [
        outcome(f"q{i}", "original", gold, None if answer == "unread" else answer)
        for i, (gold, answer) in enumerate(zip(golds, answers, strict=True))
    ]
    card = binary_scorecard(outcomes)
    kind = {"labels": ["Yes", "No"], "average": None}
    precision, recall = (f(golds, answers, **kind) for f in (precision_score, recall_score))
    weighted = f1_score(golds, answers, labels=["Yes", "No"], average="weighted")
    assert card["f1"].value == pytest.approx(weighted)
    assert card["delta_recall"].value == pytest.approx(recall[1] - recall[0])
    assert card["delta_precision"].value == pytest.approx(precision[1] - precision[0])


def test_a_class_never_answered_has_no_precision():
    card = binary_scorecard(planted(40, lambda rng, gold, variant: "No"))
    assert card["f1"].value == pytest.approx(0.5 * 2 * 20 / (20 + 40))
    assert card["delta_recall"].value == 1
    for name in ("delta_precision", "a/delta_precision", "std/delta_precision", "mbs"):
        assert math.isnan(card[name].value), name
        assert card[name].n == 0
    assert card["std/f1"].n == 40
    assert card["nrc"].value == 0


def test_a_class_without_questions_has_no_recall_and_no_weight():
    card = binary_scorecard(run("YYYY", original="YYYN"))
    assert card["f1"].value == pytest.approx(2 * 3 / (4 + 3))
    assert card["delta_recall"].n == 0


def test_garbage_is_never_consistent():
    card = binary_scorecard(planted(50, lambda rng, gold, variant: None))
    assert [card[name].value for name in ("prc", "nrc", "arc", "sc", "f1", "yes_rate")] == [0] * 6
    assert card["unread"].value == 1


def test_a_perfect_respondent():
    def right(rng, gold, variant):
        return opposite(gold) if variant in NEGATIVE else gold

    card = binary_scorecard(planted(100, right))
    assert card["mbs"].value == pytest.approx(100)
    assert card["mbs"].ci_low < 99
    for name in CORE:
        assert card[name].ci_low < card[name].ci_high, name
        assert card[f"std/{name}"].value == 0
        assert card[f"std/{name}"].ci_high > 0, name


def test_a_coin_gets_what_a_coin_is_worth():
    card = binary_scorecard(planted(1000, lambda rng, gold, variant: LABELS[rng.integers(2)]))
    truth = {"f1": 0.5, "delta_recall": 0, "delta_precision": 0}
    truth |= {"prc": 0.25, "nrc": 0.25, "arc": 0.5, "sc": 0.25}
    truth["mbs"] = mbs(truth, dict.fromkeys(CORE, 0.0), DEFAULT_WEIGHTS)
    for name, value in truth.items():
        assert card[name].ci_low <= value <= card[name].ci_high, name
    for name in CORE:
        assert card[f"std/{name}"].ci_low == 0, name
    # The paper's own coin got 57.4: noise can only add to differences and deviations.
    assert 55.5 < card["mbs"].value < truth["mbs"] == pytest.approx(59.375)


def test_a_planted_respondent_is_recovered():
    """It leans to No, is weak under negation, and is unread at times."""

    def answer(rng, gold, variant):
        if rng.random() < 0.1:
            return None
        seen = gold if gold == "No" or rng.random() < 0.7 else "No"
        turned = variant in NEGATIVE and rng.random() < 0.8
        return opposite(seen) if turned else seen

    card = binary_scorecard(planted(2000, answer))
    yes, no = 0.9 * 0.7, 0.9
    truth = {
        "delta_recall": no - yes,
        "delta_precision": 1 / 1.3 - 1,
        "f1": 0.5 * 2 * yes / (1 + yes) + 0.5 * 2 * no / (1 + no + 0.27),
        "yes_rate": yes / 2,
        "unread": 0.1,
        "acc/original": (yes + no) / 2,
        "acc/false": 0.5 * 0.9 * (0.7 * 0.8 + 0.3 * 0.2) + 0.5 * 0.9 * 0.8,
        "arc": 0.81 * 0.5 * (1 + 0.7**2 + 0.3**2),
        "sc": 0.729 * 0.5 * (1 + 0.7**3 + 0.3**3),
    }
    for name, value in truth.items():
        assert card[name].ci_low <= value <= card[name].ci_high, name
        assert card[name].ci_high - card[name].ci_low < 0.1, name


def test_deviations_see_domains_that_differ():
    rates = {"a": 0.5, "b": 0.6, "c": 0.9, "d": 0.95}
    rng = np.random.default_rng(3)
    outcomes = []
    for i in range(1600):
        domain, gold = "abcd"[i % 4], LABELS[i // 4 % 2]
        right = rng.random() < rates[domain]
        outcomes.append(
            outcome(f"q{i}", "original", gold, gold if right else opposite(gold), domain)
        )
    figure = binary_scorecard(outcomes)["std/f1"]
    assert 0.1 < figure.ci_low < float(np.std(list(rates.values()))) < figure.ci_high < 0.26


def test_domains_and_composites_are_there_for_what_was_run():
    outcomes = planted(40, lambda rng, gold, variant: gold, domains=("a", "b"))
    card = binary_scorecard([o for o in outcomes if o.variant in ("original", "reversed")])
    assert card["domains"].value == 2
    assert {"a/f1", "b/arc", "std/arc", "a/acc/reversed", "b/unread", "a/yes_rate"} <= set(card)
    assert not {"mbs", "prc", "std/prc", "a/prc", "acc/synonym"} & set(card)
    only = binary_scorecard(outcomes, weights={"f1": 1, "arc": 1})
    some = [o for o in outcomes if o.variant in ("original", "reversed")]
    assert binary_scorecard(some, weights={"f1": 1, "arc": 1})["mbs"].value == only["mbs"].value


def test_one_domain_has_no_deviation_and_no_score():
    card = binary_scorecard(planted(40, lambda rng, gold, variant: gold, domains=("a",)))
    assert "mbs" not in card
    for name in ("std/f1", "std/sc"):
        assert math.isnan(card[name].value)
        assert card[name].n == 0


def test_a_single_cluster_has_values_without_bounds():
    outcomes = [
        outcome(f"q{i}", v, LABELS[i % 2], LABELS[i % 3 % 2], domain, cluster=domain)
        for i in range(12)
        for v in VARIANTS
        for domain in ("ab"[i // 6],)
    ]
    card = binary_scorecard(outcomes)
    for name in ("a/f1", "a/delta_recall", "a/delta_precision", "a/prc", "std/f1", "mbs"):
        assert not math.isnan(card[name].value), name
        assert math.isnan(card[name].ci_low), name
        assert math.isnan(card[name].ci_high), name


def test_no_outcomes_give_no_figures():
    assert binary_scorecard([]) == {}


GOOD = outcome("q1", "original", "Yes", "No")


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (GOOD, "item 'q1': variant 'original' stands twice in epoch 1"),
        (outcome("q1", "shouted", "Yes", "No"), "item 'q1': variant 'shouted' is unknown"),
        (outcome("q2", "original", "True", "No"), "item 'q2'.* gold label 'True'"),
        (outcome("q2", "original", "Yes", "yes"), "item 'q2'.* answer 'yes'"),
        (outcome("q1", "polite", "No", "No"), "item 'q1'.* gold 'No', .* 'Yes'"),
        (outcome("q1", "polite", "Yes", "No", domain="e"), "item 'q1'.* domain 'e', .* 'd'"),
        (outcome("q1", "polite", "Yes", "No", cluster="c"), "item 'q1'.* cluster 'c', .* 'q1'"),
    ],
)
def test_wrong_outcomes_are_named(bad, reason):
    with pytest.raises(ValueError, match=reason):
        binary_scorecard([GOOD, bad])


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ({"f1": 1, "accuracy": 1}, "unknown in weights: accuracy"),
        ({"f1": -0.1}, "weight of f1"),
        ({"f1": math.nan}, "weight of f1"),
        ({"f1": 0.0}, "all 0"),
        ({}, "all 0"),
    ],
)
def test_wrong_weights_are_refused_even_without_outcomes(weights, reason):
    with pytest.raises(ValueError, match=reason):
        binary_scorecard([], weights=weights)


def test_only_proportions_of_weights_count():
    outcomes = planted(60, lambda rng, gold, variant: LABELS[rng.integers(2)])
    one = binary_scorecard(outcomes, weights={"f1": 0.2, "prc": 0.6})["mbs"]
    three = binary_scorecard(outcomes, weights={"f1": 1, "prc": 3, "sc": 0})["mbs"]
    assert one.value == pytest.approx(three.value)
    card = binary_scorecard(outcomes)
    core = 90 * (0.25 * card["f1"].value + 0.75 * card["prc"].value)
    std = 10 * (1 - 2 * (0.25 * card["std/f1"].value + 0.75 * card["std/prc"].value))
    assert one.value == pytest.approx(core + std)


def test_wrong_protocol_is_refused():
    with pytest.raises(ValueError, match="protocol is 'paper'"):
        binary_scorecard([GOOD], protocol="paper")


def test_overall_figures_pool_the_domains():
    """As the paper does: its printed differences of precision are not the domains' mean."""
    counts = np.array([[[8.0, 2.0], [1.0, 9.0]], [[9.0, 1.0], [6.0, 4.0]]])
    support = counts.sum(axis=-1)
    outcomes = [
        outcome(f"{d}{gold}{answer}{i}", "original", LABELS[gold], LABELS[answer], f"d{d}")
        for d, gold, answer in np.ndindex(2, 2, 2)
        for i in range(int(counts[d, gold, answer]))
    ]
    card = binary_scorecard(outcomes)
    for name, figure in FIGURES.items():
        pooled = figure(counts.sum(axis=0), support.sum(axis=0))
        assert card[name].value == pytest.approx(float(pooled))
        assert card[f"std/{name}"].value == pytest.approx(np.std(figure(counts, support)))


def test_questions_are_scored_in_linear_time():
    def scored(questions):
        outcomes = planted(questions, lambda rng, gold, variant: LABELS[rng.integers(2)])
        return lambda: binary_scorecard(outcomes)

    assert growth(scored, 200) < 5
    with cpu_limit(100, "8,000 answers"):  # what numpy does, too
        scored(1000)()


def test_averages_over_domains_by_hand():
    """Each domain counts alike, however many questions it has (tables 3 to 6)."""
    rows = {"a": ("YYYYNNNN", "YYYYNNNY", "YYYYNNYY"), "b": ("YN", "NN", "NN")}
    outcomes = [
        outcome(f"{domain}{i}", variant, ANSWER[gold], ANSWER[answers[i]], domain)
        for domain, (golds, original, turned) in rows.items()
        for variant, answers in (("original", original), ("reversed", turned))
        for i, gold in enumerate(golds)
    ]
    card = binary_scorecard(outcomes)
    assert card["average/arc"].value == pytest.approx((7 / 8 + 1) / 2)
    assert card["arc"].value == pytest.approx(9 / 10)
    assert card["average/delta_recall"].value == pytest.approx((-1 / 4 + 1) / 2)
    f1 = (0.5 * 8 / 9 + 0.5 * 6 / 7, 0.5 * 2 / 3)
    assert card["average/f1"].value == pytest.approx(sum(f1) / 2)
    assert card["average/f1"].n == 10
    # Nothing was answered Yes in b, so that precision is not defined there.
    assert math.isnan(card["average/delta_precision"].value)
    assert card["average/delta_precision"].n == 0
    assert not {"average/prc", "average/sc"} & set(card)
    for name in ("average/arc", "average/f1", "average/delta_recall"):
        assert card[name].ci_low < card[name].value < card[name].ci_high <= 1


def test_averages_over_domains_of_one_size_are_the_shares_over_all_questions():
    card = binary_scorecard(
        planted(100, lambda rng, gold, variant: LABELS[int(rng.random() < 0.6)])
    )
    for name in ("prc", "nrc", "arc", "sc"):
        average, share = card[f"average/{name}"], card[name]
        assert astuple(average)[:4] == pytest.approx(astuple(share)[:4])
    assert card["average/delta_recall"].value == pytest.approx(card["delta_recall"].value)


def test_one_domain_has_no_average():
    card = binary_scorecard(run("YYNN", original="YYNN", reversed="YYNN"))
    assert not [name for name in card if name.startswith("average/")]


def test_a_lean_of_all_domains_may_be_below_0():
    card = binary_scorecard(planted(200, lambda rng, gold, variant: "Yes"))
    assert card["average/delta_recall"].value == -1
    assert card["average/delta_recall"].ci_low == -1 < card["average/delta_recall"].ci_high < 0
