"""The smallest effect that a plan names is found in about 80 % of runs."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.planning import power
from bias_tasks.planning.power import Curve, found, items_needed, smallest_effect
from bias_tasks.planning.simulated import Effect, Pool, effect_of
from bias_tasks.statistics.estimate import Estimate

ITEMS = 40
FAMILY = load_family("instruction_boundary")
SPEC = FAMILY.tasks["conformity"]
VALUES = SPEC.values({"data": "synthetic", "form": "judging", "n": ITEMS})
PLAN = FAMILY.plan("conformity", VALUES)


def pool(effect=None, seed=0):
    return Pool(FAMILY, SPEC, VALUES, PLAN, effect or effect_of("conformity"), seed=seed)


@pytest.fixture(scope="module")
def smallest():
    return smallest_effect(FAMILY, pool(), ITEMS)


@pytest.fixture
def fewer_runs(monkeypatch):
    """A third of the simulated runs at each effect, for what doesn't depend on how sure it is."""
    monkeypatch.setattr(power, "_times", lambda items, answers_an_item: 40)


def share_found(effect, share, n, runs=300):
    """Of runs by other respondents than those that the plan was made with, with that effect.

    They are right about a little more or less, so the share of items that makes it is another.
    """
    rng = np.random.default_rng(2)
    other = pool(seed=5)
    if effect:
        moved = np.mean([other.run(rng, n, share)[1].value for _ in range(runs)])
        share *= effect / abs(moved)
    headlines = [other.run(rng, n, share)[1] for _ in range(runs)]
    return np.mean([found(each, 0.0, -1) for each in headlines])


def test_the_smallest_effect_is_found_in_about_80_percent_of_runs(smallest):
    assert smallest.figure == "delta_acc"
    assert smallest.null == 0
    # Planned by 120 runs an effect, checked by 300: docs/plan.md has the study.
    assert 0.7 <= share_found(smallest.value, smallest.share, ITEMS) <= 0.9


def test_without_an_effect_few_runs_find_one():
    assert share_found(0.0, 0.0, ITEMS) <= 0.05


def test_the_items_that_an_effect_needs_show_it(smallest, fewer_runs):
    wanted = smallest.value / 1.5
    n = items_needed(FAMILY, pool(), wanted, smallest)
    # An interval is two thirds as wide over 2.25 times the items.
    assert 1.6 * ITEMS < n < 3 * ITEMS
    again = smallest_effect(FAMILY, pool(), n)
    assert again.value == pytest.approx(wanted, rel=0.12)


def test_an_effect_that_is_none_is_never_found():
    assert smallest_effect(FAMILY, pool(Effect({}, spared=("vanilla",))), 20) is None


def test_an_effect_is_found_on_its_own_side_alone():
    above = Estimate(0.3, 0.1, 0.5, 10)
    assert found(above, 0.0, 1)
    assert not found(above, 0.2, 1)
    assert not found(above, 0.0, -1)
    assert found(above, 0.6, -1)


def test_a_curve_is_read_off_all_of_its_runs():
    curve = Curve()
    # Found in 50, 70, 80, 90 and 97 of 100 runs; the mean is share + share squared.
    for share, hits in ((0.1, 50), (0.14, 70), (0.17, 80), (0.21, 90), (0.28, 97)):
        mean = share + share**2
        runs = [Estimate(mean, 0.1 if hit < hits else -0.1, 1.0, 10) for hit in range(100)]
        curve.add(share, runs, null=0.0, sign=1.0)
    at = curve.at_power()
    assert 0.16 < at < 0.18
    assert curve.power_at(at) == pytest.approx(0.8)
    for share in (0.1, 0.155, 0.28):
        assert curve.mean_at(share) == pytest.approx(share + share**2)


def test_where_a_rate_without_an_effect_lies_between_two_counts_of_items_does_not_count():
    # Three intervals end an item below, at and above what a model has without an effect.
    runs = [Estimate(0.4, 0.3, high, 10) for high in (0.4, 0.5, 0.6)]
    for null, powers in ((0.5, 4 / 9), (0.52, 6 / 9)):
        curve = Curve()
        curve.add(0.1, runs, null=null, sign=-1.0)
        assert curve.hits == [pytest.approx(1 + powers)]


def test_a_drawn_item_counts_each_time_it_is_drawn():
    rng = np.random.default_rng(0)
    _, headline = pool().run(rng, 5 * ITEMS, 0.0)
    assert headline.n >= 5 * ITEMS


def test_every_task_has_an_effect_to_plant():
    for name in FAMILY_NAMES:
        for task in load_family(name).tasks:
            if task != "self_preference":  # several models make its answers while it runs
                assert effect_of(task) is not None
    assert effect_of("no_such_task") is None


def test_the_command_says_the_effect_and_the_items_of_a_smaller_one(fewer_runs):
    arguments = [
        "plan",
        "conformity",
        *["-T", "data=synthetic", "-T", "n=40", "-T", "form=judging", "--format", "json"],
    ]
    [plan] = json.loads(CliRunner().invoke(main, arguments).output)
    precision = plan["precision"]
    assert precision["figure"] == "delta_acc"
    assert precision["null"] == 0
    assert 0.05 < precision["smallest"] < 0.4
    assert precision["items"] is None
    wanted = ["--detect", str(precision["smallest"])]
    [plan] = json.loads(CliRunner().invoke(main, [*arguments, *wanted]).output)
    assert plan["precision"]["items"] == 40
    shown = CliRunner().invoke(main, [*arguments[:-2], *wanted]).output
    assert "delta_acc" in shown
    assert "80 % of runs" in " ".join(shown.split())
