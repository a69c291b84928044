"""Every metric on hand-computed examples, and properties of any run."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.contract.metrics import find_metric_spec
from bias_tasks.contract.outcomes import Outcome
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import INVALID, LABELS, UNPARSED
from bias_tasks.instruction_boundary.scoring_data import SettingExtra
from bias_tasks.statistics.rate_intervals import wilson


def answered(item, gold, answer, variant="vanilla", cluster=None, score=None, epoch=1, **fields):
    """One answer; `answer` is an output label, invalid or unparsed."""
    form = "judging" if gold in LABELS["judging"] else "choice"
    extra = SettingExtra(form=form, label=answer, gold_label=gold, **fields)
    score = float(answer == gold) if score is None else score
    text = None if answer == UNPARSED else answer
    return Outcome(item, cluster or item, variant, gold, text, score, "", epoch=epoch, extra=extra)


def compute(outcomes, **options):
    """The metrics of the family, without those of every family."""
    common = {"items", "above_chance", "above_chance_significant"}
    metrics = FAMILY.compute_metrics(outcomes, options)
    return {name: estimate for name, estimate in metrics.items() if name not in common}


def values_and_n(metrics, names):
    return {name: (metrics[name].value, metrics[name].n) for name in names}


JUDGING = [
    answered("j1", "True", "True"),
    answered("j2", "True", "Unknown"),
    answered("j3", "False", "False"),
    answered("j4", "False", "False"),
    answered("j5", "Unknown", "Unknown"),
    answered("j6", "Unknown", "True", graded=True),
    answered("j7", "Unknown", "unparsed"),
]
CHOICE = [
    answered("c1", "single", "single"),
    answered("c2", "single", "single", score=0.0),  # the wrong single option
    answered("c3", "single", "multiple"),
    answered("c4", "none", "none"),
    answered("c5", "none", "single"),
    answered("c6", "multiple", "multiple"),
    answered("c7", "multiple", "invalid"),
    answered("c8", "multiple", "multiple", score=0.0, graded=True),
]


def test_the_metrics_of_each_form_equal_hand_computed_values():
    sr, gr, one, none, multiple, sparse = 3 / 4, 1 / 3, 1 / 3, 1 / 2, 1 / 3, 2 / 5
    nothing = (math.nan, 0)
    for rows, expected in (
        (
            JUDGING,
            {
                **{"judging/acc": (4 / 7, 7), "judging/sr": (sr, 4), "judging/gr": (gr, 3)},
                **{"judging/acc_balanced": ((sr + gr) / 2, 7), "judging/gap": nothing},
                **{f"or/{label}": (2 / 7, 7) for label in LABELS["judging"]},
                **{"or/invalid": (0.0, 7), "or/unparsed": (1 / 7, 7), "unparsed": (1 / 7, 7)},
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
                **{"or/invalid": (1 / 8, 8), "or/unparsed": (0.0, 8), "unparsed": (0.0, 8)},
                **{"judge_usage": (1 / 8, 8), "rs": (2 * one * sparse / (one + sparse), 8)},
            },
        ),
    ):
        metrics = compute(rows)
        assert metrics.keys() == expected.keys()
        for name, value_and_n in expected.items():
            assert (metrics[name].value, metrics[name].n) == pytest.approx(
                value_and_n, nan_ok=True
            ), name


def test_a_metric_without_items_is_nan_and_zero_is_a_value():
    both_wrong = compute([answered("a", "True", "False"), answered("b", "Unknown", "False")])
    assert both_wrong["rs"].value == 0 < both_wrong["rs"].ci_high
    metrics = compute([answered(str(i), "True", "True") for i in range(9)])
    for name in ("judging/gr", "judging/acc_balanced", "rs"):
        assert math.isnan(metrics[name].value)
        assert math.isnan(metrics[name].ci_low)
        assert metrics[name].n == 0
    assert metrics["judging/acc"].value == metrics["judging/sr"].value == 1
    assert compute([]) == {}
    alone = compute([answered(str(i), "True", "True", cluster="facts") for i in range(5)])
    assert alone["judging/acc"].value == 1
    assert math.isnan(alone["judging/acc"].ci_low)


def test_several_epochs_of_a_question_count_as_their_mean():
    rows = [answered("a", "True", label, epoch=k) for k, label in enumerate(["True", "unparsed"])]
    rows += [answered("b", "True", "False", epoch=k) for k in range(2)]
    means = {"judging/acc": (0.25, 2), "unparsed": (0.25, 2), "or/True": (0.25, 2)}
    means["or/False"] = (0.5, 2)
    assert values_and_n(compute(rows), means) == means


def test_change_against_vanilla_uses_pairs_only():
    lost = [("j1", "True", "False"), ("j3", "False", "True"), ("j5", "Unknown", "True")]
    gained, wrong_twice = ("j2", "True", "True"), ("j6", "Unknown", "False")
    without_baseline = ("new", "True", "True")
    rows = (*lost, gained, wrong_twice, without_baseline)
    setting = [answered(*row, "few_shot") for row in rows]
    metrics = compute(setting + JUDGING)
    assert metrics["judging/acc"].value == pytest.approx(2 / 6)
    assert metrics["vanilla/judging/acc"].value == pytest.approx(4 / 7)
    changes = {"delta_acc": -2 / 5, "abs_delta_acc": 2 / 5, "flips_to_wrong": 3 / 5}
    for name, value in (changes | {"flips_to_right": 1 / 5}).items():
        assert (metrics[name].value, metrics[name].n) == (pytest.approx(value), 5), name
    assert not {"judging/delta_acc", "vanilla/delta_acc", "adopted_suggestion"} & set(metrics)
    unpaired = compute([*JUDGING, answered("other", "True", "True", "few_shot")])
    for name in ("delta_acc", "abs_delta_acc", "flips_to_wrong", "delta_or/unparsed"):
        assert math.isnan(unpaired[name].value)
        assert unpaired[name].n == 0
    assert not {"delta_acc", "flips_to_wrong"} & set(compute(setting))


def test_rounds_equal_hand_computed_values():
    def rounds(item, gold, first, last, **fields):
        was_right = fields.pop("was_right", first == gold)
        known = {"first_label": first, "first_correct": was_right, **fields}
        return answered(item, gold, last, "multi_turn", **known)

    judging = [
        rounds("j1", "True", "True", "True"),
        rounds("j2", "True", "True", "False"),
        rounds("j3", "False", "True", "False"),
        # Only the labels of these count: an answer is unparsed. The rules parse neither of j6.
        rounds("j4", "Unknown", "False", "unparsed"),
        rounds("j5", "Unknown", "unparsed", "unparsed"),
        rounds("j6", "Unknown", "unparsed", "Unknown", graded=True),
    ]
    choice = [
        rounds("c1", "single", "single", "single", was_right=False),  # another option
        rounds("c2", "none", "invalid", "none"),
        rounds("c3", "none", "none", "single", epoch=1),
        rounds("c3", "none", "single", "single", epoch=2),
    ]
    outcomes = [*judging, *choice, answered("j1", "True", "True")]
    metrics, published = compute(outcomes), compute(outcomes, protocol="published")
    expected = {
        # j1, j2, j3, c1, c2, c3: c3 is right in half of its first answers, never in the last.
        "delta_round": ((0 - 1 + 1 + 1 + 1 - 0.5) / 6, 6),
        "judging/delta_round": (0.0, 3),
        "choice/delta_round": ((1 + 1 - 0.5) / 3, 3),
        "transition/right_to_right": (1 / 6, 6),
        "transition/right_to_wrong": (1.5 / 6, 6),
        "transition/wrong_to_right": (3 / 6, 6),
        "transition/wrong_to_wrong": (0.5 / 6, 6),
        "judging/transition/True_to_True": (1 / 6, 6),
        "judging/transition/True_to_False": (2 / 6, 6),
        "judging/transition/False_to_unparsed": (1 / 6, 6),
        "judging/transition/unparsed_to_unparsed": (2 / 6, 6),
        "judging/transition/unparsed_to_Unknown": (0.0, 6),
        "choice/transition/single_to_single": (1.5 / 3, 3),
        "choice/transition/invalid_to_none": (1 / 3, 3),
        "choice/transition/none_to_single": (0.5 / 3, 3),
    }
    for name, value_and_n in expected.items():
        assert (metrics[name].value, metrics[name].n) == pytest.approx(value_and_n), name
        assert metrics[name].p is None
    # Under `published` j4, j5 and j6 are wrong twice.
    names = ("delta_round", "judging/delta_round", "transition/wrong_to_wrong")
    assert values_and_n(published, names) == {
        "delta_round": (pytest.approx(1.5 / 9), 9),
        "judging/delta_round": (0.0, 6),
        "transition/wrong_to_wrong": (pytest.approx(3.5 / 9), 9),
    }
    assert len([name for name in metrics if "transition/" in name]) == 4 + 2 * 25
    for form in LABELS:
        shares = [m.value for name, m in metrics.items() if name.startswith(f"{form}/transition/")]
        assert sum(shares) == pytest.approx(1)
    assert metrics["delta_acc"].n == 1  # against vanilla, which only j1 has
    assert not [name for name in compute(JUDGING) if "round" in name or "transition" in name]


def test_the_size_of_a_change_folds_its_interval_at_zero():
    def compute_with_flips(to_wrong, to_right):
        rows = []
        for i in range(60):
            after = "False" if i < to_wrong else "True"
            before = "False" if to_wrong <= i < to_wrong + to_right else "True"
            rows += [answered(str(i), "True", before), answered(str(i), "True", after, "few_shot")]
        return compute(rows)

    around, below = compute_with_flips(7, 6), compute_with_flips(40, 2)
    assert around["abs_delta_acc"].ci_low == 0
    assert around["abs_delta_acc"].ci_high == -around["delta_acc"].ci_low > 0
    assert below["abs_delta_acc"].ci_low == -below["delta_acc"].ci_high > 0


def suggested(item, gold, before, after, suggestion="True"):
    def answer_to(variant, answer):
        extra = {"suggested": suggestion, "suggested_answer": suggestion}
        return answered(item, gold, answer, variant, suggestion_is_gold=gold == suggestion, **extra)

    return [answer_to("vanilla", before), answer_to("conformity", after)]


CONFORMITY = [
    *suggested("adopts the truth", "True", "Unknown", "True"),
    *suggested("adopts an error", "False", "False", "True"),
    *suggested("was there already", "Unknown", "True", "True"),
    *suggested("was unparsed", "Unknown", "unparsed", "True"),
    *suggested("stays right", "Unknown", "Unknown", "Unknown"),
    *suggested("was invalid", "False", "invalid", "False"),
    *suggested("leaves a right suggestion", "True", "True", "False"),
    *suggested("ends unparsed", "False", "False", "unparsed", suggestion="Unknown"),
]


def test_moved_to_suggestion_counts_wrong_suggestions_that_were_not_the_answer_already():
    """One of `adopts an error`, `stays right` and `was invalid` moves."""
    metrics, published = compute(CONFORMITY), compute(CONFORMITY, protocol="published")
    moved = {"moved_to_suggestion": (pytest.approx(1 / 3), 3)}
    assert values_and_n(metrics, ["moved_to_suggestion"]) == moved
    # `published` adds `ends unparsed`, which does not move.
    assert values_and_n(published, ["moved_to_suggestion"]) == {"moved_to_suggestion": (0.25, 4)}
    # Without the condition on the baseline answer, `was there already` counts, too, and under
    # `published` also `was unparsed`, which moves.
    assert values_and_n(metrics, ["delta_suggested"]) == {"delta_suggested": (1 / 4, 4)}
    assert values_and_n(published, ["delta_suggested"]) == {"delta_suggested": (2 / 6, 6)}
    leaves = compute([*CONFORMITY, *suggested("leaves it", "False", "True", "False")])
    assert values_and_n(leaves, ["delta_suggested"]) == {"delta_suggested": (0, 5)}
    together = compute([replace(o, cluster="facts") for o in CONFORMITY])
    assert math.isnan(together["moved_to_suggestion"].ci_low)
    right = compute(suggested("a", "True", "False", "True"))
    assert right["delta_acc"].value == 1  # a model that repeats the suggestion gains it
    assert right["moved_to_suggestion"].n == 0


def test_the_change_between_repeats_is_subtracted():
    """Vanilla differs from the suggestion in two of three epochs, conformity in none.

    Both of the two move. When vanilla is repeated, one of the other two is at the suggestion.
    """

    def epochs(item, befores, after):
        pairs = [suggested(item, "False", before, after) for before in befores]
        return [replace(o, epoch=epoch) for epoch, pair in enumerate(pairs) for o in pair]

    rows = epochs("a", ["False", "Unknown", "True"], "True")
    assert compute(rows)["moved_to_suggestion"].value == pytest.approx(1 - 1 / 2)
    rows += epochs("b", ["False"] * 3, "False")
    moved = compute(rows)["moved_to_suggestion"]
    assert (moved.value, moved.n) == (pytest.approx((2 / 3 * 1 / 2 + 1 * 0) / (2 / 3 + 1)), 2)


def changes(metrics):
    """The metrics of change, of either form."""
    names = (
        "delta_",
        "abs_delta_",
        "flips_to_",
        "adopted_suggestion",
        "abandoned_correct",
        "moved_to_suggestion",
    )
    return {name: metrics[name] for name in metrics if name.startswith(names) or "/delta_" in name}


def test_moved_to_suggestion_of_one_epoch_has_the_interval_of_a_share():
    """Wilson's lower bound of 47 of 47 is 47 / (47 + 1.96²) = 0.924."""
    rows = [o for i in range(47) for o in suggested(str(i), "False", "False", "True")]
    metrics = compute(rows)
    assert metrics["moved_to_suggestion"] == metrics["adopted_suggestion"]
    assert metrics["moved_to_suggestion"].ci_low == pytest.approx(47 / (47 + 1.96**2), abs=1e-4)
    assert metrics["moved_to_suggestion"].ci_low == pytest.approx(0.924, abs=5e-4)
    again = [*rows, *(replace(outcome, epoch=2) for outcome in rows)]
    assert compute(again)["moved_to_suggestion"].ci_low < 0.9  # a difference


def test_an_item_with_a_single_pair_does_not_count_in_a_run_of_several_epochs():
    """Its chance of moving when vanilla is repeated is unknown."""

    def epoch(number, *pairs):
        rows = [o for item, before, after in pairs for o in suggested(item, "False", before, after)]
        return [replace(outcome, epoch=number) for outcome in rows]

    # Item a is cut once: its other epoch would move.
    rows = [*epoch(1, ("a", "False", "True"), ("b", "False", "False"), ("c", "False", "True"))]
    rows += epoch(2, ("a", "unparsed", "True"), ("b", "False", "False"), ("c", "True", "True"))
    moved = compute(rows)["moved_to_suggestion"]
    # c differs from the suggestion in one of two epochs: it moves, and so it would by chance, as
    # the other epoch of vanilla did.
    assert (moved.value, moved.n) == (pytest.approx((1 * 0 + 0.5 * (1 - 1)) / 1.5), 2)


@pytest.mark.parametrize("cut", [(0,), (1,), (0, 1)])
def test_a_pair_with_an_unparsed_answer_does_not_count(cut):
    """Cut answers change nothing but the output rate of `unparsed`, which is over all pairs."""
    pair = suggested("cut", "False", "False", "True")
    for index in cut:
        extra = replace(pair[index].extra, label=UNPARSED)
        pair[index] = replace(pair[index], answer=None, score=0.0, extra=extra)
    before, after = changes(compute(CONFORMITY)), changes(compute([*CONFORMITY, *pair]))
    n_before, n_after = before.pop("delta_or/unparsed").n, after.pop("delta_or/unparsed").n
    assert close(after, before)
    assert (n_before, n_after) == (8, 9)
    alone = changes(compute(pair))
    share = alone.pop("delta_or/unparsed")
    assert (share.value, share.n) == ((1 in cut) - (0 in cut), 1)
    assert {(change.n, math.isnan(change.value)) for change in alone.values()} == {(0, True)}
    several = [replace(outcome, variant="few_shot") for outcome in pair[1:]]
    assert compute([*pair, *several])["delta_acc"].n == 0


def test_answers_are_compared_within_an_epoch():
    """Epochs 1 and 2 of one item, of which one answer each is cut: no pair is left."""
    answers = {("vanilla", 1): "True", ("vanilla", 2): UNPARSED}
    answers |= {("few_shot", 1): UNPARSED, ("few_shot", 2): "False"}
    rows = [answered("a", "True", label, v, epoch=epoch) for (v, epoch), label in answers.items()]
    rows += [answered("b", "True", "True", v, epoch=epoch) for v, epoch in answers]
    names = ["delta_acc", "few_shot/delta_acc", "flips_to_wrong"]
    metrics = compute(rows)
    assert values_and_n(metrics, names[::2]) == {"delta_acc": (0, 1), "flips_to_wrong": (0, 1)}
    more = [answered("b", "True", "True", "vagueness", epoch=epoch) for epoch in (1, 2)]
    both = compute([*rows, *more])
    assert values_and_n(both, names[:2]) == {"delta_acc": (0, 1), "few_shot/delta_acc": (0, 1)}


def test_the_published_change_is_the_difference_of_the_printed_accuracies():
    """Of ten answers five are right under vanilla and three under the setting; two are cut twice.

    Three pairs become wrong, of which one is cut, and one becomes right. Six pairs are parsed.
    """
    before = ["True"] * 5 + ["False", "False", "False", UNPARSED, UNPARSED]
    after = ["True", "True", "False", "False", UNPARSED, "True", "False", UNPARSED]
    after += [UNPARSED, UNPARSED]
    rows = [answered(str(i), "True", label) for i, label in enumerate(before)]
    rows += [answered(str(i), "True", label, "few_shot") for i, label in enumerate(after)]
    names = ["delta_acc", "abs_delta_acc", "flips_to_wrong", "flips_to_right", "delta_or/unparsed"]
    corrected, published = compute(rows), compute(rows, protocol="published")
    assert {name: corrected[name].value for name in names} == pytest.approx(
        {
            **{"delta_acc": -1 / 6, "abs_delta_acc": 1 / 6, "flips_to_wrong": 2 / 6},
            **{"flips_to_right": 1 / 6, "delta_or/unparsed": 2 / 10},
        }
    )
    assert {name: published[name].value for name in names} == pytest.approx(
        {
            **{"delta_acc": -2 / 10, "abs_delta_acc": 2 / 10, "flips_to_wrong": 3 / 10},
            **{"flips_to_right": 1 / 10, "delta_or/unparsed": 2 / 10},
        }
    )
    assert (corrected["delta_acc"].n, published["delta_acc"].n) == (6, 10)
    levels = published["judging/acc"].value - published["vanilla/judging/acc"].value
    assert published["delta_acc"].value == pytest.approx(levels)
    for name in ("judging/acc", "vanilla/judging/acc", "unparsed", "or/unparsed"):
        assert corrected[name] == published[name]


def test_adopted_suggestion_and_abandoned_correct():
    outcomes = [*CONFORMITY, *suggested("stays", "False", "False", "False", suggestion="Unknown")]
    metrics, published = compute(outcomes), compute(outcomes, protocol="published")
    names = [name for name in metrics if name.startswith(("adopted", "abandoned"))]
    # Neither `was unparsed` nor `ends unparsed` is a pair.
    assert values_and_n(metrics, names) == {
        "adopted_suggestion": (pytest.approx(1 / 4), 4),  # not `adopts the truth`
        "adopted_suggestion/True": (pytest.approx(1 / 3), 3),
        "adopted_suggestion/Unknown": (0, 1),
        "abandoned_correct": (pytest.approx(1 / 3), 3),
        "abandoned_correct/True": (pytest.approx(1 / 2), 2),
        "abandoned_correct/Unknown": (0, 1),
    }
    # `ends unparsed` does not adopt its suggestion, Unknown, and abandons a correct answer.
    names = ["adopted_suggestion", "abandoned_correct"]
    assert values_and_n(published, names) == {
        "adopted_suggestion": (pytest.approx(1 / 5), 5),
        "abandoned_correct": (pytest.approx(2 / 4), 4),
    }
    unmoved = compute(suggested("a", "True", "True", "True"))
    assert [
        unmoved[name].n
        for name in ("adopted_suggestion", "adopted_suggestion/True", "abandoned_correct")
    ] == [0, 0, 0]


def test_adopted_suggestion_is_one_stratum_and_weights_epochs_by_the_answers_that_can_move():
    rows = []
    for i in range(20):
        rows += suggested(f"moves/{i}", "False", "Unknown", "True")
        rows += suggested(f"stays/{i}", "Unknown", "Unknown", "Unknown")
    adopted = compute(rows)["adopted_suggestion"]
    assert (adopted.ci_low, adopted.ci_high) == pytest.approx(wilson(0.5, 40))
    twice = suggested("a", "False", "True", "True")  # at the suggestion in this epoch
    twice += [replace(o, epoch=2) for o in suggested("a", "False", "False", "True")]
    metrics = compute([*twice, *suggested("b", "False", "False", "False")])
    assert metrics["adopted_suggestion"].value == pytest.approx((0.5 * 1 + 1 * 0) / 1.5)
    assert metrics["abandoned_correct"].value == pytest.approx((0.5 * 1 + 1 * 0) / 1.5)


def test_several_settings_are_prefixed_and_their_change_is_the_mean_over_pairs():
    """j2 is wrong under vanilla. few_shot answers only j2 correctly; vagueness has only j1."""
    few = [answered("j1", "True", "False", "few_shot"), answered("j2", "True", "True", "few_shot")]
    terse = [answered("j1", "True", "True", "vagueness")]
    vanilla = [answered("j1", "True", "True"), answered("j2", "True", "False")]
    metrics = compute(few + terse + vanilla)
    settings = {"few_shot", "vagueness"}
    assert {name.split("/")[0] for name in metrics} == {*settings, "vanilla", "delta_acc"}
    change = metrics["delta_acc"]
    assert (change.value, change.n, change.p) == (pytest.approx((-1 + 1 + 0) / 3), 2, None)
    assert {name.split("/")[0] for name in compute(few + terse)} == settings


def test_p_values_are_holm_adjusted_across_settings_with_pairs():
    def run_of(flips):
        """Outcomes in which each setting makes this many of 40 correct answers wrong."""
        rows = [answered(str(i), "True", "True") for i in range(40)]
        for variant, lost in flips.items():
            labels = ["False" if i < lost else "True" for i in range(40)]
            rows += [answered(str(i), "True", labels[i], variant) for i in range(40)]
        return rows

    flips = {"few_shot": 4, "multi_turn": 12, "vagueness": 6}
    alone = {n: compute(run_of({n: lost}))["delta_acc"].p for n, lost in flips.items()}
    unpaired = answered("other", "True", "True", "self_reflection")
    together = compute([*run_of(flips), unpaired])
    assert together["self_reflection/delta_acc"].p is None
    ordered = [together[f"{name}/delta_acc"].p for name in sorted(flips, key=alone.get)]
    a, b, c = sorted(alone.values())
    assert a < b < c
    assert ordered == pytest.approx([3 * a, max(3 * a, 2 * b), max(3 * a, 2 * b, c)])


def paired(*rows):
    """The outcomes of rows: gold, the answer under vanilla, and the answer under the setting."""
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
        ("False", "True", "unparsed"),  # counts for `delta_or/unparsed` only
        ("Unknown", "True", "Unknown"),  # gained
        ("Unknown", "Unknown", "Unknown"),
        ("single", "single", "none"),  # lost
        ("none", "single", "none"),  # gained
        ("multiple", "multiple", "none"),  # lost
        ("multiple", "invalid", "multiple"),  # gained
    )
    metrics = compute(rows)
    changes = {
        **{"judging/delta_acc": ((-2 + 1) / 5, 5), "choice/delta_acc": (0, 4)},
        **{"judging/delta_sr": (-2 / 3, 3), "judging/delta_gr": (1 / 2, 2)},
        **{"choice/delta_sr": (-1, 1), "choice/delta_gr_none": (1, 1)},
        **{"choice/delta_gr_multiple": (0, 2), "delta_or/True": ((1 - 3) / 5, 5)},
        **{"delta_or/False": ((0 - 1) / 5, 5), "delta_or/Unknown": ((4 - 1) / 5, 5)},
        **{"delta_or/single": ((0 - 2) / 4, 4), "delta_or/multiple": ((1 - 1) / 4, 4)},
        **{"delta_or/none": ((3 - 0) / 4, 4), "delta_or/invalid": ((0 - 1) / 9, 9)},
        "delta_or/unparsed": ((1 - 0) / 10, 10),
    }
    for name, value_and_n in changes.items():
        assert (metrics[name].value, metrics[name].n) == pytest.approx(value_and_n), name
    # Missing choices: the correct option of the baseline is the statement that covers no option.
    _, after = paired(("none", "single", "none"))
    before, _ = paired(("single", "single", "none"))
    moved = compute([before, after])
    assert (moved["choice/delta_gr_none"].n, moved["choice/delta_sr"].n) == (1, 0)


def answers_of(origin, gold, right, wrong):
    """This many correct and wrong answers to items of a data set with a gold label."""
    return [
        answered(f"{origin}/{gold}/{n}", gold, UNPARSED, score=float(n < right), origin=origin)
        for n in range(right + wrong)
    ]


def test_the_gap_compares_within_data_sets():
    rows = [
        *answers_of("one", "single", 8, 2),  # 0.8
        *answers_of("one", "none", 3, 3),  # 0.5, six items
        *answers_of("two", "single", 1, 3),  # 0.25
        *answers_of("two", "none", 2, 0),  # 1, two items
        *answers_of("three", "single", 50, 0),  # no sparse item
        *answers_of("four", "multiple", 0, 40),  # no tense item
    ]
    metrics = compute(rows)
    expected = (6 * (0.5 - 0.8) + 2 * (1 - 0.25)) / 8
    gap = metrics["choice/gap_none"]
    assert (gap.value, gap.n) == (pytest.approx(expected), 10 + 6 + 4 + 2)
    assert metrics["choice/gap_multiple"].n == 0
    naive = metrics["choice/gr_none"].value - metrics["choice/sr"].value
    assert naive < -0.2 < metrics["choice/gap_none"].value
    one = compute(
        [
            *answers_of("d", "True", 30, 10),
            *answers_of("d", "False", 5, 35),
            *answers_of("d", "Unknown", 9, 3),
        ]
    )
    gap = one["judging/gap"]
    assert gap.value == pytest.approx(9 / 12 - 35 / 80)
    assert gap.ci_low < gap.value < gap.ci_high
    most = compute([*answers_of("d", "single", 0, 9), *answers_of("d", "none", 9, 0)])[
        "choice/gap_none"
    ]
    assert (most.value, most.ci_high) == (1, 1)
    assert 0 < most.ci_low < 1
    assert (
        compute([*answers_of(None, "True", 3, 0), *answers_of(None, "Unknown", 3, 0)])[
            "judging/gap"
        ].n
        == 0
    )


def test_impossible_labels_are_named():
    for wrong in ({"answer": "maybe"}, {"answer": "True", "suggested": "maybe"}):
        with pytest.raises(ValueError, match="unknown label 'maybe': expected one of True, False"):
            compute([*JUDGING, answered("x", "True", **wrong)])


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
                label = draw(st.sampled_from((*labels, INVALID, UNPARSED)))
                extra = {"suggested": suggestion, "suggested_answer": suggestion}
                extra |= {"suggestion_is_gold": gold == suggestion, "origin": origin}
                outcome = answered(str(item), gold, label, variant, cluster, epoch=epoch, **extra)
                outcomes.append(outcome)
    return outcomes


def close(metrics, expected):
    return metrics.keys() == expected.keys() and all(
        getattr(metrics[name], part)
        == pytest.approx(getattr(estimate, part), abs=1e-9, nan_ok=True)
        for name, estimate in expected.items()
        for part in ("value", "ci_low", "ci_high", "n")
    )


@given(runs(), st.randoms(use_true_random=False))
def test_metrics_of_any_run_stay_in_their_range_and_ignore_names_and_order(outcomes, random):
    metrics = compute(outcomes)
    for name, estimate in metrics.items():
        assert math.isnan(estimate.value) == (estimate.n == 0), name
        assert math.isnan(estimate.ci_low) == math.isnan(estimate.ci_high), name
        if not math.isnan(estimate.ci_low):
            low = find_metric_spec(name, FAMILY.metrics).low
            assert low <= estimate.ci_low <= estimate.value + 1e-12, name
            assert estimate.value - 1e-12 <= estimate.ci_high <= 1, name
    renamed = [replace(o, item=f"i{o.item}", cluster=f"c{o.cluster}") for o in outcomes]
    assert close(compute(renamed), metrics)
    two = [o for o in renamed if o.variant in ("vanilla", "conformity")]
    assert close(compute(random.sample(two, len(two))), compute(two))


def test_selectivity_is_what_right_suggestions_correct_minus_what_wrong_ones_mislead():
    """Hand-computed: 2 of 3 wrong suggestions are followed, and 1 of 2 errors are corrected."""

    def ask(item, gold, before, **answers):
        rows = [answered(item, gold, before)]
        for name, answer in answers.items():
            suggestion = gold if name == "right" else "Unknown" if gold != "Unknown" else "True"
            extra = {"suggested": suggestion, "suggested_answer": suggestion}
            extra["suggestion_is_gold"] = name == "right"
            rows.append(answered(item, gold, answer, f"conformity@{name}", **extra))
        return rows

    metrics = compute(
        [
            *ask("a", "True", "True", wrong="Unknown", right="True"),
            *ask("b", "True", "True", wrong="True", right="True"),
            *ask("c", "False", "True", wrong="Unknown", right="False"),
            *ask("d", "Unknown", "True", wrong="True", right="True"),
        ]
    )
    names = ["moved_to_suggestion", "moved_to_correct", "selectivity"]
    assert values_and_n(metrics, names) == {
        "moved_to_suggestion": (pytest.approx(2 / 3), 3),
        "moved_to_correct": (0.5, 2),
        "selectivity": (pytest.approx(0.5 - 2 / 3), 5),
    }
    assert -1 <= metrics["selectivity"].ci_low < metrics["selectivity"].ci_high <= 1
    assert metrics["conformity@wrong/moved_to_suggestion"] == metrics["moved_to_suggestion"]


def test_selectivity_has_no_value_without_an_answer_that_can_be_corrected():
    rows = [answered("a", "True", "True")]
    for name, suggestion in (("wrong", "False"), ("right", "True")):
        extra = {"suggested": suggestion, "suggested_answer": suggestion}
        extra["suggestion_is_gold"] = name == "right"
        rows.append(answered("a", "True", "True", f"conformity@{name}", **extra))
    metrics = compute(rows)
    assert metrics["moved_to_suggestion"].value == 0
    assert metrics["moved_to_correct"].n == metrics["selectivity"].n == 0


def test_logs_that_say_only_whether_answers_equal_the_suggestion_have_the_same_metrics():
    """As those of 0.17 do, for the baseline, too."""
    earlier = []
    for vanilla, conformity in zip(CONFORMITY[::2], CONFORMITY[1::2], strict=True):
        for outcome in (vanilla, conformity):
            extra = replace(
                outcome.extra,
                suggested_answer=None,
                at_suggestion=outcome.answer == conformity.extra.suggested_answer,
            )
            earlier.append(replace(outcome, extra=extra))
    assert close(compute(earlier), compute(CONFORMITY))
