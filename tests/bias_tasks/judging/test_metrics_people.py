"""A judge against people's labels, by hand and by other libraries."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score

from bias_tasks.contract.family import Outcome
from bias_tasks.families import load_family

FAMILY = load_family("judging")


def verdict(item, answer, human, shown=(1, 2), cluster=None, epoch=1, variant="plain"):
    own = {"way": variant, "shown": list(shown), "dressed": 1, "human": list(human)}
    return Outcome(item, cluster or item, variant, "", answer, None, "", epoch=epoch, own=own)


def scored(item, scores, human):
    own = {"way": "plain", "shown": [1, 2], "dressed": 1, "right": None, "human": list(human)}
    return [
        Outcome(item, item, f"plain/{n}", None, str(s), s, "", own={**own, "response": n})
        for n, s in enumerate(scores, start=1)
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
