"""Whether a mitigation holds: figures on shared items, both criteria, and the verdict in words."""

import json
import math

import numpy as np
import pytest

from bias_tasks.commands.mitigation.compare import compare_runs
from bias_tasks.commands.mitigation.report import (
    comparison_lines,
    comparison_to_dict,
    criteria,
    verdict,
)
from bias_tasks.output_format.metrics.card import (
    format_scorecard,
)
from bias_tasks.output_format.metrics.mitigation import (
    compare,
)
from bias_tasks.results.answers import UnusableRunError
from tests.bias_tasks.output_format.runs import (
    WRAPPINGS,
    answers_of,
    asked,
    came_to,
    numbers,
    of_dataset,
    with_answers,
)

ITEMS = numbers(300)
FEW = ITEMS[:60]
BIASED = {"accuracy_italicizing": 0.4, "accuracy_placeholder": 0.45, "accuracy_bolding": 0.5}


def compared(base, mitigated, margin=0.05):
    """The only group of two runs."""
    (group,) = compare_runs(base, mitigated, margin).groups
    return group


def rows(group):
    return {row.name: row for row in group.rows}


def told(group, margin=0.05):
    return verdict(group.result, margin)


def printed(base, mitigated):
    return "\n".join(comparison_lines(compare_runs(base, mitigated, 0.05)))


def test_repeating_the_instruction_raises_fi_by_what_is_planted():
    planted = {"follow_gain": 0.4}
    once, thrice = (asked(ITEMS, "format_blind", planted, repeat=repeat) for repeat in (1, 3))
    group = compared(once, thrice)
    for name in WRAPPINGS:
        row = rows(group)[f"fi/{name}"]
        follow = {"italicizing": 0.25, "placeholder": 0.3}.get(name, 0.6)
        gain = (1 - follow) * (1 - 0.6**2)
        assert row.difference.value == pytest.approx(row.mitigated - row.base)
        assert row.difference.ci_low <= gain <= row.difference.ci_high
        assert row.difference.p < 0.001
    assert group.result.falling == ()
    assert criteria(group.result)["fi falls in no format"] is True


def test_a_model_without_its_bias_holds():
    biased, level = (asked(ITEMS, "steadfast", planted) for planted in (BIASED, {}))
    group = compared(biased, level)
    bias = rows(group)["bias_f"]
    accuracies = [BIASED.get(f"accuracy_{name}", 0.8) for name in WRAPPINGS]
    assert bias.mitigated == 0
    assert bias.difference.ci_low <= -(100**2) * np.var(accuracies) <= bias.difference.ci_high < 0
    assert told(group) == (
        "The mitigation holds: both criteria are met, and their intervals bear it out."
    )


def test_it_is_not_shown_where_the_intervals_leave_it_open():
    items = ITEMS[:25]
    base = asked(items, "steadfast", {"accuracy_bolding": 0.7})
    mitigated = asked(items, "steadfast")
    group = compared(base, mitigated)
    assert group.result.holds
    assert not group.result.shown
    assert told(group).startswith("Both criteria are met on these items, but it is not shown")
    assert "the interval of bias_f's difference does not lie below 0" in told(group)
    assert f"fi may fall by 0.05 or more in {', '.join(sorted(WRAPPINGS))}" in told(group)


def test_it_does_not_hold_where_a_format_is_followed_less():
    base = asked(ITEMS, "steadfast", BIASED)
    mitigated = asked(ITEMS, "steadfast", {"follow_placeholder": 0.5})
    group = compared(base, mitigated)
    assert criteria(group.result) == {"bias_f falls": True, "fi falls in no format": False}
    assert told(group) == "The mitigation does not hold: fi falls in placeholder."


def test_it_says_where_a_fall_may_be_chance():
    base = asked(FEW, "perfect")
    (first, *rest) = answers_of(base)
    worse = with_answers(base, [came_to(first, False, 0.0), *rest])
    assert told(compared(base, worse)) == (
        "The mitigation does not hold: bias_f does not fall, and fi falls in special_character "
        "(by no more than chance may)."
    )


def test_more_bias_does_not_hold():
    group = compared(asked(ITEMS, "steadfast"), asked(ITEMS, "steadfast", BIASED))
    assert told(group) == "The mitigation does not hold: bias_f does not fall."


def test_one_format_that_is_followed_compares_nothing():
    run = asked(FEW, "perfect", {"follow": 0, "follow_bolding": 1})
    group = compared(run, run)
    assert criteria(group.result)["bias_f falls"] is None
    assert told(group).startswith("It can't be told")
    assert math.isnan(rows(group)["bias_f"].base)
    comparison = comparison_to_dict(compare_runs(run, run, 0.05))["comparisons"][0]
    assert comparison["figures"][0]["difference"] is None
    assert "NaN" not in json.dumps(comparison)


def test_only_what_both_runs_asked_counts_and_it_says_so():
    base = asked(ITEMS[:80], "format_blind")
    mitigated = asked(ITEMS[50:120], "format_biased")
    group = compared(base, mitigated)
    shared = (asked(ITEMS[50:80], "format_blind"), asked(ITEMS[50:80], "format_biased"))
    assert group.rows == compared(*shared).rows
    assert (group.asked, group.base_only, group.mitigated_only) == (210, 350, 280)
    text = printed(base, mitigated)
    assert "210 answers of each run" in text
    assert "left out are 350 of the base" in " ".join(text.split())
    assert "all 210 answers of each run" in printed(*shared)


def test_figures_are_those_of_the_metrics():
    base, mitigated = asked(FEW, "format_blind"), asked(FEW, "format_biased")
    (before,), (after,) = (run.outcomes().values() for run in (base, mitigated))
    result, cards = compare(before, after), [format_scorecard(run) for run in (before, after)]
    found = rows(compared(base, mitigated))
    assert list(found)[:2] == ["bias_f", "bias_f_corrected"]
    for name, row in found.items():
        assert (row.base, row.mitigated) == tuple(card[name].value for card in cards)
        assert row.difference == result.figures[f"delta_{name}"]


def test_bias_is_over_the_formats_that_both_runs_follow():
    base = asked(FEW, "format_biased", {"follow_quoting": 0})
    mitigated = asked(FEW, "format_biased")
    others = [name for name in WRAPPINGS if name != "quoting"]
    group = compared(base, mitigated)
    without = compared(*(asked(FEW, "format_biased", formats=others) for _ in range(2)))
    assert group.result.left_out == ("quoting",)
    assert rows(group)["bias_f"].mitigated == rows(without)["bias_f"].mitigated
    assert rows(group)["fi/quoting"].difference.value == 1
    assert "for want of answers that follow: quoting" in printed(base, mitigated)


def test_epochs_count_as_their_mean():
    run = asked(FEW, "format_blind")
    (outcomes,) = run.outcomes().values()
    twice = with_answers(run, answers_of(run) * 2)
    assert list(twice.outcomes().values()) == [outcomes]
    nothing = [came_to(answer, False, 0.0) for answer in answers_of(run)]
    (halved,) = with_answers(run, [*answers_of(run), *nothing]).outcomes().values()
    assert [outcome.follows for outcome in halved] == [row.follows / 2 for row in outcomes]


def test_categories_and_data_sets_are_compared_each_for_itself():
    others = [of_dataset(answer, "other") for answer in answers_of(asked(FEW))]
    base = asked(FEW, "format_blind")
    both = with_answers(base, [*answers_of(base), *others])
    runs = compare_runs(both, base, 0.05)
    assert [group.group for group in runs.groups] == [("synthetic", "zs", "wrapping")]
    assert "left out of the criteria, as one run alone asked it: other in wrapping" in printed(
        both, base
    )
    assert {group.group for group in compare_runs(both, both, 0.05).groups} == {
        ("synthetic", "zs", "wrapping"),
        ("other", "zs", "wrapping"),
    }


@pytest.mark.parametrize(
    ("mitigated", "message"),
    [
        ({"formats": ("bolding", "json")}, "only one of the two runs has brackets"),
        ({"items": ITEMS[60:90]}, "the runs have no item in common under bolding, brackets"),
    ],
    ids=["formats", "items"],
)
def test_runs_that_cannot_be_compared_are_refused(mitigated, message):
    with pytest.raises(UnusableRunError, match=message):
        compare_runs(asked(FEW), asked(**{"items": FEW, **mitigated}), 0.05)


def test_runs_of_other_data_are_refused_by_name():
    base = asked(FEW)
    moved = [of_dataset(answer, "gsm8k") for answer in answers_of(base)]
    with pytest.raises(UnusableRunError, match=r"nothing in common.*synthetic.*gsm8k in wrapping"):
        compare_runs(base, with_answers(base, moved), 0.05)
