"""Mitigations against their base, and the training rows that one is made of."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.output_format.metrics.finetune import (
    counts,
    finetune_shares,
)
from bias_tasks.output_format.metrics.mitigation import (
    compare,
)
from bias_tasks.output_format.metrics.outcome import (
    FormatOutcome,
)

FI = (0.9, 0.7, 0.5)
BIASED, LEVEL = (0.9, 0.6, 0.3), (0.6, 0.6, 0.6)


def planted(seed, n, fi, est_true):
    rng = np.random.default_rng(seed)
    follows = rng.random((n, len(fi))) < fi
    right = follows & (rng.random((n, len(fi))) < est_true)
    return [
        FormatOutcome(str(i), str(i), name, float(follows[i, k]), float(right[i, k]))
        for i in range(n)
        for k, name in enumerate("abc"[: len(fi)])
    ]


def test_a_planted_mitigation_is_shown():
    comparison = compare(planted(0, 300, FI, BIASED), planted(1, 300, (0.97, 0.95, 0.9), LEVEL))
    assert comparison.holds
    assert comparison.shown
    assert comparison.falling == comparison.left_out == ()
    delta = comparison.figures["delta_bias_f"]
    assert delta.ci_low < -600 < delta.ci_high < 0
    assert delta.n == 300
    gain = comparison.figures["delta_fi/c"]
    assert gain.ci_low < 0.4 < gain.ci_high
    assert gain.p < 0.001


def test_the_same_run_is_no_mitigation():
    run = planted(0, 200, FI, BIASED)
    comparison = compare(run, run)
    for figure in comparison.figures.values():
        assert figure.value == 0
        assert figure.ci_low <= 0 <= figure.ci_high
    for name in ("delta_bias_f", "delta_bias_f_corrected"):
        figure = comparison.figures[name]
        assert (figure.ci_low, figure.ci_high) == pytest.approx((0, 0), abs=1e-3)
    assert not comparison.holds


def test_the_more_two_runs_share_the_narrower_their_difference():
    """A mitigated run that copies a share of the base run's answers."""
    base, other = planted(0, 200, FI, BIASED), planted(1, 200, FI, BIASED)
    widths = []
    for shared in (0, 300, 590, 597, 600):
        figure = compare(base, base[:shared] + other[shared:]).figures["delta_bias_f"]
        widths.append(figure.ci_high - figure.ci_low)
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[-2] < 0.5 * widths[0]


def test_noise_alone_is_not_shown():
    """Equal respondents: half of them seem less biased, hardly any is shown to be."""
    comparisons = [
        compare(planted(2 * s, 150, FI, BIASED), planted(2 * s + 1, 150, FI, BIASED))
        for s in range(40)
    ]
    falls = [c.figures["delta_bias_f"].value < 0 for c in comparisons]
    assert 10 <= sum(falls) <= 30
    assert sum(c.figures["delta_bias_f"].ci_high < 0 for c in comparisons) <= 4
    assert sum(c.shown for c in comparisons) <= 2


def test_a_format_that_is_followed_less_breaks_the_second_criterion():
    comparison = compare(planted(0, 300, FI, BIASED), planted(1, 300, (0.97, 0.4, 0.9), LEVEL))
    assert comparison.figures["delta_bias_f"].ci_high < 0
    assert comparison.falling == ("b",)
    assert not comparison.holds
    assert not comparison.shown


def test_shown_allows_fi_to_fall_by_less_than_the_margin():
    base, mitigated = planted(0, 150, FI, BIASED), planted(1, 150, FI, LEVEL)
    follows = {(o.item, o.format): o.follows for o in base}
    # The same answers follow, so that no fi changes; how much each may have changed is not known.
    mitigated = [
        FormatOutcome(o.item, o.cluster, o.format, f, min(o.score, f))
        for o in mitigated
        if (f := follows[o.item, o.format]) is not None
    ]
    wide, narrow = (compare(base, mitigated, margin=margin) for margin in (0.1, 0.001))
    assert wide.holds
    assert narrow.holds
    assert not narrow.shown


def test_only_what_both_asked_counts():
    base, mitigated = planted(0, 100, FI, BIASED), planted(1, 120, FI, BIASED)
    whole = compare(base, mitigated[:300])
    assert compare(base, mitigated).figures == whole.figures
    lacking = [o for o in base if (o.item, o.format) != ("3", "b")]
    comparison = compare(lacking, mitigated)
    assert comparison.figures["delta_fi/b"].n == 99
    assert comparison.figures["delta_fi/a"].n == 100


def test_the_order_of_outcomes_does_not_matter():
    base, mitigated = planted(0, 60, FI, BIASED), planted(1, 60, FI, LEVEL)
    forward, backward = compare(base, mitigated), compare(base[::-1], mitigated)
    for name, figure in forward.figures.items():
        other = backward.figures[name]
        assert figure.value == pytest.approx(other.value)
        assert figure.ci_low == pytest.approx(other.ci_low)


def test_a_format_without_followers_is_left_out_of_bias_f():
    comparison = compare(planted(0, 100, (0.9, 0.7, 0), BIASED), planted(1, 100, FI, LEVEL))
    assert comparison.left_out == ("c",)
    assert comparison.figures["delta_bias_f"].value < 0
    alone = compare(planted(0, 100, (0.9, 0, 0), BIASED), planted(1, 100, FI, LEVEL))
    assert alone.left_out == ("b", "c")
    assert math.isnan(alone.figures["delta_bias_f"].value)
    assert not alone.holds


@pytest.mark.parametrize(
    ("base", "mitigated", "message"),
    [
        (planted(0, 5, FI, BIASED), planted(0, 5, FI[:2], LEVEL[:2]), "one of the two runs has c"),
        ([], planted(0, 5, FI[:1], LEVEL[:1]), "only one of the two runs has a"),
        ([], [], "no outcomes to compare"),
        (
            planted(0, 2, FI[:2], LEVEL[:2]),
            [FormatOutcome("0", "0", "a", 1, 1), FormatOutcome("9", "9", "b", 1, 1)],
            "no item in common under b",
        ),
        (
            planted(0, 2, FI, LEVEL),
            [*planted(0, 2, FI, LEVEL), FormatOutcome("0", "0", "a", 1, 1)],
            "item '0' stands twice under format 'a'",
        ),
    ],
)
def test_bad_runs(base, mitigated, message):
    with pytest.raises(ValueError, match=message):
        compare(base, mitigated)


def test_bad_margin():
    run = planted(0, 5, FI, BIASED)
    with pytest.raises(ValueError, match="margin is 5: it must be between 0 and 1"):
        compare(run, run, margin=5)


def test_shares_by_hand():
    assert finetune_shares({"a": 0.6, "b": 0.3, "c": 0.2}) == pytest.approx(
        {"a": 1 / 6, "b": 2 / 6, "c": 3 / 6}
    )


def test_a_format_that_the_model_cannot_do_takes_ten_times_a_perfect_one_s():
    shares = finetune_shares({"a": 1.0, "b": 0.0})
    assert shares["b"] == pytest.approx(10 * shares["a"])
    assert finetune_shares({"a": 1.0, "b": 0.0}, floor=1)["b"] == 0.5


@pytest.mark.parametrize(
    ("sys_by_format", "floor", "message"),
    [
        ({}, 0.1, "no format"),
        ({"a": math.nan}, 0.1, "sys of 'a' is nan"),
        ({"a": 26.7}, 0.1, "sys of 'a' is 26.7: it must be between 0 and 1"),
        ({"a": 0.5}, 0, "floor is 0: it must be above 0"),
    ],
)
def test_bad_shares(sys_by_format, floor, message):
    with pytest.raises(ValueError, match=message):
        finetune_shares(sys_by_format, floor)


def test_counts_by_largest_remainder():
    assert counts({"a": 0.5, "b": 0.3, "c": 0.2}, 5) == {"a": 3, "b": 1, "c": 1}  # 2.5, 1.5, 1
    assert counts({"a": 1, "b": 1, "c": 1}, 4) == {"a": 2, "b": 1, "c": 1}
    assert counts({"a": 1, "b": 0}, 0) == {"a": 0, "b": 0}


@pytest.mark.parametrize(
    ("shares", "total"),
    [({}, 1), ({"a": 0}, 1), ({"a": 2, "b": -1}, 1), ({"a": math.nan}, 1), ({"a": 1}, -1)],
)
def test_bad_counts(shares, total):
    with pytest.raises(ValueError, match="at least 0"):
        counts(shares, total)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=15), st.integers(0, 10_000))
def test_training_rows_add_up(values, total):
    sys_by_format = {f"f{place}": value for place, value in enumerate(values)}
    shares = finetune_shares(sys_by_format)
    rows = counts(shares, total)
    assert sum(shares.values()) == pytest.approx(1)
    assert sum(rows.values()) == total
    for name in shares:
        assert abs(rows[name] - shares[name] * total) < 1 + 1e-9
    assert sorted(values) == sorted(values, key=lambda v: -1 / max(v, 0.1)) or min(values) < 0.1
