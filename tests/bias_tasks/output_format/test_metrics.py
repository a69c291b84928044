"""Figures of output formats: worked out by hand, and what they do with bad input."""

import math
import statistics
import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import t as student

from bias_tasks.output_format.metrics.card import (
    format_scorecard,
)
from bias_tasks.output_format.metrics.outcome import (
    FormatOutcome,
)
from tests.bias_tasks.effort import cpu_limit, growth


def outcomes(**formats):
    """Outcomes of items 0, 1, ... in each format: None does not follow, else its score."""
    return [
        FormatOutcome(str(i), str(i), name, float(score is not None), score or 0.0)
        for name, scores in formats.items()
        for i, score in enumerate(scores)
    ]


def value(card, name):
    return card[name].value


def test_shares_by_hand():
    card = format_scorecard(outcomes(a=[1, 0.5, None, 0], b=[None, None, 1, 1]))
    assert value(card, "fi/a") == 0.75
    assert value(card, "sys/a") == 0.375
    assert value(card, "est_true/a") == 0.5
    assert card["est_true/a"].n == 3
    assert (value(card, "fi/b"), value(card, "sys/b"), value(card, "est_true/b")) == (0.5, 0.5, 1)
    assert value(card, "bias_f") == pytest.approx(625)  # of 50 and 100 %
    assert value(card, "fi_var") == pytest.approx(156.25)  # of 75 and 50 %
    assert value(card, "difference/a-b") == -0.5
    assert (value(card, "formats_compared"), value(card, "left_out")) == (2, 0)


def test_published_scores_what_does_not_follow():
    run = [FormatOutcome(str(i), str(i), "a", *pair) for i, pair in enumerate([(1, 1), (0, 1)])]
    card = format_scorecard(run, protocol="published")
    assert (value(card, "fi/a"), value(card, "sys/a"), value(card, "est_true/a")) == (0.5, 1, 2)
    with pytest.raises(ValueError, match=r"item '1', format 'a': score 1 is above follows 0"):
        format_scorecard(run)


def test_both_protocols_agree_where_only_answers_that_follow_score():
    run = outcomes(a=[1, 0.5, None, 0], b=[None, None, 1, 1])
    corrected, published = (format_scorecard(run, protocol=p) for p in ("corrected", "published"))
    for name in corrected:
        if not name.startswith(("reliable", "needed_fi")):  # of other degrees of freedom
            assert corrected[name] == published[name] or math.isnan(corrected[name].ci_low), name


# Reliability: by hand from the t interval with finite population correction.


def interval_is_within(scores, total, moe, alpha, df):
    """The definition in words: half a t interval, with finite population correction."""
    n = len(scores)
    half = student.ppf(1 - alpha / 2, df) * statistics.stdev(scores) / math.sqrt(n)
    return half * math.sqrt((total - n) / total) < moe


@pytest.mark.parametrize("protocol", ["corrected", "published"])
@pytest.mark.parametrize("n", [2, 3, 10, 40, 150, 280, 300, 320, 399, 400])
@pytest.mark.parametrize("moe", [0.01, 0.05, 0.2])
def test_reliable_just_where_the_interval_is_within_the_margin(n, moe, protocol):
    scores = [float(i % 3 == 0) for i in range(n)]
    run = outcomes(a=scores + [None] * (400 - n))
    card = format_scorecard(run, moe=moe, protocol=protocol)
    df = n if protocol == "published" else n - 1
    assert value(card, "reliable/a") == interval_is_within(scores, 400, moe, 0.05, df)
    assert (value(card, "fi/a") > value(card, "needed_fi/a")) == value(card, "reliable/a")


def test_reliability_at_a_printed_size():
    """100 of 200 right half the time: s = 0.5025, t = 1.9842, so FI 0.5 is short of 0.665."""
    card = format_scorecard(outcomes(a=[1, 0] * 50 + [None] * 100))
    assert value(card, "reliable/a") == 0
    assert value(card, "needed_fi/a") == pytest.approx(0.6654, abs=5e-4)
    assert value(format_scorecard(outcomes(a=[1, 0] * 50)), "reliable/a") == 1  # nothing unseen


@pytest.mark.parametrize(
    ("scores", "reliable", "needed"),
    [
        ([None] * 5, math.nan, math.nan),  # n = 0
        ([1] + [None] * 4, 0, math.nan),  # n = 1: no spread to be known
        ([1], 0, math.nan),  # n = N = 1
        ([1, 1] + [None] * 98, 1, 0),  # s = 0
        ([0, 0, 0], 1, 0),
    ],
)
@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_reliability_of_few_answers(scores, reliable, needed, protocol):
    card = format_scorecard(outcomes(a=scores), protocol=protocol)
    assert value(card, "reliable/a") == pytest.approx(reliable, nan_ok=True)
    assert value(card, "needed_fi/a") == pytest.approx(needed, nan_ok=True)


def test_a_smaller_alpha_needs_more_answers():
    run = outcomes(a=[1, 0] * 50 + [None] * 100)
    needed = [
        value(format_scorecard(run, alpha=alpha), "needed_fi/a") for alpha in (0.2, 0.05, 0.01)
    ]
    assert needed == sorted(needed)
    assert needed[0] < 0.5 < needed[1]


# What is left out.


def test_a_format_that_no_answer_follows():
    card = format_scorecard(outcomes(a=[1, 0], b=[None, None], c=[1, 1]))
    assert math.isnan(value(card, "est_true/b"))
    assert card["est_true/b"].n == 0
    assert (value(card, "fi/b"), value(card, "sys/b")) == (0, 0)
    assert value(card, "bias_f") == pytest.approx(625)
    assert (value(card, "formats_compared"), value(card, "left_out")) == (2, 1)
    assert value(card, "fi_var") == pytest.approx(1e4 * np.var([1, 0, 1]))
    assert [name for name in card if name.startswith("difference/")] == ["difference/a-c"]


@pytest.mark.parametrize(
    "run",
    [
        outcomes(a=[1, 0, 1]),
        outcomes(a=[1, 0], b=[None, None]),
        outcomes(a=[None, None], b=[None, None]),
    ],
)
def test_nothing_is_compared_with_less_than_two_formats(run):
    card = format_scorecard(run)
    for name in ("bias_f", "bias_f_corrected", "bias_f_noise"):
        assert math.isnan(value(card, name))
        assert card[name].n == 0
    assert not any(name.startswith("difference/") for name in card)


def test_items_that_one_format_lacks():
    run = [*outcomes(a=[1, 0, 1, None], b=[1, 1, 0, 0])]
    run.remove(FormatOutcome("3", "3", "b", 1.0, 0.0))
    card = format_scorecard(run)
    assert (card["fi/a"].n, card["fi/b"].n) == (4, 3)
    assert value(card, "sys/b") == pytest.approx(2 / 3)


def test_a_single_cluster_has_no_bounds():
    run = [FormatOutcome(str(i), "c", name, 1.0, i % 2) for i in range(6) for name in "ab"]
    card = format_scorecard(run)
    for name in ("fi/a", "sys/a", "est_true/a", "bias_f", "fi_var", "difference/a-b"):
        assert math.isnan(card[name].ci_low), name
        assert not math.isnan(value(card, name)), name


def test_no_outcomes_give_no_figures():
    assert format_scorecard([]) == {}


# What noise adds.


def test_noise_by_hand():
    """Two formats, 4 items each followed: variances 1/16 + 1/12 of the means, covariance 0.

    Means 1/4 and 1/2 have sample variances (1/4) and (1/3), over 4; the covariance of (1, 0, 0, 0)
    and (1, 0, 1, 0) is (1 - 4 * 1/8) / 3 / 4 = 1/24. A difference then varies by
    1/16 + 1/12 - 2/24 = 1/16, and the variance of two values is a quarter of its square.
    """
    card = format_scorecard(outcomes(a=[1, 0, 0, 0], b=[1, 0, 1, 0]))
    assert value(card, "bias_f_noise") == pytest.approx(1e4 / 16 / 4)
    assert value(card, "bias_f") == pytest.approx(1e4 / 16 / 4)
    assert value(card, "bias_f_corrected") == pytest.approx(0)


def test_noise_is_what_pairing_leaves():
    """The same answers in every format differ by nothing, and by nothing noise could make."""
    same = [1, 0, 0.5, 1, 1, 0]
    card = format_scorecard(outcomes(a=same, b=same, c=same))
    for name in ("bias_f", "bias_f_noise", "bias_f_corrected"):
        assert value(card, name) == pytest.approx(0)
    assert value(card, "difference/a-b") == 0
    assert card["difference/a-b"].p == 1


def test_one_answer_varies_as_one_of_the_other_formats():
    """Only one answer follows b: its variance is that of one answer to a, 1/3."""
    card = format_scorecard(outcomes(a=[1, 0, 1, 0], b=[1, None, None, None]))
    assert value(card, "bias_f_noise") == pytest.approx(1e4 * (1 / 12 + 1 / 3) / 4)


def test_noise_is_unknown_where_no_format_has_two_answers():
    card = format_scorecard(outcomes(a=[1, None], b=[None, 0]))
    assert math.isnan(value(card, "bias_f_noise"))
    assert math.isnan(value(card, "bias_f_corrected"))
    assert value(card, "bias_f") == pytest.approx(2500)


# Planted respondents.


def planted(rng, n, fi, est_true):
    follows = rng.random((n, len(fi))) < fi
    right = follows & (rng.random((n, len(fi))) < est_true)
    return [
        FormatOutcome(str(i), str(i), name, float(follows[i, k]), float(right[i, k]))
        for i in range(n)
        for k, name in enumerate("abcdefg"[: len(fi)])
    ]


FI = (1.0, 0.95, 0.9, 0.8, 0.6, 0.5, 0.4)


def test_planted_rates_are_recovered():
    right = (0.5, 0.6, 0.7, 0.4, 0.3, 0.8, 0.9)
    card = format_scorecard(planted(np.random.default_rng(1), 4000, FI, right))
    for name, fi, est_true in zip("abcdefg", FI, right, strict=True):
        assert value(card, f"fi/{name}") == pytest.approx(fi, abs=0.03)
        assert value(card, f"est_true/{name}") == pytest.approx(est_true, abs=0.03)
        assert value(card, f"sys/{name}") == pytest.approx(fi * est_true, abs=0.03)
    truth = 1e4 * np.var(right)
    assert card["bias_f"].ci_low < truth < card["bias_f"].ci_high
    assert card["bias_f"].ci_high < 1.5 * truth
    assert card["difference/a-b"].p < 0.001


def test_equal_accuracy_and_unequal_fi_is_no_bias():
    """Where Sys would differ by half, the corrected bias_f has 0 in its interval."""
    covered = []
    for seed in range(40):
        card = format_scorecard(planted(np.random.default_rng(seed), 200, FI, (0.6,) * 7))
        figure = card["bias_f_corrected"]
        assert figure.ci_low <= figure.value <= figure.ci_high
        assert value(card, "fi_var") > 200
        covered.append(figure.ci_low <= 0)
    assert sum(covered) >= 36  # 3.5 % miss by design


def test_differences_are_paired():
    """Formats that share their luck differ more precisely than formats that don't."""
    rng = np.random.default_rng(3)
    first = (rng.random(300) < 0.5).astype(float)
    near = np.where(rng.random(300) < 0.1, 1 - first, first)
    far = rng.permutation(near)
    widths = [
        (card := format_scorecard(outcomes(a=first, b=other)))["difference/a-b"].ci_high
        - card["difference/a-b"].ci_low
        for other in (near, far)
    ]
    assert widths[0] < 0.6 * widths[1]


def test_p_values_are_adjusted_for_all_pairs():
    scores = [1, 0, 1, 1, 1, 0, 1, 1] * 10
    two = format_scorecard(outcomes(a=scores, b=[0, 0, 1, 0] * 20))
    three = format_scorecard(outcomes(a=scores, b=[0, 0, 1, 0] * 20, c=scores))
    assert three["difference/a-b"].p == pytest.approx(3 * two["difference/a-b"].p)
    assert two["difference/a-b"].p < 0.05
    assert two["difference/a-b"].ci_low > 0


# Bad input.


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([FormatOutcome("0", "0", "a", 1, 1)], "item '0' stands twice under format 'a'"),
        ([FormatOutcome("0", "x", "b", 1, 1)], "item '0' stands in two clusters"),
        (
            [FormatOutcome("9", "9", "a", 1.5, 1)],
            "item '9', format 'a': follows is 1.5, not between",
        ),
        ([FormatOutcome("9", "9", "a", math.nan, 0)], "follows is nan, not between 0 and 1"),
        ([FormatOutcome("9", "9", "a", 1, -0.1)], "score is -0.1, not between 0 and 1"),
        ([FormatOutcome("9", "9", "a", 0.5, 0.6)], "score 0.6 is above follows 0.5"),
    ],
)
def test_bad_outcomes(more, message):
    with pytest.raises(ValueError, match=message):
        format_scorecard(outcomes(a=[1, 0]) + more)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"moe": 0}, "moe is 0: it must be between 0 and 1"),
        ({"moe": 5}, "moe is 5: it must be between 0 and 1"),
        ({"alpha": math.nan}, "alpha is nan: it must be between 0 and 1"),
        ({"protocol": "paper"}, "protocol is 'paper': it is corrected or published"),
    ],
)
def test_bad_parameters(arguments, message):
    with pytest.raises(ValueError, match=message):
        format_scorecard(outcomes(a=[1, 0]), **arguments)


# Speed, and what importing costs.


def recorded(items):
    rng = np.random.default_rng(0)
    return planted(rng, items, FI, (0.5,) * 7)


def test_time_is_linear_in_the_answers():
    def scored(items):
        run = recorded(items)
        return lambda: format_scorecard(run)

    assert growth(scored, 150) < 5
    with cpu_limit(100, "100,000 answers"):  # what numpy does, too
        scored(14_300)()


def test_importing_loads_neither_numpy_nor_scipy():
    program = (
        "import sys; from bias_tasks.output_format.metrics.outcome import FormatOutcome;"
        "from bias_tasks.output_format.metrics.task_scores import task_score;"
        "print([name for name in ('numpy', 'scipy') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout.strip() == "[]", found.stderr


def test_what_figures_need_is_loaded_with_the_first_and_the_second_is_the_same():
    program = (
        "import sys\n"
        "from bias_tasks.families import load_family\n"
        "from bias_tasks.family import Answer\n"
        "family = load_family('output_format')\n"
        "task = family.tasks['format_list']\n"
        "values = task.values({'dataset': 'synthetic', 'n': 2})\n"
        "questions = family.plan(task.name, values).questions\n"
        "outcomes = [family.read(each.facts, Answer('x')) for each in questions]\n"
        "print([name for name in ('numpy', 'scipy') if name in sys.modules])\n"
        "first, second = (repr(family.scorecard(outcomes, {})) for _ in range(2))\n"
        "print(first == second, 'fi/python' in first)\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout.splitlines() == ["[]", "True True"], found.stderr
