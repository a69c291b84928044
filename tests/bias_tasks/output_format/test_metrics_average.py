"""Averages over data sets and promptings, as the paper's distilled tables have them."""

import math

import numpy as np
import pytest

from bias_tasks.output_format.metrics.average import average_card
from bias_tasks.output_format.metrics.card import format_scorecard
from bias_tasks.output_format.metrics.outcome import FormatOutcome


def part(prefix, **scores):
    """Outcomes by format: `1` right, `0` wrong, `-` does not follow."""
    return [
        FormatOutcome(f"{prefix}{i}", f"{prefix}{i}", name, float(mark != "-"), float(mark == "1"))
        for name, marks in scores.items()
        for i, mark in enumerate(marks)
    ]


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
    averages = [card["est_true/char"].value, card["est_true/text"].value]
    assert card["bias_f"].value == pytest.approx(np.var(averages) * 1e4)
    assert card["fi_var"].value == pytest.approx(np.var([1, 0.4375]) * 1e4)
    assert card["est_true/char"].n == 24
    for figure in card.values():
        if not math.isnan(figure.ci_low):
            assert figure.ci_low <= figure.value <= figure.ci_high


def test_where_nothing_follows_the_average_is_undefined_and_published_0():
    """The paper's Table 3 has 10.46 for Gemma's text: the mean of 8.10, 18.63, 0.00 and 15.11."""
    parts = {**PARTS, ("bbh", "zs_cot"): part("b", char="1110", text="----")}
    corrected = average_card(parts, "corrected")
    assert math.isnan(corrected["est_true/text"].value)
    assert corrected["est_true/text"].n == 0
    assert math.isnan(corrected["bias_f"].value)
    published = average_card(parts, "published")
    assert published["est_true/text"].value == pytest.approx((0.5 + 0.25 + 1 + 0) / 4)


def test_formats_that_a_part_lacks_are_not_averaged():
    parts = {**PARTS, ("gsm8k", "zs"): part("g", char="10")}
    assert {name for name in average_card(parts, "corrected") if "/" in name} == {
        "fi/char",
        "sys/char",
        "est_true/char",
    }


def test_promptings_of_one_data_set_are_not_counted_as_independent():
    """The same answers under both promptings say no more than one of them does."""
    rows = part("m", char="1101001011", text="1--1011-01")
    alone = format_scorecard(rows)
    twice = average_card({("m", "zs"): rows, ("m", "zs_cot"): rows}, "corrected")
    other = [
        FormatOutcome(f"o{r.item}", f"o{r.cluster}", r.format, r.follows, r.score) for r in rows
    ]
    apart = average_card({("m", "zs"): rows, ("o", "zs"): other}, "corrected")
    for name in ("fi/text", "sys/char", "est_true/char", "est_true/text"):
        single, same, two = (card[name] for card in (alone, twice, apart))
        assert (same.ci_low, same.ci_high) == pytest.approx((single.ci_low, single.ci_high))
        assert two.value - two.ci_low == pytest.approx((single.value - single.ci_low) / 2**0.5)
    sure = part("s", char="1111", text="1111")
    same = average_card({("s", "zs"): sure, ("s", "zs_cot"): sure}, "corrected")
    assert same["fi/char"].ci_low == pytest.approx(format_scorecard(sure)["fi/char"].ci_low)


def test_intervals_cover_the_average():
    rng = np.random.default_rng(5)
    sets, covered = 300, 0
    for _ in range(sets):
        parts = {}
        for dataset, rate in (("a", 0.3), ("b", 0.8)):
            ability = rng.random(40)
            for prompting, more in (("zs", 0.0), ("zs_cot", 0.1)):
                marks = "".join("1" if u < rate + more else "0" for u in ability)
                parts[dataset, prompting] = part(dataset, char=marks, text="1" * 40)
        figure = average_card(parts, "corrected")["sys/char"]
        covered += figure.ci_low <= 0.6 <= figure.ci_high
    # 93 % covered gives at least this many in all but one case in ten thousand.
    assert covered / sets > 0.87
