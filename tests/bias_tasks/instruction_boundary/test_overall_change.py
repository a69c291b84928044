"""The change of accuracy over all settings, and that its interval is continuous.

`benchmarks/coverage` studies how often it covers the truth.
"""

import math
from itertools import pairwise

import numpy as np
import pytest

from bias_tasks.instruction_boundary.metrics import compute_metrics
from tests.bias_tasks.instruction_boundary.test_metrics import answered

N_SETTINGS = 8
GOLD = ("True", "False", "Unknown", "single")


def overall(vanilla, settings, cluster=None, **options):
    """Return the overall change; `settings` has a column per setting, and nan for no answer."""
    columns = {"vanilla": vanilla} | {f"s{k}": row for k, row in enumerate(np.transpose(settings))}
    outcomes = [
        answered(
            str(item),
            GOLD[item % 4],
            GOLD[item % 4] if right else "multiple",
            variant,
            cluster=None if cluster is None else str(cluster[item]),
        )
        for variant, column in columns.items()
        for item, right in enumerate(column)
        if not np.isnan(float(right))
    ]
    return compute_metrics(outcomes, **options)["delta_acc"]


def lose(n, *losses):
    """Return correct answers to n items, except some of one gold label in the first settings."""
    correct = np.ones((n, N_SETTINGS))
    for setting, count in enumerate(losses):
        correct[np.flatnonzero(np.arange(n) % 4 == 3)[:count], setting] = 0
    return correct


@pytest.mark.parametrize(
    ("n", "losses"),
    [
        # A label whose items mostly change under one setting, as `hasty` answers.
        (24, [(first,) for first in range(4, -1, -1)]),
        # A label whose items all change under all settings.
        (48, [(count,) * N_SETTINGS for count in range(4, -1, -1)]),
    ],
)
def test_a_slightly_weaker_effect_moves_both_bounds_slightly_towards_0(n, losses):
    changes = [overall(np.ones(n), lose(n, *counts)) for counts in losses]
    for stronger, weaker in pairwise(changes):
        step = weaker.value - stronger.value
        assert stronger.ci_low <= weaker.ci_low <= stronger.ci_low + 2.5 * step
        assert stronger.ci_high <= weaker.ci_high <= stronger.ci_high + 2.5 * step
    assert (changes[-1].value, changes[-1].n, changes[-1].p) == (0, n, None)
    assert 0.5 / n < changes[-1].ci_high < 3 / n


def test_settings_count_by_their_pairs():
    settings = np.ones((48, 2))
    settings[:, 0] = np.nan
    settings[:6, 0] = np.arange(6) % 2
    change = overall(np.ones(48), settings)
    assert (change.value, change.n) == (pytest.approx(-3 / 54), 48)


def test_bounds_are_in_range_and_nan_if_not_computed_or_from_a_single_cluster():
    lost = overall(np.ones(24), np.zeros((24, N_SETTINGS)))
    assert lost.value == -1 <= lost.ci_low <= lost.ci_high < 0
    value_only = overall(np.ones(24), lose(24, 3), intervals=False)
    single_cluster = overall(np.ones(24), lose(24, 3), cluster=np.zeros(24, dtype=int))
    for change in (value_only, single_cluster):
        assert change.value == pytest.approx(-3 / 24 / N_SETTINGS)
        assert math.isnan(change.ci_low)
        assert math.isnan(change.ci_high)


def test_settings_that_change_the_same_passages_correlate():
    """Each of 12 passages of two items loses one of them under either setting."""
    item = np.arange(96)
    passage = item // 2
    settings = np.column_stack([(passage % 4 > 0) | (item % 2 == lost) for lost in (0, 1)])
    by_passage, by_item = (overall(np.ones(96), settings, cluster) for cluster in (passage, None))
    widths = [change.ci_high - change.ci_low for change in (by_passage, by_item)]
    assert widths[0] > 1.2 * widths[1]
