"""Figures of output formats on any outcomes whatever, and a small study of their intervals."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from bias_tasks.output_format.metrics.card import (
    format_scorecard,
)
from bias_tasks.output_format.metrics.mitigation import (
    compare,
)
from bias_tasks.output_format.metrics.outcome import (
    FormatOutcome,
)
from tests.bias_tasks.studies import load_study

SETS = 40
# A coverage of 93 % gives at least this share in all but one case in ten thousand.
LOWEST = binom.ppf(1e-4, SETS, 0.93) / SETS


@st.composite
def runs(draw, protocol="corrected"):
    epochs = draw(st.sampled_from([1, 3]))
    items = draw(st.integers(1, 8))
    cluster = draw(st.integers(1, 3))
    run = []
    for name in draw(st.sampled_from(["a", "ab", "abc"])):
        for i in range(items):
            if draw(st.booleans()) or i == 0:
                follows = draw(st.integers(0, epochs)) / epochs
                score = draw(st.sampled_from([0, 0.25, 0.5, 1]))
                score *= follows if protocol == "corrected" else 1
                run.append(FormatOutcome(str(i), str(i // cluster), name, follows, score))
    return run


@given(runs())
def test_intervals_hold_their_figure_and_stay_in_range(run):
    card = format_scorecard(run)
    for name, figure in card.items():
        assert math.isnan(figure.ci_low) == math.isnan(figure.ci_high), name
        if not math.isnan(figure.ci_low):
            assert figure.ci_low <= figure.value <= figure.ci_high, name
        if name.startswith(("fi/", "sys/", "est_true/")) and not math.isnan(figure.ci_low):
            assert figure.ci_low >= 0, name
            assert figure.ci_high <= 1 + 1e-9, name
        if figure.p is not None and not math.isnan(figure.p):
            assert 0 <= figure.p <= 1
    assert card["formats_compared"].value + card["left_out"].value == len({o.format for o in run})


@given(runs(), st.randoms())
def test_the_order_of_outcomes_does_not_matter(run, random):
    shuffled = random.sample(run, len(run))
    before, after = format_scorecard(run), format_scorecard(shuffled)
    assert list(before) == list(after)
    for name, figure in before.items():
        assert figure.value == pytest.approx(after[name].value, nan_ok=True), name
        assert figure.ci_low == pytest.approx(
            after[name].ci_low, nan_ok=True, rel=1e-6, abs=1e-6
        ), name


@given(runs())
def test_est_true_is_sys_over_fi(run):
    card = format_scorecard(run)
    for name in {outcome.format for outcome in run}:
        fi, sys_share = card[f"fi/{name}"].value, card[f"sys/{name}"].value
        expected = sys_share / fi if fi else math.nan
        assert card[f"est_true/{name}"].value == pytest.approx(expected, nan_ok=True)


@given(runs("published"))
def test_published_est_true_is_sys_over_fi_too(run):
    card = format_scorecard(run, protocol="published")
    for name in {outcome.format for outcome in run}:
        fi, figure = card[f"fi/{name}"].value, card[f"est_true/{name}"]
        expected = card[f"sys/{name}"].value / fi if fi else math.nan
        assert figure.value == pytest.approx(expected, nan_ok=True)
        if not math.isnan(figure.ci_low):
            assert figure.ci_low <= figure.value <= figure.ci_high


@given(runs())
def test_comparing_is_antisymmetric(run):
    later = [FormatOutcome(o.item, o.cluster, o.format, 1.0, 1 - o.score) for o in run]
    forward, backward = compare(run, later), compare(later, run)
    assert not (forward.holds and backward.holds)
    for name, figure in forward.figures.items():
        other = backward.figures[name]
        assert figure.value == pytest.approx(-other.value, nan_ok=True), name
        assert figure.ci_low == pytest.approx(-other.ci_high, nan_ok=True, rel=1e-6, abs=1e-6), name


@pytest.fixture(scope="module")
def study():
    return load_study("coverage_formats")


@pytest.mark.parametrize("name", ["any, fours", "equal, low"])
def test_intervals_cover_the_truth(study, name):
    [design] = [d for d in study.DESIGNS if d.name == name]
    covered = study.coverage(design, 60, SETS)
    assert set(study.COLUMNS) <= set(covered)
    outside = {metric: covered[metric] for metric in study.COLUMNS if covered[metric] < LOWEST}
    assert not outside


def test_intervals_are_not_merely_wide(study):
    [design] = [d for d in study.DESIGNS if d.name == "paper"]
    rng = study.np.random.default_rng(0)
    luck = rng.random((2, 600, 1))
    run = study.simulated(design, *map(study.np.array, study.ZERO_SHOT), luck, rng)
    card = format_scorecard(run)
    truth = 1e4 * study.np.var(study.ZERO_SHOT[1])
    assert card["bias_f"].ci_low > 0.3 * truth
    assert card["bias_f"].ci_high < 3 * truth
    assert card["est_true/b"].ci_low > 0.6
