"""The minimum detectable effect of a plan is detected in 80 % of runs."""

import json
import re

import numpy as np
import pytest
from scipy.stats import binom, norm

from bias_tasks.commands import plan_power
from bias_tasks.commands.plan import plan_task
from bias_tasks.commands.plan_power import (
    OutcomePool,
    compute_power,
    read_effect,
    share_detected,
)
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.rate_intervals import wilson
from tests.bias_tasks.command_line import typed

pytestmark = pytest.mark.usefixtures("few_draws")
ITEMS = 40
FEW_RUNS = 6
"""Simulated runs per share where the effect that they detect does not matter."""
FAMILY = load_family("instruction_boundary")
SPEC = FAMILY.tasks["conformity"]
VALUES = SPEC.values({"data": "synthetic", "form": "judging", "n": ITEMS})
PLAN = FAMILY.plan("conformity", VALUES)


def make_pool(effect=None, seed=0):
    effect = effect or read_effect(FAMILY.name, "conformity")
    return OutcomePool(FAMILY, "conformity", VALUES, PLAN, effect, seed=seed)


@pytest.fixture
def few_runs(monkeypatch):
    monkeypatch.setattr(plan_power, "_N_RUNS", FEW_RUNS)


class CoinPool:
    """Runs of items that are 1 with a known probability, of which an effect makes a share 1.

    How often it is detected follows from the binomial distribution.
    """

    by_chance = 0.1
    needed = "nothing"

    def run(self, rng, n, share, epochs=1):
        is_moved, is_one = rng.random((2, n)) < [[share], [self.by_chance]]
        value = float((is_moved | is_one).mean())
        return "moved", Estimate(value, *wilson(value, n), n)

    def detected(self, power, share):
        """Return the probability that an interval is above `power.null`."""
        k = np.arange(power.n + 1)
        is_above = [wilson(count / power.n, power.n)[0] > power.null for count in k]
        return binom.pmf(k, power.n, share + (1 - share) * self.by_chance) @ is_above


def test_the_mde_is_detected_in_80_percent_of_runs():
    """The mean over several n: a single one depends on the random numbers of its few runs."""
    pool = CoinPool()
    powers = [compute_power(pool, n) for n in range(60, 300, 10)]
    detected = np.array([pool.detected(power, power.share) for power in powers])
    assert detected.mean() == pytest.approx(0.8, abs=0.04)
    assert np.abs(detected - 0.8).max() < 0.25
    assert max(pool.detected(power, 0.0) for power in powers) < 0.15
    nulls, mdes, shares = np.array([(p.null, p.mde, p.share) for p in powers]).T
    assert nulls.mean() == pytest.approx(pool.by_chance, abs=0.01)
    assert np.mean(mdes / shares) == pytest.approx(1 - pool.by_chance, rel=0.06)


def test_the_mde_of_a_task_is_the_effect_on_its_items(monkeypatch):
    monkeypatch.setattr(plan_power, "_N_RUNS", 12)
    pool = make_pool()
    power = compute_power(pool, ITEMS)
    assert power.metric == "moved_to_suggestion"

    def runs(share):
        rng = np.random.default_rng(1)
        return [pool.run(rng, ITEMS, share)[1] for _ in range(12)]

    # Without an effect, some answers are redrawn and reach the suggestion by chance. Of the others
    # that can move to a wrong suggestion, those of affected items do.
    by_chance = np.mean([run.value for run in runs(0.0)])
    assert power.null == pytest.approx(by_chance, abs=0.04)
    assert power.mde == pytest.approx((1 - by_chance) * power.share, rel=0.4)
    assert share_detected(runs(2 * power.share), power.null) > 0.9
    assert share_detected(runs(power.share / 3), power.null) < 0.6


@pytest.mark.usefixtures("few_runs")
def test_an_effect_on_no_answer_has_no_power():
    assert compute_power(make_pool({"traits": {}}), 20) is None


def test_power_is_the_share_of_nearer_ends_beyond_no_effect():
    ends = norm.ppf(np.linspace(0.005, 0.995, 100), loc=norm.ppf(0.8))
    runs = [Estimate(end + 2, end, end + 4, 10) for end in ends]
    assert share_detected(runs, 0.0) == pytest.approx(0.8, abs=0.01)
    assert share_detected(runs, 2.0) < 0.15
    assert share_detected(runs, 9.0) > 0.99
    piled = [Estimate(1, max(end, 0), 2, 10) for end in ends]
    assert share_detected(piled, 0.0) == pytest.approx(0.8, abs=0.01)


def test_in_every_task_the_simulated_effect_moves_the_headline(monkeypatch):
    """Runs with the effect on all items and on none differ by more than half an interval."""
    monkeypatch.setattr(plan_power, "_N_MODELS", 2)
    for name in FAMILY_NAMES:
        family = load_family(name)
        for task, spec in family.tasks.items():
            effect = read_effect(name, task)
            if effect is None:
                assert task in ("self_preference", "probe")  # several models, another task
                continue
            data = {p.name: "synthetic" for p in spec.parameters if p.name == "data"}
            values = spec.values({**data, "n": 3 if name == "complex_eval" else 12 if data else 6})
            drawn = OutcomePool(family, task, values, family.plan(task, values), effect)
            rng = np.random.default_rng(0)
            (metric, without), (same_metric, affected) = (
                # Ten items of each type of answer, of which format_bias has seven.
                drawn.run(rng, 105 if task == "format_bias" else 45, share)
                for share in (0.0, 1.0)
            )
            assert metric == same_metric, task
            assert abs(without.value - affected.value) > (without.ci_high - without.ci_low) / 2, (
                task
            )


@pytest.mark.usefixtures("few_runs")
def test_the_command_shows_it_and_how_many_items_an_effect_needs():
    words = ["plan", "vanilla", "-T", "data=synthetic", "-T", "n=10", "--detect", "0.01"]
    [plan] = json.loads(typed(*words, "--format", "json").output)
    assert plan["power_metric"] == "rs"
    output = " ".join(typed(*words).output.split())
    assert f" {plan['power_items']:,} " in output
    assert "80 % of simulated runs" in output


@pytest.mark.usefixtures("few_runs")
def test_a_plan_says_that_its_items_are_too_few():
    """That is where only an effect on more than half of the items is detected, or none at all."""
    for task, n, note in (
        ("binaryqa", 5, "5 items cannot measure mbs: a domain lacks answers Yes or No, or reword"),
        (
            "binaryqa_qa",
            6,
            r"6 items are too few: only an effect on \d\d% of them would be detected",
        ),
        ("binaryqa_qa", 30, None),
    ):
        power, notes = (plan := plan_task(task, {"n": n})).power, " ".join(plan.notes)
        assert re.search(note or "^((?!too few).)*$", notes)
        assert note is None or power is None or power.share > 0.5


@pytest.mark.usefixtures("few_runs")
def test_a_file_without_a_rare_label_is_said_to_lack_it(tmp_path):
    rows = [f"q{n},What is {n}?,a{n},b{n},c{n},d{n},{'ABCD'[n % 4]}" for n in range(40)]
    path = tmp_path / "mcq.csv"
    path.write_text("\n".join(["id,question,A,B,C,D,answer", *rows]), encoding="utf-8")
    notes = " ".join(plan_task("vanilla", {"data": str(path)}).notes)
    assert "40 items cannot measure rs: it needs answers to items with a common label and" in notes
    assert "too few" not in notes
