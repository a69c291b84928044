"""Metrics of probes on random outcomes."""

import math
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.contract.metrics import ABOVE_CHANCE, ABOVE_CHANCE_SIGNIFICANT, find_metric_spec
from bias_tasks.contract.outcomes import Outcome
from bias_tasks.families import load_family
from bias_tasks.probing.family import ProbeExtra
from bias_tasks.probing.metrics import probe_metrics
from tests.bias_tasks.probing.outcomes import FOUR, outcomes

FAMILY = load_family("probing")
VARIANTS = ("baseline", "repeat1", "repeat2", "a", "b", "c")


SCORES = st.sampled_from([0, 0.25, 0.5, 1, None])
ANSWERS = st.sampled_from(["#0", "#1", None])


@st.composite
def runs(draw, variants=VARIANTS):
    """Draw items with and without clusters, in one or two epochs, under some of the variants."""
    run = []
    for item in map(str, range(draw(st.integers(1, 6)))):
        cluster = draw(st.sampled_from(["", "x", "y"]))
        for epoch in range(1, draw(st.integers(1, 2)) + 1):
            some = draw(st.sets(st.sampled_from(variants), min_size=1)) | {"baseline"}
            for variant in sorted(draw(st.sampled_from([some, set(variants)]))):
                answer, score = draw(ANSWERS), draw(SCORES)
                run.append(
                    Outcome(
                        item,
                        cluster,
                        variant,
                        "#0",
                        answer,
                        score,
                        "",
                        epoch=epoch,
                        extra=ProbeExtra(),
                    )
                )
    return run


@given(runs())
def test_metrics_are_in_range_and_within_their_intervals(run):
    for name, figure in FAMILY.compute_metrics(run, {}).items():
        declared = find_metric_spec(name, FAMILY.metrics)
        assert declared is not None, name
        assert math.isnan(figure.ci_low) == math.isnan(figure.ci_high), name
        low, high = declared.low - 1e-9, declared.high + 1e-9
        if not math.isnan(figure.value):
            assert low <= figure.value <= high, name
        if not math.isnan(figure.ci_low):
            told = [low, figure.ci_low, figure.value + 1e-9]
            assert sorted(told) == told, name
            assert figure.value - 1e-9 <= figure.ci_high <= high, name
        if figure.p is not None:
            assert declared.low < 0, name
            assert math.isnan(figure.p) or 0 <= figure.p <= 1, name


@given(runs(), st.randoms())
def test_the_order_of_outcomes_does_not_matter(run, random):
    before, after = probe_metrics(run), probe_metrics(random.sample(run, len(run)))
    assert set(before) == set(after)
    for name, figure in before.items():
        other = after[name]
        told = [figure.value, figure.ci_low, figure.ci_high, figure.n]
        again = [other.value, other.ci_low, other.ci_high, other.n]
        assert again == pytest.approx(told, abs=1e-6, nan_ok=True), name


def test_a_run_has_every_declared_metric():
    found = FAMILY.compute_metrics(outcomes(FOUR), {})
    everywhere = {ABOVE_CHANCE, ABOVE_CHANCE_SIGNIFICANT}
    assert {find_metric_spec(name, FAMILY.metrics) for name in found} | everywhere == {
        *FAMILY.metrics
    } | everywhere
    spec = FAMILY.tasks["probe"]
    for pattern in (*spec.headline, *spec.reported):
        assert any(fnmatchcase(name, pattern) for name in found), pattern
