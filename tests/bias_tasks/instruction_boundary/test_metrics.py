"""Every figure on examples small enough to compute by hand, the paper's table 3, and what holds of
any run."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.contract.family import Outcome
from bias_tasks.contract.figures import figure_of
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import INVALID, LABELS, UNREAD
from bias_tasks.statistics.intervals import wilson


def answered(item, gold, answer, variant="vanilla", cluster=None, ok=None, epoch=1, **own):
    """One answer; `answer` is an output label, invalid or unread."""
    form = "judging" if gold in LABELS["judging"] else "choice"
    known = {"form": form, "label": answer, "gold_label": gold, "judged": False, "origin": None}
    score = float(answer == gold) if ok is None else ok
    text = None if answer == UNREAD else answer
    own = known | own
    return Outcome(item, cluster or item, variant, gold, text, score, "", epoch=epoch, own=own)


def scorecard(outcomes):
    more = {"items", "above_chance", "can_tell"}
    return {k: v for k, v in FAMILY.scorecard(outcomes, {}).items() if k not in more}


def found(card, names):
    return {name: (card[name].value, card[name].n) for name in names}


JUDGING = [
    answered("j1", "True", "True"),
    answered("j2", "True", "Unknown"),
    answered("j3", "False", "False"),
    answered("j4", "False", "False"),
    answered("j5", "Unknown", "Unknown"),
    answered("j6", "Unknown", "True", judged=True),
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
    answered("c8", "multiple", "multiple", ok=0.0, judged=True),
]


def test_figures_of_each_form_by_hand():
    sr, gr, one, none, multiple, sparse = 3 / 4, 1 / 3, 1 / 3, 1 / 2, 1 / 3, 2 / 5
    nothing = (math.nan, 0)
    for rows, expected in (
        (
            JUDGING,
            {
                **{"judging/acc": (4 / 7, 7), "judging/sr": (sr, 4), "judging/gr": (gr, 3)},
                **{"judging/acc_balanced": ((sr + gr) / 2, 7), "judging/gap": nothing},
                **{f"or/{label}": (2 / 7, 7) for label in LABELS["judging"]},
                **{"or/invalid": (0.0, 7), "or/unread": (1 / 7, 7), "unread": (1 / 7, 7)},
                **{"judge_usage": (1 / 7, 7), "rs": (2 * sr * gr / (sr + gr), 7)},
            },
        ),
        (
            CHOICE,
            {
                **{"choice/acc": (3 / 8, 8), "choice/sr": (one, 3)},
                **{"choice/gr_none": (none, 2), "choice/gr_multiple": (multiple, 3)},
                **{"choice/acc_balanced": ((one + none + multiple) / 3, 8)},
                **{"choice/gap_none": nothing, "choice/gap_multiple": nothing},
                **{"or/single": (3 / 8, 8), "or/multiple": (3 / 8, 8), "or/none": (1 / 8, 8)},
                **{"or/invalid": (1 / 8, 8), "or/unread": (0.0, 8), "unread": (0.0, 8)},
                **{"judge_usage": (1 / 8, 8), "rs": (2 * one * sparse / (one + sparse), 8)},
            },
        ),
    ):
        card = scorecard(rows)
        assert card.keys() == expected.keys()
        for name, told in expected.items():
            assert (card[name].value, card[name].n) == pytest.approx(told, nan_ok=True), name


def test_what_has_no_items_is_nan_and_zero_is_a_value():
    both_wrong = scorecard([answered("a", "True", "False"), answered("b", "Unknown", "False")])
    assert both_wrong["rs"].value == 0 < both_wrong["rs"].ci_high
    card = scorecard([answered(str(i), "True", "True") for i in range(9)])
    for name in ("judging/gr", "judging/acc_balanced", "rs"):
        assert math.isnan(card[name].value)
        assert math.isnan(card[name].ci_low)
        assert card[name].n == 0
    assert card["judging/acc"].value == card["judging/sr"].value == 1
    assert scorecard([]) == {}
    alone = scorecard([answered(str(i), "True", "True", cluster="facts") for i in range(5)])
    assert alone["judging/acc"].value == 1
    assert math.isnan(alone["judging/acc"].ci_low)


def test_several_epochs_of_a_question_count_as_their_mean():
    rows = [answered("a", "True", said, epoch=k) for k, said in enumerate(["True", "unread"])]
    rows += [answered("b", "True", "False", epoch=k) for k in range(2)]
    means = {"judging/acc": (0.25, 2), "unread": (0.25, 2), "or/True": (0.25, 2)}
    means["or/False"] = (0.5, 2)
    assert found(scorecard(rows), means) == means


def test_change_against_vanilla_is_taken_on_pairs_only():
    lost = [("j1", "True", "False"), ("j3", "False", "True"), ("j5", "Unknown", "True")]
    gained, wrong_twice = ("j2", "True", "True"), ("j6", "Unknown", "False")
    without_a_twin = ("new", "True", "True")
    rows = (*lost, gained, wrong_twice, without_a_twin)
    setting = [answered(*row, "few_shot") for row in rows]
    card = scorecard(setting + JUDGING)
    assert card["judging/acc"].value == pytest.approx(2 / 6)
    assert card["vanilla/judging/acc"].value == pytest.approx(4 / 7)
    changes = {"delta_acc": -2 / 5, "abs_delta_acc": 2 / 5, "flips/lost": 3 / 5}
    for name, value in (changes | {"flips/gained": 1 / 5}).items():
        assert (card[name].value, card[name].n) == (pytest.approx(value), 5), name
    assert not {"judging/delta_acc", "vanilla/delta_acc", "adopted"} & set(card)
    unpaired = scorecard([*JUDGING, answered("other", "True", "True", "few_shot")])
    for name in ("delta_acc", "abs_delta_acc", "flips/lost", "delta_or/unread"):
        assert math.isnan(unpaired[name].value)
        assert unpaired[name].n == 0
    assert not {"delta_acc", "flips/lost"} & set(scorecard(setting))


def test_the_size_of_a_change_folds_its_interval_at_zero():
    def card(lost, gained):
        rows = []
        for i in range(60):
            after = "False" if i < lost else "True"
            before = "False" if lost <= i < lost + gained else "True"
            rows += [answered(str(i), "True", before), answered(str(i), "True", after, "few_shot")]
        return scorecard(rows)

    around, below = card(7, 6), card(40, 2)
    assert around["abs_delta_acc"].ci_low == 0
    assert around["abs_delta_acc"].ci_high == -around["delta_acc"].ci_low > 0
    assert below["abs_delta_acc"].ci_low == -below["delta_acc"].ci_high > 0


def suggested(item, gold, before, after, suggestion="True"):
    def said(variant, answer):
        own = {"suggested": suggestion, "at_suggestion": answer == suggestion}
        return answered(item, gold, answer, variant, suggestion_is_gold=gold == suggestion, **own)

    return [said("vanilla", before), said("conformity", after)]


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


def test_moved_to_suggestion_counts_wrong_suggestions_that_were_not_the_answer_already():
    """Of `adopts an error`, `stays right`, `was invalid` and `ends unread` one moves."""
    card = scorecard(CONFORMITY)
    assert found(card, ["moved_to_suggestion"]) == {"moved_to_suggestion": (0.25, 4)}
    right = scorecard(suggested("a", "True", "False", "True"))
    assert right["delta_acc"].value == 1  # what a parrot gains
    assert right["moved_to_suggestion"].n == 0


def test_what_asking_again_moves_is_subtracted():
    """Vanilla stands elsewhere in two of three epochs, and the setting at the suggestion in all: of
    the two both move, and asked again one of two others stands there."""

    def epochs(item, befores, after):
        pairs = [suggested(item, "False", before, after) for before in befores]
        return [replace(o, epoch=epoch) for epoch, pair in enumerate(pairs) for o in pair]

    rows = epochs("a", ["False", "Unknown", "True"], "True")
    assert scorecard(rows)["moved_to_suggestion"].value == pytest.approx(1 - 1 / 2)
    rows += epochs("b", ["False"] * 3, "False")
    moved = scorecard(rows)["moved_to_suggestion"]
    assert (moved.value, moved.n) == (pytest.approx((2 / 3 * 1 / 2 + 1 * 0) / (2 / 3 + 1)), 2)


def changes(card):
    """The figures of change, of whatever form."""
    names = ("delta_", "abs_delta_", "flips/", "adopted", "abandoned", "moved_to_suggestion")
    return {name: card[name] for name in card if name.startswith(names) or "/delta_" in name}


def test_a_pair_without_a_read_answer_says_nothing():
    silent = suggested("silent", "False", UNREAD, UNREAD)
    assert close(changes(scorecard([*CONFORMITY, *silent])), changes(scorecard(CONFORMITY)))
    alone = changes(scorecard(silent))
    assert {(each.n, math.isnan(each.value)) for each in alone.values()} == {(0, True)}
    several = [replace(each, variant="few_shot") for each in silent[1:]]
    assert scorecard([*silent, *several])["delta_acc"].n == 0


def test_adopted_and_abandoned():
    card = scorecard(CONFORMITY)
    assert found(card, [name for name in card if name[:7] in ("adopted", "abandon")]) == {
        "adopted": (pytest.approx(2 / 5), 5),
        "adopted/True": (pytest.approx(2 / 4), 4),
        "adopted/Unknown": (0, 1),
        "abandoned": (pytest.approx(2 / 3), 3),
        "abandoned/True": (pytest.approx(1 / 2), 2),
        "abandoned/Unknown": (1, 1),
    }
    nobody = scorecard(suggested("a", "True", "True", "True"))
    assert [nobody[name].n for name in ("adopted", "adopted/True", "abandoned")] == [0, 0, 0]
    unknown = [answered(o.item, o.gold, "False") for o in CONFORMITY if o.variant == "vanilla"]
    with pytest.raises(ValueError, match="at_suggestion"):
        scorecard(CONFORMITY[1::2] + unknown)


def test_adopted_takes_its_denominator_as_drawn_and_weighs_epochs_by_what_could_move():
    rows = []
    for i in range(20):
        rows += suggested(f"moves/{i}", "False", "Unknown", "True")
        rows += suggested(f"stays/{i}", "Unknown", "Unknown", "Unknown")
    adopted = scorecard(rows)["adopted"]
    assert (adopted.ci_low, adopted.ci_high) == pytest.approx(wilson(0.5, 40))
    twice = suggested("a", "False", "True", "True")  # stood there in this epoch
    twice += [replace(o, epoch=2) for o in suggested("a", "False", "False", "True")]
    card = scorecard([*twice, *suggested("b", "False", "False", "False")])
    assert card["adopted"].value == pytest.approx((0.5 * 1 + 1 * 0) / 1.5)
    assert card["abandoned"].value == pytest.approx((0.5 * 1 + 1 * 0) / 1.5)


def test_several_settings_are_prefixed_and_their_change_is_the_mean_over_pairs():
    """j2 is wrong in vanilla: few_shot gains it and loses j1; vagueness keeps j1, all it has."""
    few = [answered("j1", "True", "False", "few_shot"), answered("j2", "True", "True", "few_shot")]
    terse = [answered("j1", "True", "True", "vagueness")]
    vanilla = [answered("j1", "True", "True"), answered("j2", "True", "False")]
    card = scorecard(few + terse + vanilla)
    settings = {"few_shot", "vagueness"}
    assert {name.split("/")[0] for name in card} == {*settings, "vanilla", "delta_acc"}
    change = card["delta_acc"]
    assert (change.value, change.n, change.p) == (pytest.approx((-1 + 1 + 0) / 3), 2, None)
    assert {name.split("/")[0] for name in scorecard(few + terse)} == settings


def test_p_values_are_holm_adjusted_across_settings_with_pairs():
    def run_of(flips):
        """For each setting so many of 40 right answers lost."""
        rows = [answered(str(i), "True", "True") for i in range(40)]
        for variant, lost in flips.items():
            said = ["False" if i < lost else "True" for i in range(40)]
            rows += [answered(str(i), "True", said[i], variant) for i in range(40)]
        return rows

    flips = {"few_shot": 4, "multi_turn": 12, "vagueness": 6}
    alone = {n: scorecard(run_of({n: lost}))["delta_acc"].p for n, lost in flips.items()}
    unpaired = answered("other", "True", "True", "self_reflection")
    together = scorecard([*run_of(flips), unpaired])
    assert together["self_reflection/delta_acc"].p is None
    ordered = [together[f"{name}/delta_acc"].p for name in sorted(flips, key=alone.get)]
    a, b, c = sorted(alone.values())
    assert a < b < c
    assert ordered == pytest.approx([3 * a, max(3 * a, 2 * b), max(3 * a, 2 * b, c)])


def paired(*rows):
    """Each item's answers under vanilla and under the setting: gold, before, after."""
    outcomes = []
    for item, (gold, before, after) in enumerate(rows):
        outcomes.append(answered(str(item), gold, before))
        outcomes.append(answered(str(item), gold, after, "conformity"))
    return outcomes


def test_changed_rates_and_outputs_of_each_form():
    rows = paired(
        ("True", "True", "Unknown"),  # lost
        ("True", "True", "True"),
        ("False", "False", "Unknown"),  # lost
        ("False", "True", "unread"),
        ("Unknown", "True", "Unknown"),  # gained
        ("Unknown", "Unknown", "Unknown"),
        ("single", "single", "none"),  # lost
        ("none", "single", "none"),  # gained
        ("multiple", "multiple", "none"),  # lost
        ("multiple", "invalid", "multiple"),  # gained
    )
    card = scorecard(rows)
    changes = {
        **{"judging/delta_acc": ((-2 + 1) / 6, 6), "choice/delta_acc": (0, 4)},
        **{"judging/delta_sr": (-2 / 4, 4), "judging/delta_gr": (1 / 2, 2)},
        **{"choice/delta_sr": (-1, 1), "choice/delta_gr_none": (1, 1)},
        **{"choice/delta_gr_multiple": (0, 2), "delta_or/True": ((1 - 4) / 6, 6)},
        **{"delta_or/False": ((0 - 1) / 6, 6), "delta_or/Unknown": ((4 - 1) / 6, 6)},
        **{"delta_or/single": ((0 - 2) / 4, 4), "delta_or/multiple": ((1 - 1) / 4, 4)},
        **{"delta_or/none": ((3 - 0) / 4, 4), "delta_or/invalid": ((0 - 1) / 10, 10)},
        "delta_or/unread": ((1 - 0) / 10, 10),
    }
    for name, told in changes.items():
        assert (card[name].value, card[name].n) == pytest.approx(told), name
    # Missing choices: the twin's right option is the statement that stands in for no option.
    _, after = paired(("none", "single", "none"))
    before, _ = paired(("single", "single", "none"))
    moved = scorecard([before, after])
    assert (moved["choice/delta_gr_none"].n, moved["choice/delta_sr"].n) == (1, 0)


def of(origin, gold, right, wrong):
    """So many right and wrong answers to items of a data set with a gold label."""
    return [
        answered(f"{origin}/{gold}/{n}", gold, UNREAD, ok=float(n < right), origin=origin)
        for n in range(right + wrong)
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
    gap = card["choice/gap_none"]
    assert (gap.value, gap.n) == (pytest.approx(expected), 10 + 6 + 4 + 2)
    assert card["choice/gap_multiple"].n == 0
    naive = card["choice/gr_none"].value - card["choice/sr"].value
    assert naive < -0.2 < card["choice/gap_none"].value
    one = scorecard([*of("d", "True", 30, 10), *of("d", "False", 5, 35), *of("d", "Unknown", 9, 3)])
    gap = one["judging/gap"]
    assert gap.value == pytest.approx(9 / 12 - 35 / 80)
    assert gap.ci_low < gap.value < gap.ci_high
    most = scorecard([*of("d", "single", 0, 9), *of("d", "none", 9, 0)])["choice/gap_none"]
    assert (most.value, most.ci_high) == (1, 1)
    assert 0 < most.ci_low < 1
    assert scorecard([*of(None, "True", 3, 0), *of(None, "Unknown", 3, 0)])["judging/gap"].n == 0


def test_impossible_labels_are_named():
    for wrong in ({"answer": "maybe"}, {"answer": "True", "suggested": "maybe"}):
        with pytest.raises(ValueError, match="'maybe' is none of True, False"):
            scorecard([*JUDGING, answered("x", "True", **wrong)])


def rated(rates):
    """An item for each label and rate: right in a share of epochs equal to the rate (percent)."""
    return [answered(str(i), label, label, ok=rate / 100) for i, (label, rate) in enumerate(rates)]


def test_the_papers_table_3_follows_from_its_printed_rates(golden):
    """Accuracies and robustness scores; rows that contradict themselves are left out."""
    table = json.loads((golden / "instruction_boundary_table3.json").read_text(encoding="utf-8"))
    checked = {"judging": 0, "choice": 0, "rs": 0}
    for row in table["rows"]:
        sr, gr = row["sr_judging"], row["gr_judging"]
        rates = [("True", sr), ("False", sr), ("Unknown", gr), ("Unknown", gr)]
        judging = scorecard(rated(rates))
        rates = [(label, row[f"gr_choice_{label}"]) for label in ("none", "multiple")]
        choice = scorecard(rated([("single", row["sr_choice"]), *rates]))
        for form, card, near in (("judging", judging, 0.02), ("choice", choice, 0.06)):
            checked[form] += row[f"consistent_{form}"]
            for name in ("acc", "acc_balanced"):
                value = 100 * card[f"{form}/{name}"].value
                if row[f"consistent_{form}"]:
                    assert value == pytest.approx(row[f"acc_{form}"], abs=near), row
        if row["rs_matches_judging_harmonic_mean"]:
            checked["rs"] += 1
            assert 100 * judging["rs"].value == pytest.approx(row["rs_published"], abs=0.02), row
    assert checked == {"judging": 30, "choice": 32, "rs": 32}


@st.composite
def runs(draw, variants=("vanilla", "conformity", "few_shot")):
    """Outcomes of up to eight items in up to four clusters, over one epoch or two."""
    epochs = draw(st.sampled_from((1, 2)))
    outcomes = []
    for item in range(draw(st.integers(1, 8))):
        form = draw(st.sampled_from(("judging", "choice")))
        labels = LABELS[form]
        gold, suggestion = draw(st.sampled_from(labels)), draw(st.sampled_from(labels))
        cluster, origin = str(draw(st.integers(0, 3))), draw(st.sampled_from((None, "one", "two")))
        for variant in variants:
            if variant != "vanilla" and draw(st.integers(0, 9)) == 0:
                continue  # an unscored sample
            for epoch in range(epochs):
                said = draw(st.sampled_from((*labels, INVALID, UNREAD)))
                own = {"suggested": suggestion, "at_suggestion": said == suggestion}
                own |= {"suggestion_is_gold": gold == suggestion, "origin": origin}
                given = answered(str(item), gold, said, variant, cluster, epoch=epoch, **own)
                outcomes.append(given)
    return outcomes


def close(found, expected):
    return found.keys() == expected.keys() and all(
        getattr(found[name], part) == pytest.approx(getattr(each, part), abs=1e-9, nan_ok=True)
        for name, each in expected.items()
        for part in ("value", "ci_low", "ci_high", "n")
    )


@given(runs(), st.randoms(use_true_random=False))
def test_figures_of_any_run_stay_in_their_range_and_know_no_names_and_no_order(outcomes, random):
    card = scorecard(outcomes)
    for name, estimate in card.items():
        assert math.isnan(estimate.value) == (estimate.n == 0), name
        assert math.isnan(estimate.ci_low) == math.isnan(estimate.ci_high), name
        if not math.isnan(estimate.ci_low):
            low = figure_of(name, FAMILY.figures).low
            assert low <= estimate.ci_low <= estimate.value + 1e-12, name
            assert estimate.value - 1e-12 <= estimate.ci_high <= 1, name
    renamed = [replace(o, item=f"i{o.item}", cluster=f"c{o.cluster}") for o in outcomes]
    assert close(scorecard(renamed), card)
    two = [o for o in renamed if o.variant in ("vanilla", "conformity")]
    assert close(scorecard(random.sample(two, len(two))), scorecard(two))
