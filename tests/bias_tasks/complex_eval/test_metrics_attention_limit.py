"""Reported against planted flaws: by hand and for simulated judges."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.metrics_attention_limit import compute_attention_metrics, fit_plateau
from bias_tasks.complex_eval.outcomes import IssueCount
from bias_tasks.contract.metrics import find_metric_spec

KS = range(21)


def build_count(item, cluster, mode, planted, reported, *located, **fields):
    """Return a count of one answer; it is unparsed if `reported` is None."""
    fields = {"unparsed": float(reported is None), **fields}
    return IssueCount(item, cluster, mode, planted, reported, *located, **fields)


def build_curve(report, items=5, mode="joint", planted=KS):
    """Return counts of `report(item, k)` flaws, of which all planted ones are located."""
    return [
        build_count(f"q{i}", f"q{i}", mode, k, count, min(count, k))
        for i in range(items)
        for k in planted
        for count in (report(i, k),)
    ]


def test_counts_match_those_by_hand():
    rows = [
        *(("a", 0, 1, 0), ("b", 0, 3, 0), ("c", 0, None), ("a", 4, 5, 3), ("b", 4, 3, 3)),
        *(("a", 8, 4, 4), ("b", 8, 8)),  # it is unknown what the last one located
    ]
    run = [build_count(item, item, "joint", *values) for item, *values in rows]
    metrics = compute_attention_metrics(run)
    assert metrics["floor/joint"] == metrics["flaws_reported@k=0/joint"]
    assert metrics["floor/joint"].value == 2
    assert metrics["floor/joint"].n == 2
    assert metrics["flaws_reported@k=4/joint"].value == 4
    assert metrics["flaws_reported@k=8/joint"].value == 6
    assert metrics["recall/joint"].value == pytest.approx((3 + 3 + 4) / (4 + 4 + 8))
    assert metrics["precision/joint"].value == pytest.approx((3 + 3 + 4) / (1 + 3 + 5 + 3 + 4))
    assert metrics["unparsed/joint"].value == pytest.approx(1 / 7)
    assert 0 < metrics["floor/joint"].ci_low < 2 < metrics["floor/joint"].ci_high


def test_recall_and_precision_of_random_reports_match_those_by_hand():
    rows = [("a", 0, 4, 0, 0.0), ("a", 4, 8, 3, 0.4), ("b", 4, 4, 3, 0.2)]
    rows += [("b", 8, 4), ("c", 8, None)]  # it is unknown what the first one located
    run = [build_count(item, item, "joint", *values) for item, *values in rows]
    metrics = compute_attention_metrics(run)
    recall, precision = metrics["recall_chance/joint"], metrics["precision_chance/joint"]
    assert recall.value == pytest.approx(0.6 / 8)
    assert precision.value == pytest.approx(0.6 / 16)
    assert (recall.n, precision.n) == (2, 3)
    assert 0 <= recall.ci_low < 0.05
    assert 0.1 < recall.ci_high <= 1
    [single] = [row for row in run if row.planted == 4 and row.item == "a"]
    metrics = compute_attention_metrics([single])
    assert metrics["recall_chance/joint"].value == pytest.approx(0.1)
    assert math.isnan(metrics["recall_chance/joint"].ci_low)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([0, 1, 2, 5]), st.integers(0, 9)),
        unique_by=lambda row: row[:2],
        max_size=12,
    )
)
def test_metrics_of_small_runs_stay_in_their_range(rows):
    run = [
        build_count(f"q{item}", f"q{item}", "joint", k, count, min(count, k), min(count, k) / 8)
        for item, k, count in rows
    ]
    for name, metric in compute_attention_metrics(run).items():
        spec = find_metric_spec(name, FAMILY.metrics)
        for bound in (metric.value, metric.ci_low, metric.ci_high):
            assert math.isnan(bound) or spec.low <= bound <= spec.high, name


def test_counts_are_averaged_over_parsed_epochs():
    run = [replace(build_count("a", "a", "joint", 2, c, c), epoch=e) for e, c in enumerate([1, 2])]
    run += [
        build_count("a", "a", "joint", 2, None, epoch=7),
        build_count("b", "b", "joint", 2, 0, 0),
    ]
    metrics = compute_attention_metrics(run)
    assert metrics["flaws_reported@k=2/joint"].value == pytest.approx((1.5 + 0) / 2)
    assert metrics["recall/joint"].value == pytest.approx((1.5 + 0) / 4)
    assert metrics["unparsed/joint"].value == pytest.approx((1 / 3 + 0) / 2)
    assert metrics["breakpoint/joint"].n == metrics["floor/joint"].n == 0


def test_floor_and_ceiling_of_simulated_judges_are_recovered():
    rng = np.random.default_rng(3)

    def joint(i, k):
        return int(rng.binomial(min(k, 15), 0.9))

    def per_dimension(i, k):
        return int(rng.binomial(k, 0.9) + rng.poisson(1.5))

    metrics = compute_attention_metrics(
        build_curve(joint, 60) + build_curve(per_dimension, 60, "per_dimension")
    )
    for name, truth in {"slope": 0.9, "breakpoint": 15, "ceiling": 13.5, "floor": 0}.items():
        metric = metrics[f"{name}/joint"]
        assert metric.ci_low <= truth <= metric.ci_high, name
        assert metric.ci_high - metric.ci_low < 1.5, name
    floor, last = metrics["floor/per_dimension"], metrics["breakpoint/per_dimension"]
    assert 1 < floor.ci_low < 1.5 < floor.ci_high < 2
    assert last.ci_high == 20
    assert last.ci_low > 18


def test_fits_equal_least_squares_at_the_best_breakpoint():
    rng = np.random.default_rng(2)
    planted, weights = np.arange(0, 21, 2.0), rng.integers(1, 9, 11).astype(float)
    curves = 1 + 0.8 * np.minimum(planted, 9) + rng.normal(0, 0.5, (20, 11))
    for curve_, (intercept, slope, knot) in zip(
        curves, fit_plateau(curves, planted, weights), strict=True
    ):

        def misfit(at, curve_=curve_):
            lines = np.column_stack([np.ones(11), np.minimum(planted, at)])
            root = np.sqrt(weights)
            solved, *_ = np.linalg.lstsq(lines * root[:, None], curve_ * root, rcond=None)
            return weights @ (curve_ - lines @ solved) ** 2, solved

        best, solved = misfit(knot)
        np.testing.assert_allclose([intercept, slope], solved)
        assert best <= min(misfit(at)[0] for at in np.linspace(2, 20, 37)) + 1e-6


def test_contradictory_counts_are_an_error():
    good = build_count("q1", "c1", "joint", 3, 2, 2)
    other = {"two answers under": good, "two clusters": replace(good, cluster="c", planted=4)}
    for reason, bad in other.items():
        with pytest.raises(ValueError, match=f"item 'q1' .*{reason}"):
            compute_attention_metrics([good, bad])
