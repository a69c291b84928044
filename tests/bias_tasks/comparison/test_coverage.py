"""A smaller version of the study of how often compare is right."""

import numpy as np
import pytest
from scipy.stats import binom

from bias_tasks.statistics.delete_groups import deal, replicates
from bias_tasks.statistics.effective_size import WeightedSample
from bias_tasks.statistics.intervals import rate
from bias_tasks.statistics.paired_cards import Replicated, paired_figures

PAIRS, N, SHIFT = 300, 120, 0.15


def compared(rng, shift):
    """One figure of two models on the same items, which are hard or easy for both."""
    ease = np.clip(rng.beta(2.1, 0.9, N), 0, 1 - max(shift, 0.0))
    names = [str(place) for place in range(N)]
    groups = deal(names, [""] * N)

    def replicated(right):
        def card(places):
            zeros = np.zeros(places.size, dtype=int)
            return {"acc": rate(WeightedSample(right[places], places, zeros, np.ones(places.size)))}

        return Replicated(card(np.arange(N)), replicates(card, names, groups))

    models = [(rng.random(N) < chance).astype(float) for chance in (ease, ease + shift)]
    return paired_figures(*map(replicated, models), groups)["acc"]


@pytest.fixture(scope="module")
def alike():
    rng = np.random.default_rng(1)
    return [compared(rng, 0.0) for _ in range(PAIRS)]


@pytest.fixture(scope="module")
def differing():
    rng = np.random.default_rng(2)
    return [compared(rng, SHIFT) for _ in range(PAIRS)]


def test_models_that_are_alike_seldom_seem_to_differ(alike):
    alarms = sum(each.difference.p < 0.05 for each in alike)
    # 6.5 % give at most this many in all but one case in ten thousand.
    assert alarms <= binom.ppf(1 - 1e-4, PAIRS, 0.065)
    assert alarms >= binom.ppf(1e-4, PAIRS, 0.035)


def test_a_difference_is_found_as_often_as_the_smallest_one_says(differing):
    found = np.mean([each.difference.p < 0.05 for each in differing])
    errors = np.array([each.smallest / 2.8016 for each in differing])
    noise = np.random.default_rng(0).standard_normal((200, 1))
    planned = np.mean(np.abs(SHIFT / errors + noise) > 1.96)
    assert found == pytest.approx(planned, abs=0.09)


def test_a_true_difference_of_the_margin_is_seldom_equivalent(differing):
    inside = [
        each.difference.ci_low > -SHIFT and each.difference.ci_high < SHIFT for each in differing
    ]
    assert sum(inside) <= binom.ppf(1 - 1e-4, PAIRS, 0.05)
