"""Differences between two scorecards over the same items."""

import numpy as np
import pytest

from bias_tasks.statistics.effective_size import WeightedSample
from bias_tasks.statistics.paired_metrics import (
    UNKNOWN,
    Replicated,
    correlation,
    group_clusters,
    paired_metrics,
    replicates,
)
from bias_tasks.statistics.rate_intervals import rate


def card_of(right, clusters=None, gold=None):
    """The scorecard of a run: the share of right answers, by their places."""
    codes = np.arange(right.size) if clusters is None else clusters
    strata = np.zeros_like(codes) if gold is None else gold

    def card(places):
        sample = WeightedSample(
            right[places].astype(float), codes[places], strata[places], np.ones(places.size)
        )
        return {"acc": rate(sample)}

    return card


def items(n):
    return [f"item {place}" for place in range(n)]


def pair(first, second, names, kinds=None):
    groups = group_clusters(names, kinds or [""] * len(names))
    runs = [
        Replicated(card(np.arange(len(names))), replicates(card, names, groups))
        for card in (first, second)
    ]
    return paired_metrics(*runs, groups)["acc"]


def drawn(seed, n, shared):
    """Answers of two models, of which a share is the same draw, and the items' names."""
    rng = np.random.default_rng(seed)
    luck, own = rng.random(n), rng.random((2, n))
    same = rng.random(n) < shared
    right = [np.where(same, luck, each) < 0.7 for each in own]
    return right, items(n)


@pytest.mark.parametrize("n", [400, 10_000])
def test_the_correlation_is_the_one_that_is_planted(n):
    """400 items are left out in groups; of 10,000 groups are looked at alone."""
    found = []
    for seed in range(8):
        (first, second), names = drawn(seed, n, 0.6)
        found.append(pair(card_of(first), card_of(second), names).correlation)
    assert np.mean(found) == pytest.approx(0.6, abs=0.15)


def test_pairs_that_err_together_have_a_narrower_interval():
    widths = []
    for shared in (0.0, 0.9):
        (first, second), names = drawn(1, 400, shared)
        change = pair(card_of(first), card_of(second), names).difference
        assert change.ci_low <= 0 <= change.ci_high
        widths.append(change.ci_high - change.ci_low)
    assert widths[1] < 0.6 * widths[0]


def test_what_the_design_fixes_is_no_common_error():
    """Both are right where gold is a, and wrong where it is b, but for luck of their own."""
    rng = np.random.default_rng(0)
    gold = np.arange(300) % 2
    runs = [rng.random(300) < np.where(gold == 0, 0.9, 0.1) for _ in range(2)]
    names = items(300)
    cards = [card_of(right, gold=gold) for right in runs]
    assert abs(pair(*cards, names, [str(each) for each in gold]).correlation) < 0.4
    # Left to chance, groups differ in how many of each kind they hold, and both models follow it.
    shuffled = rng.permutation(300)
    groups = group_clusters(names, [""] * 300)
    scrambled = {name: int(shuffled[place]) % groups.count for place, name in enumerate(names)}
    unbalanced = type(groups)(scrambled, groups.count, groups.separate, groups.kinds)
    values = [replicates(card, names, unbalanced)["acc"] for card in cards]
    assert correlation(*values, unbalanced).value > 0.4


def test_few_clusters_leave_the_correlation_unknown():
    (first, second), _ = drawn(0, 40, 0.9)
    names = [f"passage {place % 5}" for place in range(40)]
    clusters = np.arange(40) % 5
    found = pair(card_of(first, clusters), card_of(second, clusters), names)
    assert found.correlation == UNKNOWN.value == 0.0


def test_a_figure_that_never_varies_is_not_shown_to_be_the_same():
    """Two models without a wrong answer may still differ where nobody looked."""
    every = np.ones(100, dtype=bool)
    change = pair(card_of(every), card_of(every), items(100)).difference
    assert change.value == 0
    assert change.ci_low < -0.02 < 0.02 < change.ci_high
    assert change.p == 1


def test_the_smallest_difference_is_2_8_standard_errors():
    rng = np.random.default_rng(0)
    first, second = (card_of(rng.random(400) < 0.5) for _ in range(2))
    found = pair(first, second, items(400))
    # Two shares of 0.5 over 400 items: se = sqrt(2 * 0.25 / 400) = 0.0354.
    assert found.mde == pytest.approx(2.8 * 0.0354, rel=0.15)
