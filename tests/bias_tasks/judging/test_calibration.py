"""A judge against people's labels, by hand and by other libraries."""

import math

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score

from bias_tasks.families import load_family
from bias_tasks.family import Outcome

FAMILY = load_family("judging")


def verdict(item, answer, human, shown=(1, 2), cluster=None, epoch=1, variant="plain"):
    own = {"way": variant, "shown": list(shown), "dressed": 1, "human": list(human)}
    return Outcome(item, cluster or item, variant, "", answer, None, "", epoch=epoch, own=own)


def scored(item, scores, human):
    return [
        Outcome(
            item,
            item,
            f"plain/{number}",
            None,
            str(score),
            score,
            "",
            own={
                "way": "plain",
                "shown": [1, 2],
                "dressed": 1,
                "response": number,
                "right": None,
                "human": list(human),
            },
        )
        for number, score in enumerate(scores, start=1)
    ]


def test_agreement_and_kappa_by_hand():
    card = FAMILY.scorecard(
        [
            verdict("a", "1", (3, 1)),
            verdict("b", "2", (3, 1)),
            verdict("c", "tie", (1, 2)),
            verdict("d", "1", (5, 5)),
            verdict("e", None, (1, 0)),
            # shown the other way round: people's first is the second here
            verdict("f", "1", (2, 1), shown=(2, 1)),
        ],
        {},
    )
    assert (card["human_agreement"].value, card["human_agreement"].n) == (2.5 / 5, 5)
    people = ["first", "first", "second", "tie", "second"]
    judge = ["first", "second", "tie", "first", "second"]
    assert card["human_kappa"].value == pytest.approx(cohen_kappa_score(people, judge))
    # seen 2/5; by chance (2 * 2 + 2 * 2 + 1 * 1) / 25
    assert card["human_kappa"].value == pytest.approx((2 / 5 - 9 / 25) / (1 - 9 / 25))
    assert card["human_kappa"].n == 5


def test_perfect_agreement_keeps_a_width():
    rows = [verdict(str(k), str(1 + k % 2), (1 - k % 2, k % 2)) for k in range(20)]
    card = FAMILY.scorecard(rows, {})
    for name in ("human_agreement", "human_kappa"):
        assert card[name].value == card[name].ci_high == 1
        assert 0.5 < card[name].ci_low < 1


def test_epochs_count_as_one_item_and_clusters_widen():
    rows = [verdict(str(k), str(1 + k % 3 // 2), (1 - k % 2, k % 2)) for k in range(30)]
    once = FAMILY.scorecard(rows, {})
    again = [verdict(each.item, each.answer, each.own["human"], epoch=2) for each in rows]
    assert FAMILY.scorecard([*rows, *again], {})["human_kappa"] == once["human_kappa"]
    copies = [
        verdict(f"{each.item}b", each.answer, each.own["human"], cluster=each.item) for each in rows
    ]
    twice = FAMILY.scorecard([*rows, *copies], {})
    assert twice["human_kappa"].value == pytest.approx(once["human_kappa"].value)
    width = once["human_kappa"].ci_high - once["human_kappa"].ci_low
    assert twice["human_kappa"].ci_high - twice["human_kappa"].ci_low > 0.9 * width


def test_one_answer_alone_has_no_kappa():
    card = FAMILY.scorecard([verdict(str(k), "1", (1, 0)) for k in range(5)], {})
    assert math.isnan(card["human_kappa"].value)
    assert card["human_agreement"].value == 1


def test_scores_are_ranked_against_peoples():
    given = [(1, 4, (1.0, 2.0)), (6, 5, (4.0, 5.0)), (9, 9, (7.0, 3.0))]
    rows = [each for k, (a, b, human) in enumerate(given) for each in scored(str(k), (a, b), human)]
    card = FAMILY.scorecard(rows, {})
    judge, people = [1, 4, 6, 5, 9, 9], [1, 2, 4, 5, 7, 3]
    assert card["human_rank"].value == pytest.approx(spearmanr(judge, people).statistic)
    left = 1 - np.corrcoef(judge, people)[0, 1] ** 2
    assert card["human_unexplained"].value == pytest.approx(left)
    for name in ("human_rank", "human_unexplained"):
        assert card[name].n == 6
        assert card[name].ci_low < card[name].value < card[name].ci_high
    # of the pairs, the two that are not tied: one as people say, one not; the tie counts as half
    assert card["human_agreement"].value == pytest.approx(0.5)


def test_a_scale_of_its_own_is_no_error():
    rows = [
        each for k in range(5) for each in scored(str(k), (k + 1, k + 2), (10 * k, 10 * (k + 1)))
    ]
    card = FAMILY.scorecard(rows, {})
    assert card["human_rank"].value == pytest.approx(1)
    assert card["human_unexplained"].value == pytest.approx(0)
    assert 0 < card["human_unexplained"].ci_high < 1


def test_probes_do_not_count_and_labels_may_be_missing():
    card = FAMILY.scorecard([verdict("a", "1", ()), verdict("b", "1", ())], {})
    assert not any(name.startswith("human") for name in card)
    rows = [verdict("a", "1", (1, 0)), verdict("a", "2", (1, 0), variant="verbosity")]
    assert FAMILY.scorecard(rows, {})["human_agreement"].n == 1


@pytest.mark.parametrize("skill", [0.0, 0.7])
def test_limits_hold_what_is_true(skill):
    """Scores that share a part with people's labels, on pairs whose labels have one too."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(40):
        rows = []
        for item in range(40):
            human = rng.normal(size=2)
            score = skill * human + math.sqrt(1 - skill**2) * rng.normal(size=2)
            rows += scored(str(item), np.clip(5 + 1.2 * score, 1, 10), human)
        limits = FAMILY.scorecard(rows, {})["human_unexplained"]
        held += limits.ci_low <= 1 - skill**2 <= limits.ci_high
    assert held >= 34
