"""The smallest effect that a plan names is found in about 80 % of runs."""

import json

import numpy as np
import pytest
from scipy.stats import norm

from bias_tasks.commands.plan_power import (
    Pool,
    effect_of,
    power_of,
    smallest_effect,
)
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.statistics.estimate import Estimate
from tests.bias_tasks.command_line import typed

ITEMS = 40
FAMILY = load_family("instruction_boundary")
SPEC = FAMILY.tasks["conformity"]
VALUES = SPEC.values({"data": "synthetic", "form": "judging", "n": ITEMS})
PLAN = FAMILY.plan("conformity", VALUES)


def pool(effect=None, seed=0):
    return Pool(FAMILY, "conformity", VALUES, PLAN, effect or effect_of("conformity"), seed=seed)


def share_found(share, n, runs=120):
    rng = np.random.default_rng(2)
    other = pool(seed=5)
    return np.mean([other.run(rng, n, share)[1].ci_low > 0 for _ in range(runs)])


def test_the_smallest_effect_is_found_in_about_80_percent_of_runs():
    smallest = smallest_effect(pool(), ITEMS)
    assert (smallest.figure, smallest.null) == ("moved_to_suggestion", 0)
    # Of the answers that can move to a wrong suggestion, those of struck items do.
    assert smallest.smallest == pytest.approx(smallest.share, rel=0.3)
    assert 0.7 <= share_found(smallest.share, ITEMS) <= 0.9
    assert share_found(0.0, ITEMS) <= 0.05


def test_an_effect_that_is_none_is_never_found():
    assert smallest_effect(pool({"spared": ["*"]}), 20) is None


def test_power_is_the_share_of_nearer_ends_beyond_no_effect():
    ends = norm.ppf(np.linspace(0.005, 0.995, 100), loc=norm.ppf(0.8))
    runs = [Estimate(end + 2, end, end + 4, 10) for end in ends]
    assert power_of(runs, 0.0) == pytest.approx(0.8, abs=0.01)
    assert power_of(runs, 2.0) < 0.15
    assert power_of(runs, 9.0) > 0.99
    piled = [Estimate(1, max(end, 0), 2, 10) for end in ends]
    assert power_of(piled, 0.0) == pytest.approx(0.8, abs=0.01)


def test_in_every_task_what_is_planted_moves_the_headline():
    """Struck wholly, and on no item: runs apart, in a unit of an interval's half."""
    for name in FAMILY_NAMES:
        family = load_family(name)
        for task, spec in family.tasks.items():
            effect = effect_of(task)
            if effect is None:
                assert task in ("self_preference", "probe")  # several models, another task
                continue
            data = {each.name: "synthetic" for each in spec.parameters if each.name == "data"}
            values = spec.values({**data, "n": 20 if data else 6})
            drawn = Pool(family, task, values, family.plan(task, values), effect)
            rng = np.random.default_rng(0)
            (figure, plain), (again, struck) = (drawn.run(rng, 60, share) for share in (0.0, 1.0))
            assert figure == again, task
            assert abs(plain.value - struck.value) > (plain.ci_high - plain.ci_low) / 2, task
    assert effect_of("no_such_task") is None


def test_flaws_of_a_dialogue_judged_by_dimension_add_up_to_those_planted():
    family, task = load_family("complex_eval"), "complexeval_attention_limit"
    values = family.tasks[task].values({"mode": ["per_dimension"], "n": 2, "k": [0, 4]})
    drawn = Pool(family, task, values, family.plan(task, values), effect_of(task))
    figure, plain = drawn.run(np.random.default_rng(0), 4, 0.0)
    assert (figure, plain.value) == ("recall/per_dimension", 1.0)


def test_the_command_tells_it_and_how_many_items_an_effect_needs():
    given = ["plan", "vanilla", "-T", "data=synthetic", "-T", "n=10", "--detect", "0.01"]
    [plan] = json.loads(typed(*given, "--format", "json").output)
    assert plan["precision"]["figure"] == "rs"
    shown = " ".join(typed(*given).output.split())
    assert f" {plan['precision']['items']:,} " in shown
    assert "80 % of runs" in shown
