"""The change of accuracy over all settings, and that its interval is continuous and covers."""

import math
from itertools import pairwise

import numpy as np
import pytest

from bias_tasks.instruction_boundary.metrics import compute_overall_change, compute_paired_metrics
from bias_tasks.instruction_boundary.metrics_table import GOLD, OUTPUTS, SettingTable
from bias_tasks.statistics.rate_intervals import without_intervals

N_SETTINGS = 8


def table_of(correct, cluster=None, items=None):
    """A table of items whose gold labels alternate; `items` are all by default."""
    n = len(correct)
    items = np.arange(n) if items is None else items
    shares = np.zeros((n, len(OUTPUTS)))
    shares[:, 0] = 1
    return SettingTable(
        answer=items,
        item=items,
        cluster=items if cluster is None else cluster,
        stratum=items % len(GOLD),
        correct=np.array(correct, dtype=float),
        shares=shares,
        graded=np.zeros(n),
        suggested=np.full(n, -1),
        at_suggestion=np.full(n, math.nan),
        suggestion_is_gold=np.full(n, math.nan),
        origin=np.full(n, -1),
        n_answers=np.ones(n, dtype=int),
    )


def overall(vanilla, settings, cluster=None):
    """The overall change; `settings` is an array with one column per setting."""
    baseline = table_of(vanilla, cluster)
    pairs = [(table_of(column, cluster), baseline) for column in np.transpose(settings)]
    return compute_overall_change(pairs, baseline)


def lose(n, *losses):
    """Answers to n items, all correct except those of one gold label in the first settings.

    Args:
        n: The number of items.
        losses: The number of items that each of the first settings loses.
    """
    correct = np.ones((n, N_SETTINGS))
    for setting, count in enumerate(losses):
        correct[np.flatnonzero(np.arange(n) % len(GOLD) == 4)[:count], setting] = 0
    return correct


def own_change(vanilla, setting):
    return compute_paired_metrics(table_of(setting), table_of(vanilla))["delta_acc"]


@pytest.mark.parametrize(
    ("n", "losses"),
    [
        # A label whose items all change under two of the settings, as `perfect` answers.
        (48, [(count, 8) for count in range(8, -1, -1)]),
        # A label whose items mostly change under one setting, as `hasty` answers.
        (24, [(first,) for first in range(4, -1, -1)]),
        # A label whose items all change under all settings.
        (48, [(count,) * N_SETTINGS for count in range(8, -1, -1)]),
    ],
)
def test_a_slightly_weaker_effect_moves_both_bounds_slightly_towards_0(n, losses):
    changes = [overall(np.ones(n), lose(n, *counts)) for counts in losses]
    for stronger, weaker in pairwise(changes):
        step = weaker.value - stronger.value
        # The bounds of a very small change move about twice as fast as the change.
        assert stronger.ci_low <= weaker.ci_low <= stronger.ci_low + 2.5 * step
        assert stronger.ci_high <= weaker.ci_high <= stronger.ci_high + 2.5 * step


def test_without_any_change_the_settings_are_taken_to_correlate_by_one_half():
    change = overall(np.ones(24), np.ones((24, N_SETTINGS)))
    single = own_change(np.ones(24), np.ones(24))
    ratio = math.sqrt((1 + 0.5 * (N_SETTINGS - 1)) / N_SETTINGS)
    assert (change.value, change.n, change.p) == (0, 24, None)
    assert (change.ci_low, change.ci_high) == pytest.approx(
        (ratio * single.ci_low, ratio * single.ci_high)
    )
    assert change.ci_high > 0.1


def test_one_setting_has_its_own_interval_and_equal_settings_almost_that_of_one():
    vanilla, setting = np.arange(48) % 2, np.arange(48) % 3 > 0
    single = own_change(vanilla, setting)
    alone = overall(vanilla, setting[:, None])
    assert (alone.value, alone.ci_low, alone.ci_high) == pytest.approx(
        (single.value, single.ci_low, single.ci_high)
    )
    equal = overall(vanilla, np.repeat(setting[:, None], N_SETTINGS, axis=1))
    assert equal.value == pytest.approx(single.value)
    own_width, width = single.ci_high - single.ci_low, equal.ci_high - equal.ci_low
    assert 0.98 * own_width < width < own_width


def test_settings_that_cancel_out_are_as_precise_as_independent_ones():
    """Each of 24 items is lost under one of two settings: their errors correlate negatively."""
    item = np.arange(48)
    first, second = item >= 12, (item < 12) | (item >= 24)
    change = overall(np.ones(48), np.column_stack([first, second]))
    own = [own_change(np.ones(48), setting) for setting in (first, second)]
    down = math.hypot(*(single.value - single.ci_low for single in own)) / 2
    up = math.hypot(*(single.ci_high - single.value for single in own)) / 2
    assert change.value == pytest.approx(-24 / 96)
    assert (change.ci_low, change.ci_high) == pytest.approx(
        (change.value - down, change.value + up)
    )


def test_settings_count_by_their_pairs_and_those_without_pairs_do_not_count():
    vanilla = table_of(np.ones(48))
    few = table_of(np.arange(6) % 2, items=np.arange(6)), vanilla.take(np.arange(6))
    many = table_of(np.ones(48)), vanilla
    unpaired = (table_of(np.zeros(0), items=np.arange(0)),) * 2
    change = compute_overall_change([few, many, unpaired], vanilla)
    assert (change.value, change.n) == (pytest.approx(-3 / 54), 48)
    assert compute_overall_change([few, many], vanilla) == change
    own = [
        compute_paired_metrics(*few)["delta_acc"],
        compute_paired_metrics(*many)["delta_acc"],
    ]
    arms = [(single.value - single.ci_low) * single.n / 54 for single in own]
    assert math.hypot(*arms) < change.value - change.ci_low < sum(arms)
    nothing = compute_overall_change([unpaired], vanilla)
    assert nothing.n == 0
    assert math.isnan(nothing.value)


def test_bounds_are_in_range_and_nan_if_not_computed_or_from_a_single_cluster():
    lost = overall(np.ones(24), np.zeros((24, N_SETTINGS)))
    assert lost.value == -1 <= lost.ci_low <= lost.ci_high < 0
    with without_intervals():
        value_only = overall(np.ones(24), lose(24, 3))
    single_cluster = overall(np.ones(24), lose(24, 3), cluster=np.zeros(24, dtype=int))
    for change in (value_only, single_cluster):
        assert change.value == pytest.approx(-3 / 24 / N_SETTINGS)
        assert math.isnan(change.ci_low)
        assert math.isnan(change.ci_high)


def redrawn(rng, n):
    """Every answer is drawn anew, so that all changes share vanilla's noise."""
    return rng.random(n) < 0.97, rng.random((n, N_SETTINGS)) < 0.97, np.arange(n), 0.0


def fragile(rng, n):
    """Few items, each lost under all settings."""
    lost = np.repeat(rng.random((n, 1)) < 0.06, N_SETTINGS, axis=1)
    return np.ones(n), ~lost, np.arange(n), -0.06


def passages(rng, n):
    """Items of three share a passage, and how often settings change it."""
    cluster = np.arange(n) // 3
    rate = np.where(rng.random(n) < 0.5, 0.4, 0.1)[cluster]
    return np.ones(n), rng.random((n, N_SETTINGS)) >= rate[:, None], cluster, -0.25


@pytest.mark.parametrize("n", [24, 48, 120])
@pytest.mark.parametrize("model", [redrawn, fragile, passages])
def test_intervals_cover_the_planted_change(model, n):
    """The margin is for 80 data sets; larger studies measure 93 % and more."""
    rng = np.random.default_rng(n)
    covered = 0
    for _ in range(80):
        vanilla, settings, cluster, truth = model(rng, n)
        change = overall(vanilla, settings, cluster)
        covered += change.ci_low <= truth <= change.ci_high
    assert covered >= 0.9 * 80
