"""Figures of probes on any outcomes whatever."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.contract.family import Outcome
from bias_tasks.contract.figures import ABOVE_CHANCE, CAN_TELL, figure_of
from bias_tasks.families import load_family
from bias_tasks.probing.metrics import probe_card
from tests.bias_tasks.probing.outcomes import FOUR, outcomes

FAMILY = load_family("probing")
WAYS = ("plain", "repeat1", "repeat2", "a", "b", "c")


SCORES = st.sampled_from([0, 0.25, 0.5, 1, None])
ANSWERS = st.sampled_from(["#0", "#1", None])


@st.composite
def runs(draw, ways=WAYS):
    """Items in clusters or alone, in one epoch or two, each asked in some of the ways."""
    run = []
    for item in map(str, range(draw(st.integers(1, 6)))):
        cluster = draw(st.sampled_from(["", "x", "y"]))
        for epoch in range(1, draw(st.integers(1, 2)) + 1):
            some = draw(st.sets(st.sampled_from(ways), min_size=1)) | {"plain"}
            for way in sorted(draw(st.sampled_from([some, set(ways)]))):
                answer, score = draw(ANSWERS), draw(SCORES)
                run.append(Outcome(item, cluster, way, "#0", answer, score, "", epoch=epoch))
    return run


@given(runs())
def test_figures_stay_in_range_and_within_their_limits(run):
    for name, figure in FAMILY.scorecard(run, {}).items():
        declared = figure_of(name, FAMILY.figures)
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
    before, after = probe_card(run), probe_card(random.sample(run, len(run)))
    assert set(before) == set(after)
    for name, figure in before.items():
        other = after[name]
        told = [figure.value, figure.ci_low, figure.ci_high, figure.n]
        again = [other.value, other.ci_low, other.ci_high, other.n]
        assert again == pytest.approx(told, abs=1e-6, nan_ok=True), name


def test_every_declared_figure_is_one_that_a_run_has():
    found = FAMILY.scorecard(outcomes(FOUR), {})
    everywhere = {ABOVE_CHANCE, CAN_TELL}
    assert {figure_of(name, FAMILY.figures) for name in found} | everywhere == {
        *FAMILY.figures
    } | everywhere
    spec = FAMILY.tasks["probe"]
    assert {*spec.headline, *spec.beside} <= set(found)
