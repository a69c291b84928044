"""Figures of output formats: worked out by hand, on any outcomes whatever, and on bad input."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from bias_tasks.contract.family import Outcome
from bias_tasks.names import PROTOCOLS
from bias_tasks.output_format.metrics import FormatOutcome, format_scorecard
from bias_tasks.output_format.metrics_groups import average_card, mean_over_groups, run_card
from bias_tasks.statistics.estimate import Estimate


def outcomes(prefix="", **formats):
    """Outcomes of items 0, 1, ... in each format: None does not follow, else its score."""
    return [
        FormatOutcome(f"{prefix}{i}", f"{prefix}{i}", name, float(score is not None), score or 0.0)
        for name, scores in formats.items()
        for i, score in enumerate(scores)
    ]


def values(card, *names):
    return tuple(card[name].value for name in names)


def test_shares_by_hand():
    card = format_scorecard(outcomes(a=[1, 0.5, None, 0], b=[None, None, 1, 1]))
    assert values(card, "fi/a", "sys/a", "est_true/a") == (0.75, 0.375, 0.5)
    assert card["est_true/a"].n == 3
    assert values(card, "fi/b", "sys/b", "est_true/b") == (0.5, 0.5, 1)
    assert card["bias_f"].value == pytest.approx(625)  # of 50 and 100 %
    assert card["fi_var"].value == pytest.approx(156.25)  # of 75 and 50 %
    assert card["difference/a-b"].value == -0.5
    assert values(card, "formats_compared", "left_out") == (2, 0)
    card = format_scorecard(outcomes(a=[1, 0], b=[None, None], c=[1, 1]))
    assert math.isnan(card["est_true/b"].value)
    assert values(card, "fi/b", "sys/b", "formats_compared", "left_out") == (0, 0, 2, 1)
    assert card["bias_f"].value == pytest.approx(625)
    assert card["fi_var"].value == pytest.approx(1e4 * np.var([1, 0, 1]))  # of all formats
    assert [name for name in card if name.startswith("difference/")] == ["difference/a-c"]
    assert format_scorecard([]) == {}
    run = [FormatOutcome(str(i), str(i), "a", *pair) for i, pair in enumerate([(1, 1), (0, 1)])]
    card = format_scorecard(run, protocol="published")  # what does not follow is scored
    assert values(card, "fi/a", "sys/a", "est_true/a") == (0.5, 1, 2)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_reliable_just_where_the_interval_is_within_the_margin(protocol):
    """Half a t interval, with finite population correction."""
    for n in (2, 3, 10, 40, 150, 280, 300, 320, 399, 400):
        for moe in (0.01, 0.05, 0.2):
            scores = [float(i % 3 == 0) for i in range(n)]
            run = outcomes(a=scores + [None] * (400 - n))
            card = format_scorecard(run, moe=moe, protocol=protocol)
            df = n if protocol == "published" else n - 1
            half = student.ppf(0.975, df) * statistics.stdev(scores) / math.sqrt(n)
            reliable = half * math.sqrt((400 - n) / 400) < moe
            assert card["reliable/a"].value == reliable, (n, moe)
            needed = n * half**2 / (n * half**2 + 400 * moe**2)
            assert card["needed_fi/a"].value == pytest.approx(needed), (n, moe)


def test_reliability_of_few_answers():
    for scores, *expected in (
        ([None] * 5, math.nan, math.nan),  # n = 0
        ([1] + [None] * 4, 0, math.nan),  # n = 1: no spread to be known
        ([1, 1] + [None] * 98, 1, 0),  # s = 0
        ([0, 0, 0], 1, 0),
    ):
        for protocol in PROTOCOLS:
            card = format_scorecard(outcomes(a=scores), protocol=protocol)
            found = values(card, "reliable/a", "needed_fi/a")
            assert found == pytest.approx(tuple(expected), nan_ok=True)


def test_what_there_is_nothing_to_tell_of():
    for other in ({}, {"b": [None, None]}):  # fewer than two formats
        card = format_scorecard(outcomes(a=[1, 0], **other))
        for name in ("bias_points", "bias_f", "bias_f_corrected", "bias_f_noise"):
            assert math.isnan(card[name].value)
            assert card[name].n == 0
        assert not any(name.startswith("difference/") for name in card)
    run = [FormatOutcome(str(i), "c", name, 1.0, i % 2) for i in range(6) for name in "ab"]
    card = format_scorecard(run)  # a single cluster
    for name in ("fi/a", "sys/a", "est_true/a", "bias_f", "fi_var", "difference/a-b"):
        assert math.isnan(card[name].ci_low), name
        assert not math.isnan(card[name].value), name


def test_noise_by_hand():
    """Two formats, 4 items each followed: variances 1/16 + 1/12 of the means, covariance 0.

    Means 1/4 and 1/2 have sample variances (1/4) and (1/3), over 4; the covariance of (1, 0, 0, 0)
    and (1, 0, 1, 0) is (1 - 4 * 1/8) / 3 / 4 = 1/24. A difference then varies by
    1/16 + 1/12 - 2/24 = 1/16, and the variance of two values is a quarter of its square.
    """
    card = format_scorecard(outcomes(a=[1, 0, 0, 0], b=[1, 0, 1, 0]))
    assert card["bias_f_noise"].value == pytest.approx(1e4 / 16 / 4)
    assert card["bias_f"].value == pytest.approx(1e4 / 16 / 4)
    assert card["bias_f_corrected"].value == pytest.approx(0)
    # Only one answer follows b: its variance is that of one answer to a, 1/3.
    card = format_scorecard(outcomes(a=[1, 0, 1, 0], b=[1, None, None, None]))
    assert card["bias_f_noise"].value == pytest.approx(1e4 * (1 / 12 + 1 / 3) / 4)
    card = format_scorecard(outcomes(a=[1, None], b=[None, 0]))  # no format has two answers
    assert math.isnan(card["bias_f_noise"].value)
    assert math.isnan(card["bias_f_corrected"].value)
    assert card["bias_f"].value == pytest.approx(2500)


def test_formats_that_came_to_the_same_on_every_item_have_the_exact_limit():
    """None of 20 differs, so at most 1 - 0.05^(1/20) = 13.9 % do: two formats of which each is
    right in half of these have a deviation of 7 points. One that differs gives hardly more."""
    same = [float(i < 6) for i in range(20)]
    card = format_scorecard(outcomes(a=same, b=same))
    points = card["bias_points"]
    assert (points.value, points.ci_low) == (0, 0)
    assert points.ci_high == pytest.approx(100 * (1 - 0.05**0.05) / 2)
    assert values(card, "bias_f", "bias_f_corrected", "bias_f_noise") == (0, 0, 0)
    other = format_scorecard(outcomes(a=same, b=[1 - same[0], *same[1:]]))
    assert points.ci_high < other["bias_points"].ci_high
    points, variance = other["bias_points"], other["bias_f_corrected"]
    found = points.value**2, points.ci_high**2
    assert found == pytest.approx((max(variance.value, 0), variance.ci_high))
    difference = card["difference/a-b"]
    assert -0.17 < difference.ci_low < -0.1 < 0.1 < difference.ci_high < 0.17
    seven = format_scorecard(outcomes(**dict.fromkeys("abcdefg", [1.0, 0.0, 0.1] * 9)))
    assert seven["bias_f"].value == seven["bias_f_noise"].value == 0  # no residue of rounding


def test_differences_are_paired_and_adjusted_for_all_pairs():
    """Formats that share their luck differ more precisely than formats that don't."""
    rng = np.random.default_rng(3)
    first = (rng.random(300) < 0.5).astype(float)
    near = np.where(rng.random(300) < 0.1, 1 - first, first)
    widths = []
    for other in (near, rng.permutation(near)):
        figure = format_scorecard(outcomes(a=first, b=other))["difference/a-b"]
        widths.append(figure.ci_high - figure.ci_low)
    assert widths[0] < 0.6 * widths[1]
    scores = [1, 0, 1, 1, 1, 0, 1, 1] * 10
    two = format_scorecard(outcomes(a=scores, b=[0, 0, 1, 0] * 20))
    three = format_scorecard(outcomes(a=scores, b=[0, 0, 1, 0] * 20, c=scores))
    assert three["difference/a-b"].p == pytest.approx(3 * two["difference/a-b"].p)
    assert two["difference/a-b"].p < 0.05
    assert two["difference/a-b"].ci_low > 0


def part(prefix, **marks):
    """The outcomes of a part: `1` right, `0` wrong, `-` does not follow."""
    of = {"1": 1, "0": 0, "-": None}
    return outcomes(prefix, **{name: [of[m] for m in each] for name, each in marks.items()})


PARTS = {
    ("mmlu", "zs"): part("m", char="11110000", text="1100----"),
    ("mmlu", "zs_cot"): part("m", char="11111100", text="1000----"),
    ("bbh", "zs"): part("b", char="1100", text="11--"),
    ("bbh", "zs_cot"): part("b", char="1110", text="1---"),
}


def test_parts_count_alike_however_many_items_they_have():
    card = average_card(PARTS, "corrected")
    assert card["fi/char"].value == 1
    assert card["fi/text"].value == pytest.approx((0.5 + 0.5 + 0.5 + 0.25) / 4)
    assert card["sys/char"].value == pytest.approx((0.5 + 0.75 + 0.5 + 0.75) / 4)
    assert card["est_true/text"].value == pytest.approx((0.5 + 0.25 + 1 + 1) / 4)
    averages = values(card, "est_true/char", "est_true/text")
    assert card["bias_f"].value == pytest.approx(np.var(averages) * 1e4)
    assert card["fi_var"].value == pytest.approx(np.var([1, 0.4375]) * 1e4)
    assert card["est_true/char"].n == 24
    # Under published a part without an answer counts 0: the paper's Table 3 has 10.46 for Gemma's
    # text, the mean of 8.10, 18.63, 0.00 and 15.11.
    parts = {**PARTS, ("bbh", "zs_cot"): part("b", char="1110", text="----")}
    corrected = average_card(parts, "corrected")
    unknown = corrected["est_true/text"]
    assert np.isnan([unknown.value, unknown.ci_low, unknown.ci_high]).all()
    assert unknown.n == 0
    assert math.isnan(corrected["bias_f"].value)
    published = average_card(parts, "published")
    assert published["est_true/text"].value == pytest.approx((0.5 + 0.25 + 1 + 0) / 4)
    card = average_card({**PARTS, ("gsm8k", "zs"): part("g", char="10")}, "corrected")
    assert {name for name in card if "/" in name} == {"fi/char", "sys/char", "est_true/char"}


def test_formats_are_compared_within_one_data_set_and_category():
    def card_of(*answers):
        found = []
        for dataset, category, name, score in answers:
            own = {"follows": True, "dataset": dataset, "category": category}
            own |= {"prompting": "zs", "format": name}
            item = f"{dataset}-{category}"
            found.append(Outcome(item, item, name, "g", "a", score, "follows", own=own))
        return run_card(found, {})

    answers = [("a", "wrapping", "bolding", 1.0), ("a", "wrapping", "quoting", 0.0)]
    answers += [("a", "list", "python", 0.5), ("a", "list", "bullet", 0.5)]
    card = card_of(*answers)
    assert values(card, "list/bias_f", "est_true/bolding") == (0, 1)
    assert card["wrapping/bias_f"].value == pytest.approx(2500)
    assert "bias_f" not in card
    assert card_of(*answers[:2])["bias_f"].value == pytest.approx(2500)
    card = card_of(*answers, ("b", "wrapping", "bolding", 0.0))
    assert values(card, "b/sys/bolding", "average/sys/bolding") == (0, 0.5)


def test_mean_bias_adds_up_within_a_data_set_and_in_squares_over_others():
    same = {
        ("gsm8k", "zs", "wrapping"): Estimate(10.0, 7.0, 14.0, 20),
        ("gsm8k", "zs_cot", "wrapping"): Estimate(20.0, 19.0, 22.0, 20),
    }
    assert mean_over_groups(same) == Estimate(15.0, 15 - 4 / 2, 15 + 6 / 2, 40)
    other = {
        ("a", "zs", "x"): Estimate(10.0, 7.0, 14.0, 20),
        ("b", "zs", "x"): Estimate(20.0, 16.0, 23.0, 5),
    }
    found = mean_over_groups(other)
    assert (found.value, found.ci_low, found.ci_high) == pytest.approx((15, 15 - 5 / 2, 15 + 5 / 2))
    unknown = Estimate(math.nan, math.nan, math.nan, 0)
    assert math.isnan(mean_over_groups({**other, ("a", "zs", "y"): unknown}).value)


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


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data(), random=st.randoms())
def test_any_run(protocol, data, random):
    """Intervals hold their figure and stay in range, EstTrue is Sys / FI, order does not count."""
    run = data.draw(runs(protocol))
    card = format_scorecard(run, protocol=protocol)
    shuffled = format_scorecard(random.sample(run, len(run)), protocol=protocol)
    assert list(card) == list(shuffled)
    for name, figure in card.items():
        other = shuffled[name]
        assert figure.value == pytest.approx(other.value, nan_ok=True), name
        assert figure.ci_low == pytest.approx(other.ci_low, nan_ok=True, rel=1e-6, abs=1e-6), name
        assert math.isnan(figure.ci_low) == math.isnan(figure.ci_high), name
        if math.isnan(figure.ci_low):
            continue
        assert figure.ci_low <= figure.value <= figure.ci_high, name
        if protocol == "corrected" and name.startswith(("fi/", "sys/", "est_true/")):
            assert figure.ci_low >= 0, name
            assert figure.ci_high <= 1 + 1e-9, name
        assert figure.p is None or math.isnan(figure.p) or 0 <= figure.p <= 1
    names = {outcome.format for outcome in run}
    assert sum(values(card, "formats_compared", "left_out")) == len(names)
    for name in names:
        fi, systematic = values(card, f"fi/{name}", f"sys/{name}")
        expected = systematic / fi if fi else math.nan
        assert card[f"est_true/{name}"].value == pytest.approx(expected, nan_ok=True)
