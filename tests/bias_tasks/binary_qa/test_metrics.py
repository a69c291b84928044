"""Figures of small runs counted by hand and of planted respondents, the paper's printed tables, and
what holds of any run."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from bias_tasks.binary_qa.family import FAMILY
from bias_tasks.binary_qa.items import NEGATIVE, VARIANTS, opposite
from bias_tasks.binary_qa.metrics_mbs import CORE, DEFAULT_WEIGHTS, mbs
from bias_tasks.contract.family import Outcome

LABELS = ("Yes", "No")
ANSWER = {"Y": "Yes", "N": "No", "-": None}


def outcome(item, variant, original, answer, domain="d", epoch=1, cluster=None):
    """One answer; `original` is the right one to the original question."""
    gold = opposite(original) if variant in NEGATIVE and original in LABELS else original
    own = {"domain": domain, "answer_to_original": original}
    score = float(answer == gold)
    return Outcome(item, cluster or item, variant, gold, answer, score, "", epoch=epoch, own=own)


def scorecard(outcomes, **options):
    card = FAMILY.scorecard(outcomes, options)
    more = {"items", "above_chance", "can_tell"}
    return {name: figure for name, figure in card.items() if name not in more}


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
    card = scorecard(run("YYYYYNNNNN", original="YYYN-NNNNY"))
    # Yes: 3 right of 5, answered 4 times. No: 4 right of 5, answered 5 times. One is unread.
    expected = {
        **{"f1": 0.5 * 2 * 3 / (5 + 4) + 0.5 * 2 * 4 / (5 + 5), "delta_recall": 4 / 5 - 3 / 5},
        **{"delta_precision": 4 / 5 - 3 / 4, "yes_rate": 0.4, "acc/original": 0.7, "unread": 0.1},
    }
    assert {name: card[name].value for name in expected} == pytest.approx(expected)
    assert card["f1"].n == card["delta_precision"].n == 10
    assert not {"prc", "mbs"} & set(card)
    assert math.isnan(card["std/f1"].value)
    assert card["std/f1"].n == 0


def test_consistency_by_hand():
    answers = {
        **{"original": "YYYNNNNNY-", "synonym": "YYNNNNNNY-", "polite": "YYYNYNN-Y-"},
        **{"contradictory": "NNNYYYYYN-", "false": "NYNYYYYYNY", "reversed": "YYYNNNNNN-"},
        **{"repeat_2": "YYYNNNNNYY", "repeat_3": "YYYNNNNY --"},
    }
    card = scorecard(run("YYYYYNNNNN", **answers))
    assert card["prc"].value == pytest.approx(6 / 9)  # not 3, 5 and 8; 10 is unread everywhere
    assert card["nrc"].value == pytest.approx(8 / 10)  # not 2 and 10, which was read once
    assert card["arc"].value == pytest.approx(8 / 9)  # not 9
    assert card["sc"].value == pytest.approx(7 / 9)  # 9 was not asked; not 8 and 10
    assert card["sc"].n == 9
    assert card["acc/contradictory"].value == pytest.approx(6 / 10)
    assert card["acc/false"].value == pytest.approx(6 / 10)
    assert card["acc/repeat_3"].n == 9


def test_figures_are_over_the_questions_that_have_what_they_compare():
    answers = {"original": "YYYYNNNN", "synonym": "YYNN    ", "polite": "YY  NNYY"}
    answers |= {"contradictory": "N       ", "false": " YYY    "}
    card = scorecard(run("YYYYNNNN", **answers))
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


def test_published_protocol_compares_unread_answers_like_others():
    outcomes = run(
        "YYY", original="--Y", synonym="-YY", polite="-YY", contradictory="-NN", false="-NN"
    )
    corrected = scorecard(outcomes)
    published = scorecard(outcomes, protocol="published")
    assert corrected["prc"].value == corrected["nrc"].value == 1 / 2  # of two
    assert published["prc"].value == pytest.approx(2 / 3)  # unread thrice is the same thrice
    assert published["nrc"].value == pytest.approx(2 / 3)  # unread is the opposite of No
    assert published["f1"] == corrected["f1"]


def test_epochs_are_compared_within_themselves():
    """Of the third the reversed answer is missing."""
    said = [("original", "Yes", 1), ("reversed", "Yes", 1), ("original", "No", 2)]
    said += [("reversed", "Yes", 2), ("original", "No", 3)]
    card = scorecard([outcome("q", v, "Yes", answer, epoch=epoch) for v, answer, epoch in said])
    assert (card["arc"].value, card["arc"].n) == (0.5, 1)
    assert card["acc/original"].value == pytest.approx(1 / 3)


def test_classes_agree_with_scikit_learn():
    rng = np.random.default_rng(0)
    golds = ["Yes"] * 17 + ["No"] * 40
    answers = rng.choice(["Yes", "No", "unread"], 57, p=(0.5, 0.3, 0.2)).tolist()
    outcomes = [
        outcome(f"q{i}", "original", gold, None if answer == "unread" else answer)
        for i, (gold, answer) in enumerate(zip(golds, answers, strict=True))
    ]
    card = scorecard(outcomes)
    kind = {"labels": ["Yes", "No"], "average": None}
    precision, recall = (f(golds, answers, **kind) for f in (precision_score, recall_score))
    weighted = f1_score(golds, answers, labels=["Yes", "No"], average="weighted")
    assert card["f1"].value == pytest.approx(weighted)
    assert card["delta_recall"].value == pytest.approx(recall[1] - recall[0])
    assert card["delta_precision"].value == pytest.approx(precision[1] - precision[0])


def test_what_has_no_denominator_is_nan():
    card = scorecard(planted(40, lambda rng, gold, variant: "No"))
    assert card["f1"].value == pytest.approx(0.5 * 2 * 20 / (20 + 40))
    assert card["delta_recall"].value == 1
    for name in ("delta_precision", "a/delta_precision", "std/delta_precision", "mbs"):
        assert math.isnan(card[name].value), name
        assert card[name].n == 0
    assert card["std/f1"].n == 40
    assert card["nrc"].value == 0
    one_class = scorecard(run("YYYY", original="YYYN"))
    assert one_class["f1"].value == pytest.approx(2 * 3 / (4 + 3))
    assert one_class["delta_recall"].n == 0
    one_domain = scorecard(planted(40, lambda rng, gold, variant: gold, domains=("a",)))
    assert "mbs" not in one_domain
    assert math.isnan(one_domain["std/f1"].value)
    garbage = scorecard(planted(50, lambda rng, gold, variant: None))
    for name in ("f1", "yes_rate"):
        assert garbage[name].value == 0, name
    for name in ("prc", "nrc", "arc", "sc"):
        assert math.isnan(garbage[name].value), name
    assert garbage["unread"].value == 1


def test_there_is_no_score_where_too_few_questions_are_reworded():
    whole = planted(100, lambda rng, gold, variant: LABELS[rng.integers(2)])

    def without(kind, count, domain=None):
        """The run without the rewording in the first questions, of one domain or of all."""
        bare = dict.fromkeys(o.item for o in whole if domain in (None, o.own["domain"]))
        bare = [*bare][:count]
        return [o for o in whole if o.variant != kind or o.item not in bare]

    for outcomes, weights, there in (
        (without("polite", 10), None, True),
        (without("polite", 11), None, False),
        (without("false", 20, "a"), None, False),
        (without("false", 20, "a"), {"nrc": 1}, False),
        (without("false", 100), {"f1": 1, "prc": 1}, True),
    ):
        options = {"weights": weights} if weights else {}
        assert math.isnan(scorecard(outcomes, **options)["mbs"].value) is not there


def test_a_perfect_respondent_and_a_coin():
    card = scorecard(planted(100, lambda _, gold, v: opposite(gold) if v in NEGATIVE else gold))
    assert card["mbs"].value == pytest.approx(100)
    assert card["mbs"].ci_low < 99
    for name in CORE:
        assert card[name].ci_low < card[name].ci_high, name
        assert card[f"std/{name}"].value == 0 < card[f"std/{name}"].ci_high, name
    card = scorecard(planted(1000, lambda rng, gold, variant: LABELS[rng.integers(2)]))
    truth = {"f1": 0.5, "delta_recall": 0, "delta_precision": 0}
    truth |= {"prc": 0.25, "nrc": 0.25, "arc": 0.5, "sc": 0.25}
    truth["mbs"] = mbs(truth, dict.fromkeys(CORE, 0.0), DEFAULT_WEIGHTS)
    for name, value in truth.items():
        assert card[name].ci_low <= value <= card[name].ci_high, name
    assert all(card[f"std/{name}"].ci_low == 0 for name in CORE)
    # The paper's own coin got 57.4: noise can only add to differences and deviations.
    assert 55.5 < card["mbs"].value < truth["mbs"] == pytest.approx(59.375)


def test_only_proportions_of_weights_count():
    outcomes = planted(60, lambda rng, gold, variant: LABELS[rng.integers(2)])
    one = scorecard(outcomes, weights={"f1": 0.2, "prc": 0.6})["mbs"]
    three = scorecard(outcomes, weights={"f1": 1, "prc": 3, "sc": 0})["mbs"]
    assert one.value == pytest.approx(three.value)
    card = scorecard(outcomes)
    core = 90 * (0.25 * card["f1"].value + 0.75 * card["prc"].value)
    std = 10 * (1 - 2 * (0.25 * card["std/f1"].value + 0.75 * card["std/prc"].value))
    assert one.value == pytest.approx(core + std)


def test_averages_over_domains_by_hand():
    """Each domain counts alike, however many questions it has (tables 3 to 6)."""
    rows = {"a": ("YYYYNNNN", "YYYYNNNY", "YYYYNNYY"), "b": ("YN", "NN", "NN")}
    outcomes = [
        outcome(f"{domain}{i}", variant, ANSWER[gold], ANSWER[answers[i]], domain)
        for domain, (golds, original, turned) in rows.items()
        for variant, answers in (("original", original), ("reversed", turned))
        for i, gold in enumerate(golds)
    ]
    card = scorecard(outcomes)
    assert card["average/arc"].value == pytest.approx((7 / 8 + 1) / 2)
    assert card["std/arc"].value == pytest.approx((1 - 7 / 8) / 2)  # of the population of two
    assert card["arc"].value == pytest.approx(9 / 10)
    assert card["average/delta_recall"].value == pytest.approx((-1 / 4 + 1) / 2)
    assert card["f1"].value == pytest.approx(0.8)  # each class: 4 right of 5 and of 5
    f1 = (0.5 * 8 / 9 + 0.5 * 6 / 7, 0.5 * 2 / 3)
    assert card["average/f1"].value == pytest.approx(sum(f1) / 2)
    assert card["average/f1"].n == 10
    # Nothing was answered Yes in b, so that precision is not defined there.
    assert math.isnan(card["average/delta_precision"].value)
    assert card["average/delta_precision"].n == 0
    assert not {"average/prc", "average/sc"} & set(card)
    for name in ("average/arc", "average/f1", "average/delta_recall"):
        assert card[name].ci_low < card[name].value < card[name].ci_high <= 1


def test_wrong_outcomes_and_weights_are_named():
    good = outcome("q1", "original", "Yes", "No")
    for bad, reason in (
        (good, "item 'q1': variant 'original' stands twice in epoch 1"),
        (outcome("q1", "shouted", "Yes", "No"), "variant 'shouted' is unknown"),
        (outcome("q2", "original", "True", "No"), "gold label 'True' is unknown"),
        (outcome("q2", "original", "Yes", "yes"), "answer 'yes' is unknown: expected Yes, No"),
    ):
        with pytest.raises(ValueError, match=reason):
            scorecard([good, bad])
    for weights, reason in (
        ({"f1": 1, "accuracy": 1}, "unknown in weights: accuracy"),
        ({"f1": -0.1}, "weight of f1"),
        ({"f1": math.nan}, "weight of f1"),
        ({"f1": 0.0}, "all 0"),
        ({}, "all 0"),
    ):
        with pytest.raises(ValueError, match=reason):
            scorecard([good], weights=weights)


def test_score_of_all_sixteen_rows(golden):
    tables = json.loads((golden / "binary_qa_tables.json").read_text(encoding="utf-8"))
    assert len(tables["overall"]) == 16
    for model, row in tables["overall"].items():
        score = mbs(row, tables["stdev_over_domains"][model], DEFAULT_WEIGHTS)
        assert score == pytest.approx(row["mbs"], abs=0.3), model


@st.composite
def runs(draw):
    """Outcomes of up to ten questions in up to four clusters of each domain."""
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


def same(found, expected):
    assert found.keys() == expected.keys()
    for name, figure in expected.items():
        for field in ("value", "ci_low", "ci_high", "n"):
            wanted = pytest.approx(getattr(figure, field), abs=1e-6, nan_ok=True)
            assert getattr(found[name], field) == wanted, (name, field)


@given(runs(), st.randoms(use_true_random=False))
def test_figures_of_any_run_stay_in_their_range_and_know_no_names_and_no_order(outcomes, random):
    card = scorecard(outcomes)
    for name, figure in card.items():
        assert math.isnan(figure.value) == (figure.n == 0), name
        assert math.isnan(figure.ci_low) == math.isnan(figure.ci_high), name
        if not math.isnan(figure.ci_low):
            signed = "delta" in name and "std" not in name
            highest = {"mbs": 100, "domains": 2}.get(name, math.inf if "std" in name else 1)
            assert (-1 if signed else 0) <= figure.ci_low <= figure.value, name
            assert figure.value <= figure.ci_high <= highest, name
    renamed = [
        replace(o, item=f"i{9 - int(o.item)}", cluster=f"c{o.cluster}", epoch=7) for o in outcomes
    ]
    same(scorecard(random.sample(renamed, len(renamed))), card)
    same(scorecard([replace(o, epoch=epoch) for o in outcomes for epoch in (1, 2)]), card)


@given(runs())
def test_swapped_labels_turn_differences_round_and_unread_answers_agree_with_nothing(outcomes):
    swapped = []
    for o in outcomes:
        turned = opposite(o.own["answer_to_original"]), o.answer and opposite(o.answer)
        swapped.append(outcome(o.item, o.variant, *turned, o.own["domain"], cluster=o.cluster))
    here, there = scorecard(outcomes), scorecard(swapped)
    for name in here.keys() - {"yes_rate", "a/yes_rate", "b/yes_rate"}:
        sign = -1 if "delta" in name and "std" not in name else 1
        wanted = pytest.approx(sign * here[name].value, abs=1e-9, nan_ok=True)
        assert there[name].value == wanted, name
    blanked = [replace(o, answer=None) if o.variant == "original" else o for o in outcomes]
    card = scorecard(blanked)
    for name in ("prc", "nrc", "arc", "sc", "f1"):
        assert card.get(name) is None or card[name].n == 0 or card[name].value == 0
