"""Metrics of output formats: computed by hand, and properties on random outcomes."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.output_format.metrics import FormatOutcome, MetricOptions, compute_format_metrics
from bias_tasks.output_format.metrics_groups import (
    Group,
    average_metrics,
    compute_run_metrics,
    mean_over_groups,
)
from bias_tasks.output_format.scoring_data import FormatExtra
from bias_tasks.protocols import PROTOCOLS
from bias_tasks.statistics.estimate import Estimate


def outcomes(prefix="", **formats):
    """Outcomes of items 0, 1, ... in each format: None does not follow, else its score."""
    return [
        FormatOutcome(f"{prefix}{i}", f"{prefix}{i}", name, float(score is not None), score or 0.0)
        for name, scores in formats.items()
        for i, score in enumerate(scores)
    ]


def values(metrics, *names):
    return tuple(metrics[name].value for name in names)


def test_shares_by_hand():
    metrics = compute_format_metrics(outcomes(a=[1, 0.5, None, 0] * 5, b=[None, None, 1, 1] * 5))
    assert values(metrics, "fi/a", "sys/a", "est_true/a") == (0.75, 0.375, 0.5)
    assert metrics["est_true/a"].n == 15
    assert values(metrics, "fi/b", "sys/b", "est_true/b") == (0.5, 0.5, 1)
    assert metrics["bias_f"].value == pytest.approx(625)  # of 50 and 100 %
    assert metrics["fi_var"].value == pytest.approx(156.25)  # of 75 and 50 %
    assert metrics["est_true_diff/a-b"].value == -0.5
    assert values(metrics, "n_formats", "n_formats_excluded") == (2, 0)
    metrics = compute_format_metrics(outcomes(a=[1, 0] * 5, b=[None] * 10, c=[1, 1] * 5))
    assert math.isnan(metrics["est_true/b"].value)
    assert values(metrics, "fi/b", "sys/b", "n_formats", "n_formats_excluded") == (0, 0, 2, 1)
    assert metrics["bias_f"].value == pytest.approx(625)
    assert metrics["fi_var"].value == pytest.approx(1e4 * np.var([1, 0, 1]))  # of all formats
    assert [name for name in metrics if name.startswith("est_true_diff/")] == ["est_true_diff/a-c"]
    assert compute_format_metrics([]) == {}
    run = [FormatOutcome(str(i), str(i), "a", *pair) for i, pair in enumerate([(1, 1), (0, 1)])]
    metrics = compute_format_metrics(
        run, MetricOptions(protocol="published")
    )  # answers that do not follow are scored
    assert values(metrics, "fi/a", "sys/a", "est_true/a") == (0.5, 1, 2)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_reliable_if_and_only_if_the_interval_is_within_the_margin(protocol):
    """Half a t interval, with finite population correction."""
    for n in (2, 3, 10, 40, 150, 280, 300, 320, 399, 400):
        for moe in (0.01, 0.05, 0.2):
            scores = [float(i % 3 == 0) for i in range(n)]
            run = outcomes(a=scores + [None] * (400 - n))
            metrics = compute_format_metrics(run, MetricOptions(moe=moe, protocol=protocol))
            df = n if protocol == "published" else n - 1
            half = student.ppf(0.975, df) * statistics.stdev(scores) / math.sqrt(n)
            reliable = half * math.sqrt((400 - n) / 400) < moe
            assert metrics["reliable/a"].value == reliable, (n, moe)
            needed = n * half**2 / (n * half**2 + 400 * moe**2)
            assert metrics["needed_fi/a"].value == pytest.approx(needed), (n, moe)


def test_reliability_of_few_answers():
    """Two equal scores of 100 answers are no evidence, though the published formula says so."""
    nan = math.nan
    for scores, corrected, published in (
        ([None] * 5, (nan, nan), (nan, nan)),  # n = 0
        ([1] + [None] * 4, (0, nan), (0, nan)),  # n = 1: no standard deviation
        ([1, 1] + [None] * 98, (nan, nan), (1, 0)),  # s = 0
        ([0.1, 0.1, 0.1], (nan, nan), (1, pytest.approx(0))),  # but for a rounding error
        ([0, 0, 0], (nan, nan), (1, 0)),
        # s² = 1/3 and t = 4.302653 with 2 degrees, 3.182446 with 3: (t s / 0.05)² / (... + 3)
        ([0, 1, 1], (1, pytest.approx(2468.43 / 2471.43)), (1, pytest.approx(1350.39 / 1353.39))),
    ):
        for protocol, expected in (("corrected", corrected), ("published", published)):
            metrics = compute_format_metrics(outcomes(a=scores), MetricOptions(protocol=protocol))
            result = values(metrics, "reliable/a", "needed_fi/a")
            assert result == pytest.approx(expected, nan_ok=True), (scores, protocol)


TRUE_SCORE = ("true_score_low", "true_score_high", "true_score", "true_score_coverage")


def true_scores(*answers, **options):
    """Compute the True score and its bounds of answers (follows, score, read, recovered_score)."""
    run = [FormatOutcome(str(i), str(i), "a", *answer) for i, answer in enumerate(answers)]
    metrics = compute_format_metrics(run, MetricOptions(**options))
    for name in TRUE_SCORE:
        estimate = metrics[f"{name}/a"]
        assert not estimate.ci_low < 0, name
        assert not estimate.ci_high > 1, name
    return values(metrics, *(f"{name}/a" for name in TRUE_SCORE))


def test_true_score_and_its_bounds_by_hand():
    follows, wrong, unread = (1, 1), (1, 0), (0, 0)
    # Sys 2/5 and FI 3/5, so that all may be right in 2/5 to 4/5 of the answers. Of the two that do
    # not follow one is read, with the score 0.5: 2.5 of 4 answers.
    result = true_scores(follows, follows, wrong, unread, (0, 0, 1, 0.5))
    assert result == pytest.approx((2 / 5, 4 / 5, 2.5 / 4, 4 / 5))
    # Nothing else is read: the mean over those that follow would be EstTrue.
    low, high, true, coverage = true_scores(follows, follows, wrong, unread, unread)
    assert (low, high, coverage) == pytest.approx((2 / 5, 4 / 5, 3 / 5))
    assert math.isnan(true)
    assert true_scores(follows, wrong) == (0.5, 0.5, 0.5, 1)  # all follow: Sys, EstTrue and True
    assert true_scores((0, 0, 1, 1), (0, 0, 1, 0)) == (0, 1, 0.5, 1)  # no EstTrue, but a True score
    # Over two epochs: one answer follows with 1, the other is read with 0.5 or not at all.
    assert true_scores((0.5, 0.5, 0.5, 0.25)) == pytest.approx((0.5, 1, 0.75, 1))
    result = true_scores((0.5, 0.5, 0.5, 0.25), (0.5, 0.5))
    assert result == pytest.approx((0.5, 1, 1.25 / 1.5, 0.75))
    # Published, Sys counts the score of an answer that does not follow. The bounds do not.
    assert true_scores(wrong, (0, 1), protocol="published")[:2] == (0, 0.5)


def test_right_answers_in_another_format_by_hand():
    """Of five answers two do not follow; one of them is read, with the score 0.5."""
    run = [(1, 1), (1, 1), (1, 0), (0, 0), (0, 0, 1, 0.5)]
    for answers, expected in ((run, 0.1), (run[:4], math.nan), (run[:3], 0)):
        rows = [FormatOutcome(str(i), str(i), "a", *answer) for i, answer in enumerate(answers)]
        estimate = compute_format_metrics(rows)["right_in_wrong_format/a"]
        assert estimate.value == pytest.approx(expected, nan_ok=True)


def test_undefined_metrics_are_nan():
    for other in ({}, {"b": [None, None]}):  # fewer than two formats
        metrics = compute_format_metrics(outcomes(a=[1, 0], **other))
        for name in ("format_std", "bias_f", "bias_f_corrected", "bias_f_noise"):
            assert math.isnan(metrics[name].value)
            assert metrics[name].n == 0
        assert not any(name.startswith("est_true_diff/") for name in metrics)
    run = [FormatOutcome(str(i), "c", name, 1.0, i % 2) for i in range(20) for name in "ab"]
    metrics = compute_format_metrics(run)  # a single cluster
    for name in ("fi/a", "sys/a", "est_true/a", "bias_f", "fi_var", "est_true_diff/a-b"):
        assert math.isnan(metrics[name].ci_low), name
        assert not math.isnan(metrics[name].value), name


def test_formats_that_few_answers_follow_are_not_in_the_bias():
    """A tenth of the answers and ten of them must follow; one right answer is no EstTrue of 1."""
    half, few, rare = [1, 0] * 100, [1] * 9 + [None] * 31, [1] * 19 + [None] * 181
    for scores, excluded in (
        ({"few": few}, 1),  # 9 of 40
        ({"few": [1, *few]}, 0),  # 10 of 41
        ({"rare": rare}, 1),  # 19 of 200
        ({"rare": [1, *rare[:-1]]}, 0),  # 20 of 200
        ({"few": few, "rare": rare}, 2),
    ):
        run = outcomes(a=half, b=half, **scores)
        metrics = compute_format_metrics(run)
        counts = values(metrics, "n_formats", "n_formats_excluded")
        assert counts == (2 + len(scores) - excluded, excluded), scores
        assert (metrics["bias_f"].value == 0) == (excluded == len(scores)), scores
        assert "est_true_diff/a-" + next(iter(scores)) in metrics  # its interval says how few
        published = compute_format_metrics(run, MetricOptions(protocol="published"))
        assert values(published, "n_formats", "n_formats_excluded") == (2 + len(scores), 0)
        assert published["bias_f"].value > 0
    metrics = compute_format_metrics(outcomes(a=half, few=few))
    assert math.isnan(metrics["format_std"].value)
    assert values(metrics, "n_formats", "n_formats_excluded") == (1, 1)
    # Over parts: each of them must have enough.
    parts = {("mmlu", "zs"): outcomes("m", a=half, b=half, few=[1] * 200)}
    parts[("bbh", "zs")] = outcomes("b", a=half, b=half, few=few)
    assert average_metrics(parts, "corrected")["bias_f"].value == 0
    assert average_metrics(parts, "published")["bias_f"].value > 0


def test_noise_by_hand():
    """Two formats, 4 items each followed: variances 1/16 + 1/12 of the means, covariance 0.

    Means 1/4 and 1/2 have sample variances (1/4) and (1/3), over 4; the covariance of (1, 0, 0, 0)
    and (1, 0, 1, 0) is (1 - 4 * 1/8) / 3 / 4 = 1/24. A difference then varies by
    1/16 + 1/12 - 2/24 = 1/16, and the variance of two values is a quarter of its square.
    """
    published = MetricOptions(protocol="published")  # compares formats that few answers follow
    metrics = compute_format_metrics(outcomes(a=[1, 0, 0, 0], b=[1, 0, 1, 0]), published)
    assert metrics["bias_f_noise"].value == pytest.approx(1e4 / 16 / 4)
    assert metrics["bias_f"].value == pytest.approx(1e4 / 16 / 4)
    assert metrics["bias_f_corrected"].value == pytest.approx(0)
    # Only one answer follows b: its variance is that of one answer to a, 1/3.
    few = outcomes(a=[1, 0, 1, 0], b=[1, None, None, None])
    metrics = compute_format_metrics(few, published)
    assert metrics["bias_f_noise"].value == pytest.approx(1e4 * (1 / 12 + 1 / 3) / 4)
    few = outcomes(a=[1, None], b=[None, 0])  # no format has two answers
    metrics = compute_format_metrics(few, published)
    assert math.isnan(metrics["bias_f_noise"].value)
    assert math.isnan(metrics["bias_f_corrected"].value)
    assert metrics["bias_f"].value == pytest.approx(2500)


def test_the_interval_of_a_variance_of_shares_ends_at_its_maximum():
    """Shares are at most 50 points from their mean, however few the items are."""
    metrics = compute_format_metrics(
        outcomes(a=[1, 1], b=[0, 0], c=[1, 0]), MetricOptions(protocol="published")
    )
    assert metrics["bias_f"].value < 2500 == metrics["bias_f"].ci_high
    assert metrics["format_std"].ci_high == 50


def test_formats_with_equal_outcomes_on_every_item_have_an_exact_bound():
    """None of 20 items differs, so at most 1 - 0.05^(1/20) = 13.9 % do.

    Two formats that are each correct on half of these deviate by 7 points. With one item that
    differs the bound is only slightly higher.
    """
    same = [float(i < 6) for i in range(20)]
    metrics = compute_format_metrics(outcomes(a=same, b=same))
    points = metrics["format_std"]
    assert (points.value, points.ci_low) == (0, 0)
    assert points.ci_high == pytest.approx(100 * (1 - 0.05**0.05) / 2)
    assert values(metrics, "bias_f", "bias_f_corrected", "bias_f_noise") == (0, 0, 0)
    other = compute_format_metrics(outcomes(a=same, b=[1 - same[0], *same[1:]]))
    assert points.ci_high < other["format_std"].ci_high
    points, variance = other["format_std"], other["bias_f_corrected"]
    result = points.value**2, points.ci_high**2
    assert result == pytest.approx((max(variance.value, 0), variance.ci_high))
    difference = metrics["est_true_diff/a-b"]
    assert -0.17 < difference.ci_low < -0.1 < 0.1 < difference.ci_high < 0.17
    seven = compute_format_metrics(outcomes(**dict.fromkeys("abcdefg", [1.0, 0.0, 0.1] * 9)))
    assert seven["bias_f"].value == seven["bias_f_noise"].value == 0  # no rounding error


def test_differences_are_paired_and_adjusted_for_all_pairs():
    """Differences between formats with correlated outcomes have narrower intervals."""
    rng = np.random.default_rng(3)
    first = (rng.random(300) < 0.5).astype(float)
    near = np.where(rng.random(300) < 0.1, 1 - first, first)
    widths = []
    for other in (near, rng.permutation(near)):
        estimate = compute_format_metrics(outcomes(a=first, b=other))["est_true_diff/a-b"]
        widths.append(estimate.ci_high - estimate.ci_low)
    assert widths[0] < 0.6 * widths[1]
    scores = [1, 0, 1, 1, 1, 0, 1, 1] * 10
    two = compute_format_metrics(outcomes(a=scores, b=[0, 0, 1, 0] * 20))
    three = compute_format_metrics(outcomes(a=scores, b=[0, 0, 1, 0] * 20, c=scores))
    assert three["est_true_diff/a-b"].p == pytest.approx(3 * two["est_true_diff/a-b"].p)
    assert two["est_true_diff/a-b"].p < 0.05
    assert two["est_true_diff/a-b"].ci_low > 0


def part(prefix, **marks):
    """Return the outcomes of a part: `1` correct, `0` wrong, `-` does not follow, ten times."""
    scores = {"1": 1, "0": 0, "-": None}
    return outcomes(
        prefix, **{name: [scores[mark] for mark in row] * 10 for name, row in marks.items()}
    )


PARTS = {
    ("mmlu", "zs"): part("m", char="11110000", text="1100----"),
    ("mmlu", "zs_cot"): part("m", char="11111100", text="1000----"),
    ("bbh", "zs"): part("b", char="1100", text="11--"),
    ("bbh", "zs_cot"): part("b", char="1110", text="1---"),
}


def test_parts_have_equal_weights_with_any_numbers_of_items():
    metrics = average_metrics(PARTS, "corrected")
    assert metrics["fi/char"].value == 1
    assert metrics["fi/text"].value == pytest.approx((0.5 + 0.5 + 0.5 + 0.25) / 4)
    assert metrics["sys/char"].value == pytest.approx((0.5 + 0.75 + 0.5 + 0.75) / 4)
    assert metrics["est_true/text"].value == pytest.approx((0.5 + 0.25 + 1 + 1) / 4)
    averages = values(metrics, "est_true/char", "est_true/text")
    assert metrics["bias_f"].value == pytest.approx(np.var(averages) * 1e4)
    assert metrics["fi_var"].value == pytest.approx(np.var([1, 0.4375]) * 1e4)
    assert metrics["est_true/char"].n == 240
    # Under published a part without an answer counts 0: the paper's Table 3 has 10.46 for Gemma's
    # text, the mean of 8.10, 18.63, 0.00 and 15.11.
    parts = {**PARTS, ("bbh", "zs_cot"): part("b", char="1110", text="----")}
    corrected = average_metrics(parts, "corrected")
    unknown = corrected["est_true/text"]
    assert np.isnan([unknown.value, unknown.ci_low, unknown.ci_high]).all()
    assert unknown.n == 0
    assert math.isnan(corrected["bias_f"].value)
    published = average_metrics(parts, "published")
    assert published["est_true/text"].value == pytest.approx((0.5 + 0.25 + 1 + 0) / 4)
    metrics = average_metrics({**PARTS, ("gsm8k", "zs"): part("g", char="10")}, "corrected")
    assert {name for name in metrics if "/" in name} == {"fi/char", "sys/char", "est_true/char"}


def test_formats_are_compared_within_one_data_set_and_category():
    def compute(*answers):
        rows = []
        for dataset, category, name, score in answers:
            extra = FormatExtra(
                follows=True,
                dataset=dataset,
                category=category,
                prompting="zs",
                format=name,
                form=0,
            )
            item = f"{dataset}-{category}"
            rows.append(Outcome(item, item, name, "g", "a", score, "follows", extra=extra))
        return compute_run_metrics(rows, MetricOptions(protocol="published"))

    answers = [("a", "wrapping", "bolding", 1.0), ("a", "wrapping", "quoting", 0.0)]
    answers += [("a", "list", "python", 0.5), ("a", "list", "bullet", 0.5)]
    metrics = compute(*answers)
    assert values(metrics, "list/bias_f", "est_true/bolding") == (0, 1)
    assert metrics["wrapping/bias_f"].value == pytest.approx(2500)
    assert "bias_f" not in metrics
    assert compute(*answers[:2])["bias_f"].value == pytest.approx(2500)
    metrics = compute(*answers, ("b", "wrapping", "bolding", 0.0))
    assert values(metrics, "b/sys/bolding", "average/sys/bolding") == (0, 0.5)


def test_mean_bias_adds_up_within_a_data_set_and_in_squares_over_others():
    same = {
        Group("gsm8k", "zs", "wrapping"): Estimate(10.0, 7.0, 14.0, 20),
        Group("gsm8k", "zs_cot", "wrapping"): Estimate(20.0, 19.0, 22.0, 20),
    }
    assert mean_over_groups(same) == Estimate(15.0, 15 - 4 / 2, 15 + 6 / 2, 40)
    other = {
        Group("a", "zs", "x"): Estimate(10.0, 7.0, 14.0, 20),
        Group("b", "zs", "x"): Estimate(20.0, 16.0, 23.0, 5),
    }
    result = mean_over_groups(other)
    assert (result.value, result.ci_low, result.ci_high) == pytest.approx(
        (15, 15 - 5 / 2, 15 + 5 / 2)
    )
    unknown = Estimate(math.nan, math.nan, math.nan, 0)
    assert math.isnan(mean_over_groups({**other, Group("a", "zs", "y"): unknown}).value)


@st.composite
def random_runs(draw, protocol="corrected"):
    epochs = draw(st.sampled_from([1, 3]))
    items = draw(st.sampled_from([1, 3, 8, 25]))
    cluster = draw(st.integers(1, 3))
    run = []
    for name in draw(st.sampled_from(["a", "ab", "abc"])):
        for i in range(items):
            if draw(st.booleans()) or i == 0:
                follows = draw(st.integers(0, epochs)) / epochs
                score = draw(st.sampled_from([0, 0.25, 0.5, 1]))
                score *= follows if protocol == "corrected" else 1
                read = draw(st.sampled_from([0, 1])) * (1 - follows)
                values = (follows, score, read, draw(st.sampled_from([0, 0.5, 1])) * read)
                run.append(FormatOutcome(str(i), str(i // cluster), name, *values))
    return run


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data(), random=st.randoms())
def test_properties_of_any_run(protocol, data, random):
    """Intervals include their value and stay in range, EstTrue is Sys / FI, order is irrelevant."""
    run = data.draw(random_runs(protocol))
    metrics = compute_format_metrics(run, MetricOptions(protocol=protocol))
    shuffled = compute_format_metrics(
        random.sample(run, len(run)), MetricOptions(protocol=protocol)
    )
    assert list(metrics) == list(shuffled)
    for name, estimate in metrics.items():
        other = shuffled[name]
        assert estimate.value == pytest.approx(other.value, nan_ok=True), name
        assert estimate.ci_low == pytest.approx(other.ci_low, nan_ok=True, rel=1e-6, abs=1e-6), name
        assert math.isnan(estimate.ci_low) == math.isnan(estimate.ci_high), name
        if math.isnan(estimate.ci_low):
            continue
        assert estimate.ci_low <= estimate.value <= estimate.ci_high, name
        if protocol == "corrected" and name.startswith(("fi/", "sys/", "est_true/", "true_score")):
            assert estimate.ci_low >= 0, name
            assert estimate.ci_high <= 1 + 1e-9, name
        assert estimate.p is None or math.isnan(estimate.p) or 0 <= estimate.p <= 1
    names = {outcome.format for outcome in run}
    assert sum(values(metrics, "n_formats", "n_formats_excluded")) == len(names)
    for name in names:
        fi, systematic = values(metrics, f"fi/{name}", f"sys/{name}")
        expected = systematic / fi if fi else math.nan
        assert metrics[f"est_true/{name}"].value == pytest.approx(expected, nan_ok=True)
        low, high, true = values(metrics, *(f"{metric}/{name}" for metric in TRUE_SCORE[:3]))
        assert high - low == pytest.approx(1 - fi)
        if protocol == "corrected":
            assert low == pytest.approx(systematic)
            if metrics[f"true_score_coverage/{name}"].value == 1:
                assert low - 1e-9 <= true <= high + 1e-9
