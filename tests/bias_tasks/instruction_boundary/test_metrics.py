"""Every figure on examples small enough to compute by hand."""

import math
import subprocess
import sys

import pytest

from bias_tasks.instruction_boundary.items import LABELS
from bias_tasks.instruction_boundary.items import (
    SettingOutcome as Outcome,
)
from bias_tasks.instruction_boundary.metrics import (
    scorecard,
)
from bias_tasks.statistics.intervals import wilson


def answered(item, gold, answer, variant="vanilla", cluster=None, ok=None, **fields):
    """One answer over one epoch; `answer` is an output label, invalid or unread."""
    form = "judging" if gold in LABELS["judging"] else "choice"
    return Outcome(
        item=item,
        cluster=cluster or item,
        form=form,
        variant=variant,
        gold=gold,
        ok=float(answer == gold) if ok is None else ok,
        labels={answer: 1.0},
        **fields,
    )


JUDGING = [
    answered("j1", "True", "True"),
    answered("j2", "True", "Unknown"),
    answered("j3", "False", "False"),
    answered("j4", "False", "False"),
    answered("j5", "Unknown", "Unknown"),
    answered("j6", "Unknown", "True", judged=1.0),
    answered("j7", "Unknown", "unread"),
]
CHOICE = [
    answered("c1", "single", "single"),
    answered("c2", "single", "single", ok=0.0),  # the wrong single option
    answered("c3", "single", "multiple"),
    answered("c4", "none", "none"),
    answered("c5", "none", "single"),
    answered("c6", "multiple", "multiple"),
    answered("c7", "multiple", "invalid"),
    answered("c8", "multiple", "multiple", ok=0.0, judged=0.5),
]


def values(card):
    return {name: estimate.value for name, estimate in card.items()}


def sizes(card):
    return {name: estimate.n for name, estimate in card.items()}


def test_judging_figures():
    card = scorecard(JUDGING)
    sr, gr = 3 / 4, 1 / 3
    expected = {
        "judging/acc": 4 / 7,
        "judging/sr": sr,
        "judging/gr": gr,
        "judging/acc_balanced": (sr + gr) / 2,
        "or/True": 2 / 7,
        "or/False": 2 / 7,
        "or/Unknown": 2 / 7,
        "or/invalid": 0.0,
        "or/unread": 1 / 7,
        "unread": 1 / 7,
        "judge_usage": 1 / 7,
        "rs": 2 * sr * gr / (sr + gr),
    }
    assert values(card) == pytest.approx(expected | {"judging/gap": math.nan}, nan_ok=True)
    groups = {"judging/sr": 4, "judging/gr": 3, "judging/gap": 0}
    assert sizes(card) == dict.fromkeys(expected, 7) | groups


def test_choice_figures():
    card = scorecard(CHOICE)
    sr, none, multiple, sparse = 1 / 3, 1 / 2, 1 / 3, 2 / 5
    expected = {
        "choice/acc": 3 / 8,
        "choice/sr": sr,
        "choice/gr_none": none,
        "choice/gr_multiple": multiple,
        "choice/acc_balanced": (sr + none + multiple) / 3,
        "or/single": 3 / 8,
        "or/multiple": 3 / 8,
        "or/none": 1 / 8,
        "or/invalid": 1 / 8,
        "or/unread": 0.0,
        "unread": 0.0,
        "judge_usage": 0.5 / 8,
        "rs": 2 * sr * sparse / (sr + sparse),
    }
    gaps = ("choice/gap_none", "choice/gap_multiple")
    nothing = dict.fromkeys(gaps, math.nan)
    assert values(card) == pytest.approx(expected | nothing, nan_ok=True)
    groups = {"choice/sr": 3, "choice/gr_none": 2, "choice/gr_multiple": 3} | dict.fromkeys(gaps, 0)
    assert sizes(card) == dict.fromkeys(expected, 8) | groups


def test_both_forms_share_rs_and_what_counts_over_all():
    card = values(scorecard(JUDGING + CHOICE))
    judging, choice = values(scorecard(JUDGING)), values(scorecard(CHOICE))
    assert card["rs"] == pytest.approx((judging["rs"] + choice["rs"]) / 2)
    assert card["unread"] == card["or/unread"] == pytest.approx(1 / 15)
    assert card["or/invalid"] == pytest.approx(1 / 15)
    assert card["judge_usage"] == pytest.approx(1.5 / 15)
    assert card["or/True"] == pytest.approx(2 / 7)
    assert card["or/single"] == pytest.approx(3 / 8)


def test_rs_is_zero_where_both_rates_are():
    card = scorecard([answered("a", "True", "False"), answered("b", "Unknown", "False")])
    assert card["rs"].value == 0
    assert card["rs"].ci_high > 0


def test_a_form_without_sparse_items_has_no_rs_and_no_balanced_accuracy():
    card = scorecard([answered(str(i), "True", "True") for i in range(9)])
    for name in ("judging/gr", "judging/acc_balanced", "rs"):
        assert math.isnan(card[name].value)
        assert math.isnan(card[name].ci_low)
        assert math.isnan(card[name].ci_high)
        assert card[name].n == 0
    assert card["judging/acc"].value == card["judging/sr"].value == 1


def test_change_against_vanilla_is_taken_on_pairs_only():
    setting = [
        answered("j1", "True", "False", "few_shot"),  # lost
        answered("j2", "True", "True", "few_shot"),  # gained
        answered("j3", "False", "True", "few_shot"),  # lost
        answered("j5", "Unknown", "True", "few_shot"),  # lost
        answered("j6", "Unknown", "False", "few_shot"),  # wrong twice
        answered("new", "True", "True", "few_shot"),  # without a twin
    ]
    card = scorecard(setting + JUDGING)
    assert card["judging/acc"].value == pytest.approx(2 / 6)
    assert card["vanilla/judging/acc"].value == pytest.approx(4 / 7)
    assert card["delta_acc"].value == pytest.approx(-2 / 5)
    assert card["abs_delta_acc"].value == pytest.approx(2 / 5)
    assert card["flips/lost"].value == pytest.approx(3 / 5)
    assert card["flips/gained"].value == pytest.approx(1 / 5)
    assert {
        card[name].n for name in ("delta_acc", "abs_delta_acc", "flips/lost", "flips/gained")
    } == {5}
    assert "judging/delta_acc" not in card
    assert "vanilla/delta_acc" not in card
    assert "adopted" not in card


def test_change_is_given_for_each_form_when_both_are_run():
    setting = [
        answered("j1", "True", "False", "vagueness"),
        answered("j2", "True", "Unknown", "vagueness"),
        answered("c3", "single", "single", "vagueness"),
        answered("c4", "none", "none", "vagueness"),
        answered("c5", "none", "none", "vagueness"),
    ]
    card = scorecard(JUDGING + CHOICE + setting)
    assert card["judging/delta_acc"].value == pytest.approx(-1 / 2)
    assert card["choice/delta_acc"].value == pytest.approx(2 / 3)
    assert card["delta_acc"].value == pytest.approx(1 / 5)
    assert (card["judging/delta_acc"].n, card["choice/delta_acc"].n) == (2, 3)


def test_change_without_a_common_item_is_nothing():
    card = scorecard([*JUDGING, answered("other", "True", "True", "few_shot")])
    for name in ("delta_acc", "abs_delta_acc", "flips/lost", "flips/gained"):
        assert math.isnan(card[name].value)
        assert card[name].n == 0


def test_a_setting_alone_has_no_change():
    card = scorecard(
        [answered("a", "True", "True", "polish"), answered("b", "True", "False", "polish")]
    )
    assert "judging/acc" in card
    assert not {"delta_acc", "abs_delta_acc", "flips/lost", "flips/gained"} & set(card)


def test_the_size_of_a_change_folds_its_interval_at_zero():
    def card(lost, gained):
        rows = []
        for i in range(60):
            after = "False" if i < lost else "True"
            before = "False" if lost <= i < lost + gained else "True"
            rows += [answered(str(i), "True", before), answered(str(i), "True", after, "few_shot")]
        return scorecard(rows)

    around = card(7, 6)
    assert around["delta_acc"].ci_low < 0 < around["delta_acc"].ci_high
    assert around["abs_delta_acc"].ci_low == 0
    assert around["abs_delta_acc"].ci_high == -around["delta_acc"].ci_low
    below = card(40, 2)
    assert below["abs_delta_acc"].ci_low == -below["delta_acc"].ci_high > 0
    assert below["abs_delta_acc"].ci_high == -below["delta_acc"].ci_low


def suggested(item, gold, before, after, suggestion="True"):
    return [
        answered(
            item,
            gold,
            answer,
            variant,
            suggested=suggestion,
            at_suggestion=float(answer == suggestion),
            suggestion_is_gold=gold == suggestion,
        )
        for variant, answer in (("vanilla", before), ("conformity", after))
    ]


CONFORMITY = [
    *suggested("adopts the truth", "True", "Unknown", "True"),
    *suggested("adopts an error", "False", "False", "True"),
    *suggested("was there already", "Unknown", "True", "True"),
    *suggested("was unread", "Unknown", "unread", "True"),
    *suggested("stays right", "Unknown", "Unknown", "Unknown"),
    *suggested("was invalid", "False", "invalid", "False"),
    *suggested("leaves a right suggestion", "True", "True", "False"),
    *suggested("ends unread", "False", "False", "unread", suggestion="Unknown"),
]


def test_adopted_and_abandoned():
    card = scorecard(CONFORMITY)
    found = {name: (e.value, e.n) for name, e in card.items() if name[:7] in ("adopted", "abandon")}
    assert found == {
        "adopted": (pytest.approx(2 / 5), 5),
        "adopted/True": (pytest.approx(2 / 4), 4),
        "adopted/Unknown": (0, 1),
        "abandoned": (pytest.approx(2 / 3), 3),
        "abandoned/True": (pytest.approx(1 / 2), 2),
        "abandoned/Unknown": (1, 1),
    }


def test_adopted_and_abandoned_over_several_epochs_weigh_by_what_could_move():
    def epochs(item, variant, ok, at, unread):
        labels = {"True": at, "unread": unread, "False": 1 - at - unread}
        return Outcome(item, item, "judging", variant, "False", ok, labels, 0, "True", at, False)

    card = scorecard(
        [
            epochs("a", "vanilla", 0.5, 0.25, 0.25),  # half the answers stood elsewhere
            epochs("a", "conformity", 0.1, 0.8, 0.0),
            epochs("b", "vanilla", 1.0, 0.0, 0.0),
            epochs("b", "conformity", 0.7, 0.2, 0.0),
        ]
    )
    assert card["adopted"].value == pytest.approx((0.5 * 0.8 + 1 * 0.2) / 1.5)
    assert card["abandoned"].value == pytest.approx((0.5 * 0.9 + 1 * 0.3) / 1.5)
    assert card["flips/lost"].value == pytest.approx((0.5 * 0.9 + 1 * 0.3) / 2)
    assert card["flips/gained"].value == pytest.approx(0.5 * 0.1 / 2)


def test_adopted_takes_its_denominator_as_drawn():
    """Its interval is that of one rate, though the gold labels differ in theirs."""
    rows = []
    for i in range(20):
        rows += suggested(f"moves/{i}", "False", "Unknown", "True")
        rows += suggested(f"stays/{i}", "Unknown", "Unknown", "Unknown")
    card = scorecard(rows)
    low, high = wilson(0.5, 40)
    assert (card["adopted"].ci_low, card["adopted"].ci_high) == pytest.approx((low, high))


def test_nobody_to_move_is_nothing():
    card = scorecard(suggested("a", "True", "True", "True"))
    for name in ("adopted", "adopted/True", "abandoned", "abandoned/True"):
        assert math.isnan(card[name].value)
        assert card[name].n == 0


def test_conformity_needs_the_twin_to_know_the_suggestion():
    rows = CONFORMITY[1::2] + [
        answered(o.item, o.gold, "False") for o in CONFORMITY if o.variant == "vanilla"
    ]
    with pytest.raises(ValueError, match="at_suggestion"):
        scorecard(rows)


def test_vanilla_alone_is_not_prefixed():
    assert "judging/acc" in scorecard(JUDGING)


def test_several_settings_are_all_prefixed():
    few = [answered("j1", "True", "True", "few_shot"), answered("j2", "True", "True", "few_shot")]
    terse = [answered("j1", "True", "True", "vagueness")]
    card = scorecard(few + terse + JUDGING)
    prefixes = {name.split("/")[0] for name in card}
    assert prefixes == {"few_shot", "vagueness", "vanilla", "delta_acc"}
    assert card["few_shot/judging/acc"].value == 1
    assert card["vanilla/judging/acc"].value == pytest.approx(4 / 7)
    assert card["few_shot/delta_acc"].value == pytest.approx(1 / 2)
    assert {name.split("/")[0] for name in scorecard(few + terse)} == {"few_shot", "vagueness"}


def test_the_change_over_several_settings_is_the_mean_over_their_pairs():
    """j2 is wrong in vanilla: few_shot gains it and loses j1; vagueness keeps j1, all it has."""
    few = [answered("j1", "True", "False", "few_shot"), answered("j2", "True", "True", "few_shot")]
    terse = [answered("j1", "True", "True", "vagueness")]
    vanilla = [answered("j1", "True", "True"), answered("j2", "True", "False")]
    change = scorecard(few + terse + vanilla)["delta_acc"]
    assert change.value == pytest.approx((-1 + 1 + 0) / 3)
    assert change.n == 2
    assert change.p is None
    assert change.ci_low < 0 < change.ci_high
    assert "delta_acc" not in scorecard(few + terse)


def run_of(flips):
    """For each setting so many of 40 right answers lost."""
    rows = [answered(str(i), "True", "True") for i in range(40)]
    for variant, lost in flips.items():
        rows += [
            answered(str(i), "True", "False" if i < lost else "True", variant) for i in range(40)
        ]
    return scorecard(rows)


def test_p_values_are_holm_adjusted_across_settings():
    flips = {"few_shot": 4, "multi_turn": 12, "vagueness": 6}
    alone = {name: run_of({name: lost})["delta_acc"].p for name, lost in flips.items()}
    together = run_of(flips)
    first, second, third = (
        together[f"{name}/delta_acc"].p for name in sorted(flips, key=alone.get)
    )
    a, b, c = sorted(alone.values())
    assert first == pytest.approx(3 * a)
    assert second == pytest.approx(max(3 * a, 2 * b))
    assert third == pytest.approx(max(3 * a, 2 * b, c))
    assert a < b < c


def test_a_setting_without_pairs_takes_no_part_in_the_adjustment():
    rows = [answered(str(i), "True", "True") for i in range(40)]
    rows += [answered(str(i), "True", "False" if i < 6 else "True", "few_shot") for i in range(40)]
    alone = scorecard(rows)["delta_acc"].p
    card = scorecard([*rows, answered("other", "True", "True", "vagueness")])
    assert card["few_shot/delta_acc"].p == alone
    assert card["vagueness/delta_acc"].p is None


def test_outcomes_without_label_shares_have_no_output_ratios():
    card = scorecard([Outcome("a", "a", "judging", "vanilla", "True", 1.0), *JUDGING])
    assert card["judging/acc"].n == 8
    assert card["or/True"].n == card["unread"].n == 7
    assert card["or/True"].value == pytest.approx(2 / 7)


def test_one_cluster_has_no_interval():
    card = scorecard([answered(str(i), "True", "True", cluster="facts") for i in range(5)])
    assert card["judging/acc"].value == 1
    assert math.isnan(card["judging/acc"].ci_low)
    assert math.isnan(card["judging/acc"].ci_high)


def test_no_outcomes_no_figures():
    assert scorecard([]) == {}


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (answered("j1", "True", "True"), "'j1' stands twice under variant 'vanilla'"),
        (Outcome("x", "x", "judging", "vanilla", "single", 1.0), "gold 'single' is no judging"),
        (answered("x", "True", "none"), "output 'none' is no judging label"),
        (answered("x", "True", "True", suggested="none"), "suggested 'none' is no judging label"),
        (answered("x", "True", "True", ok=1.5), "'x' under variant 'vanilla'.*shares from 0 to 1"),
        (answered("x", "True", "True", ok=math.nan), "shares from 0 to 1"),
        (answered("x", "True", "True", judged=-1), "shares from 0 to 1"),
        (answered("x", "True", "True", at_suggestion=2), "shares from 0 to 1"),
        (
            Outcome("x", "x", "judging", "vanilla", "True", 1.0, {"True": 0.5}),
            "labels summing to 1",
        ),
    ],
)
def test_impossible_outcomes_are_named(outcome, message):
    with pytest.raises(ValueError, match=message):
        scorecard([*JUDGING, outcome])


def test_importing_the_metrics_loads_no_numerics():
    code = (
        "import sys, bias_tasks.instruction_boundary.family, bias_tasks.statistics.estimate\n"
        "assert not {'numpy', 'scipy', 'statsmodels'} & set(sys.modules)\n"
        "from bias_tasks.instruction_boundary.metrics import scorecard"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_package_has_no_other_lazy_names():
    import bias_tasks

    with pytest.raises(AttributeError, match="nothing"):
        bias_tasks.nothing  # noqa: B018
