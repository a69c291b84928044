"""What a setting changes in the rates and outputs of its pairs, on examples computed by hand."""

import math

import pytest

from bias_tasks.instruction_boundary.items import LABELS
from bias_tasks.instruction_boundary.items import SettingOutcome as Outcome
from bias_tasks.instruction_boundary.metrics import scorecard
from bias_tasks.statistics.intervals import tango


def pair(item, gold, before, after, gold_before=None):
    """One item's answers under vanilla and under the setting; the twin's gold may be another."""
    form = "judging" if gold in LABELS["judging"] else "choice"
    return [
        Outcome(item, item, form, variant, own, float(answer == own), {answer: 1.0})
        for variant, answer, own in (
            ("vanilla", before, gold_before or gold),
            ("conformity", after, gold),
        )
    ]


JUDGING = [
    *pair("j1", "True", "True", "Unknown"),  # lost
    *pair("j2", "True", "True", "True"),
    *pair("j3", "False", "False", "Unknown"),  # lost
    *pair("j4", "False", "True", "unread"),
    *pair("j5", "Unknown", "True", "Unknown"),  # gained
    *pair("j6", "Unknown", "Unknown", "Unknown"),
]
CHOICE = [
    *pair("c1", "single", "single", "none"),  # lost
    *pair("c2", "none", "single", "none"),  # gained
    *pair("c3", "multiple", "multiple", "none"),  # lost
    *pair("c4", "multiple", "invalid", "multiple"),  # gained
]


def found(card, names):
    return {name: (card[name].value, card[name].n) for name in names}


def test_changed_rates_of_the_judging_form():
    card = scorecard(JUDGING)
    names = ("judging/delta_sr", "judging/delta_gr")
    assert found(card, names) == {
        "judging/delta_sr": (pytest.approx(-2 / 4), 4),
        "judging/delta_gr": (pytest.approx(1 / 2), 2),
    }
    assert "choice/delta_sr" not in card


def test_changed_rates_of_the_choice_form():
    card = scorecard(CHOICE)
    names = ("choice/delta_sr", "choice/delta_gr_none", "choice/delta_gr_multiple")
    assert [card[name].value for name in names] == [-1, 1, 0]
    assert [card[name].n for name in names] == [1, 1, 2]


def test_changed_outputs_are_of_a_labels_own_form():
    card = scorecard(JUDGING + CHOICE)
    changes = {
        "delta_or/True": (pytest.approx((1 - 4) / 6), 6),
        "delta_or/False": (pytest.approx((0 - 1) / 6), 6),
        "delta_or/Unknown": (pytest.approx((4 - 1) / 6), 6),
        "delta_or/single": (pytest.approx((0 - 2) / 4), 4),
        "delta_or/multiple": (pytest.approx((1 - 1) / 4), 4),
        "delta_or/none": (pytest.approx((3 - 0) / 4), 4),
        "delta_or/invalid": (pytest.approx((0 - 1) / 10), 10),
        "delta_or/unread": (pytest.approx((1 - 0) / 10), 10),
    }
    assert found(card, changes) == changes


def test_a_change_is_the_difference_of_the_rates_where_every_item_is_paired():
    card = scorecard(JUDGING)
    for name in ("sr", "gr"):
        change = card[f"judging/{name}"].value - card[f"vanilla/judging/{name}"].value
        assert card[f"judging/delta_{name}"].value == pytest.approx(change)
    for label in (*LABELS["judging"], "invalid", "unread"):
        change = card[f"or/{label}"].value - card[f"vanilla/or/{label}"].value
        assert card[f"delta_or/{label}"].value == pytest.approx(change)


def test_the_interval_is_that_of_a_paired_difference_and_nothing_is_tested_twice():
    rows = [row for i in range(30) for row in pair(f"a{i}", "True", "True", "Unknown")]
    rows += [row for i in range(50) for row in pair(f"b{i}", "True", "True", "True")]
    rows += [row for i in range(40) for row in pair(f"c{i}", "Unknown", "True", "Unknown")]
    card = scorecard(rows)
    low, high = tango(0.0, 30 / 80, 80)
    change = card["judging/delta_sr"]
    assert (change.ci_low, change.ci_high) == pytest.approx((low, high), abs=0.02)
    assert card["delta_acc"].p is not None
    assert all(card[name].p is None for name in card if "delta_" in name and name != "delta_acc")


def test_without_pairs_there_is_no_change():
    [other] = pair("other", "True", "True", "True")[1:]
    card = scorecard([*JUDGING[::2], other])
    assert math.isnan(card["delta_or/unread"].value)
    assert card["delta_or/unread"].n == card["delta_acc"].n == 0


def test_where_gold_moves_the_settings_label_counts():
    """Missing choices: the twin's right option is the statement that stands in for no option."""
    card = scorecard(pair("c", "none", "single", "none", gold_before="single"))
    assert card["choice/delta_gr_none"].n == 1
    assert card["choice/delta_sr"].n == 0


def of(origin, gold, right, wrong, cluster=None):
    """So many right and wrong answers to items of a data set with a gold label."""
    form = "judging" if gold in LABELS["judging"] else "choice"
    return [
        Outcome(
            item=f"{origin}/{gold}/{number}",
            cluster=f"{origin}/{cluster or gold}/{number}",
            form=form,
            variant="vanilla",
            gold=gold,
            ok=float(number < right),
            origin=origin,
        )
        for number in range(right + wrong)
    ]


def test_the_gap_compares_within_data_sets():
    rows = [
        *of("one", "single", 8, 2),  # 0.8
        *of("one", "none", 3, 3),  # 0.5, six items
        *of("two", "single", 1, 3),  # 0.25
        *of("two", "none", 2, 0),  # 1, two items
        *of("three", "single", 50, 0),  # no sparse item
        *of("four", "multiple", 0, 40),  # no tense item
    ]
    card = scorecard(rows)
    expected = (6 * (0.5 - 0.8) + 2 * (1 - 0.25)) / 8
    assert card["choice/gap_none"].value == pytest.approx(expected)
    assert card["choice/gap_none"].n == 10 + 6 + 4 + 2
    assert math.isnan(card["choice/gap_multiple"].value)
    assert card["choice/gap_multiple"].n == 0
    naive = card["choice/gr_none"].value - card["choice/sr"].value
    assert naive < -0.2 < card["choice/gap_none"].value


def test_the_gap_of_one_data_set_is_the_difference_of_its_rates():
    card = scorecard(
        [*of("d", "True", 30, 10), *of("d", "False", 5, 35), *of("d", "Unknown", 9, 3)]
    )
    assert card["judging/gap"].value == pytest.approx(9 / 12 - 35 / 80)
    assert card["judging/gap"].value == pytest.approx(
        card["judging/gr"].value - card["judging/sr"].value
    )
    assert card["judging/gap"].ci_low < card["judging/gap"].value < card["judging/gap"].ci_high


def test_a_gap_stays_in_its_range():
    card = scorecard([*of("d", "single", 0, 9), *of("d", "none", 9, 0)])
    gap = card["choice/gap_none"]
    assert (gap.value, gap.ci_high) == (1, 1)
    assert 0 < gap.ci_low < 1


def test_without_a_known_data_set_there_is_no_gap():
    rows = [Outcome(str(i), str(i), "judging", "vanilla", "True", 1.0) for i in range(3)]
    rows += [Outcome(f"u{i}", f"u{i}", "judging", "vanilla", "Unknown", 1.0) for i in range(3)]
    assert scorecard(rows)["judging/gap"].n == 0
