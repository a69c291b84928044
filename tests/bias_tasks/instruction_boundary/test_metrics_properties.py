"""What holds of the figures of any run."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import (
    INVALID,
    LABELS,
    UNREAD,
)
from bias_tasks.instruction_boundary.items import (
    SettingOutcome as Outcome,
)
from bias_tasks.instruction_boundary.metrics import (
    scorecard,
)
from tests.bias_tasks.examples import examples

EXAMPLES = examples(25)
SETTINGS = ("vanilla", "conformity", "few_shot")


@st.composite
def runs(draw, forms=("judging", "choice"), variants=SETTINGS, min_items=1, epochs=(1, 2)):
    """Outcomes of up to eight items in up to four clusters, over one epoch or two."""
    repeats = draw(st.sampled_from(epochs))
    outcomes = []
    for item in range(draw(st.integers(min_items, 8))):
        form = draw(st.sampled_from(forms))
        labels = LABELS[form]
        gold, suggested = draw(st.sampled_from(labels)), draw(st.sampled_from(labels))
        cluster = str(draw(st.integers(0, 3)))
        origin = draw(st.sampled_from((None, "one", "two")))
        for variant in variants:
            if variant != "vanilla" and draw(st.integers(0, 9)) == 0:
                continue  # an unscored sample
            answers = draw(
                st.lists(
                    st.sampled_from((*labels, INVALID, UNREAD)), min_size=repeats, max_size=repeats
                )
            )
            outcomes.append(
                Outcome(
                    item=str(item),
                    cluster=cluster,
                    form=form,
                    variant=variant,
                    gold=gold,
                    ok=answers.count(gold) / repeats,
                    labels={answer: answers.count(answer) / repeats for answer in answers},
                    judged=draw(st.sampled_from((0.0, 1.0))),
                    suggested=suggested,
                    at_suggestion=answers.count(suggested) / repeats,
                    suggestion_is_gold=suggested == gold,
                    origin=origin,
                )
            )
    return outcomes


def close(found, expected):
    return all(
        getattr(found, name) == pytest.approx(getattr(expected, name), abs=1e-9, nan_ok=True)
        for name in ("value", "ci_low", "ci_high", "n")
    )


@EXAMPLES
@given(runs())
def test_values_lie_within_their_bounds_and_bounds_within_the_range(outcomes):
    for name, estimate in scorecard(outcomes).items():
        figure = FAMILY.figure(name)
        assert figure is not None, name
        lowest = figure.low
        assert estimate.n >= 0
        assert math.isnan(estimate.value) == (estimate.n == 0), name
        assert math.isnan(estimate.ci_low) == math.isnan(estimate.ci_high), name
        if math.isnan(estimate.value):
            assert math.isnan(estimate.ci_low), name
        if not math.isnan(estimate.ci_low):
            rounding = 1e-12
            assert lowest <= estimate.ci_low <= estimate.value + rounding, name
            assert estimate.value - rounding <= estimate.ci_high <= 1, name
            assert estimate.ci_low < estimate.ci_high, name


@EXAMPLES
@given(runs(variants=("vanilla", "conformity")), st.randoms(use_true_random=False))
def test_order_of_the_rows_does_not_matter(outcomes, random):
    shuffled = list(outcomes)
    random.shuffle(shuffled)
    expected, found = scorecard(outcomes), scorecard(shuffled)
    assert found.keys() == expected.keys()
    assert all(close(found[name], expected[name]) for name in expected)


@EXAMPLES
@given(runs(variants=("vanilla", "conformity")))
def test_names_of_items_and_clusters_do_not_matter(outcomes):
    renamed = [replace(o, item=f"i{o.item}", cluster=f"c{o.cluster}") for o in outcomes]
    expected, found = scorecard(outcomes), scorecard(renamed)
    assert all(close(found[name], expected[name]) for name in expected)


@EXAMPLES
@given(runs(variants=("vanilla", "conformity")))
def test_change_flips_and_its_size_agree(outcomes):
    card = scorecard(outcomes)
    if "delta_acc" not in card or math.isnan(card["delta_acc"].value):
        return
    change = card["delta_acc"].value
    assert card["abs_delta_acc"].value == abs(change)
    flips = card["flips/gained"].value - card["flips/lost"].value
    assert flips == pytest.approx(change, abs=1e-12)
    both = {o.item for o in outcomes if o.variant == "conformity"}
    pairs = [o for o in outcomes if o.item in both]
    means = {
        variant: [o.ok for o in pairs if o.variant == variant]
        for variant in ("vanilla", "conformity")
    }
    expected = sum(means["conformity"]) / len(both) - sum(means["vanilla"]) / len(both)
    assert change == pytest.approx(expected, abs=1e-12)


@EXAMPLES
@given(runs(forms=("judging",), variants=("vanilla",)))
def test_output_shares_sum_to_one(outcomes):
    card = scorecard(outcomes)
    assert sum(e.value for name, e in card.items() if name.startswith("or/")) == pytest.approx(1)


@EXAMPLES
@given(runs(variants=("vanilla",)))
def test_accuracy_is_the_mean_of_its_groups(outcomes):
    card = scorecard(outcomes)
    for form, groups in {
        "judging": ("sr", "gr"),
        "choice": ("sr", "gr_none", "gr_multiple"),
    }.items():
        if f"{form}/acc" in card:
            parts = [card[f"{form}/{group}"] for group in groups]
            total = sum(part.value * part.n for part in parts if part.n)
            assert card[f"{form}/acc"].value == pytest.approx(total / sum(p.n for p in parts))
            assert sum(p.n for p in parts) == card[f"{form}/acc"].n


@EXAMPLES
@given(runs(variants=("vanilla", "conformity"), min_items=2))
def test_swapping_the_sides_turns_the_change_round(outcomes):
    sides = {"vanilla": "conformity", "conformity": "vanilla"}
    both = {o.item for o in outcomes if o.variant == "conformity"}
    pairs = [o for o in outcomes if o.item in both]
    if not pairs:
        return
    there = scorecard(pairs)["delta_acc"]
    back = scorecard([replace(o, variant=sides[o.variant]) for o in pairs])["delta_acc"]
    assert back.value == pytest.approx(-there.value, abs=1e-12)
    assert back.ci_low == pytest.approx(-there.ci_high, abs=1e-9, nan_ok=True)
    assert back.ci_high == pytest.approx(-there.ci_low, abs=1e-9, nan_ok=True)
    assert back.p == pytest.approx(there.p, abs=1e-9, nan_ok=True)


@EXAMPLES
@given(runs(forms=("judging",), variants=("vanilla", "conformity"), epochs=(1,)), st.integers(2, 4))
def test_copies_within_a_cluster_do_not_narrow_an_interval(outcomes, copies):
    copied = [replace(o, item=f"{o.item}/{i}") for o in outcomes for i in range(copies)]
    before, after = scorecard(outcomes), scorecard(copied)
    for name in ("judging/gr", "adopted", "abandoned"):
        if name in before and not math.isnan(before[name].ci_low):
            width = after[name].ci_high - after[name].ci_low
            assert width >= before[name].ci_high - before[name].ci_low - 1e-9


@EXAMPLES
@given(runs(variants=("vanilla",), min_items=3), st.sampled_from(["few_shot", "conformity"]))
def test_a_setting_that_changes_nothing_has_no_effect(outcomes, variant):
    card = scorecard(outcomes + [replace(o, variant=variant) for o in outcomes])
    assert card["delta_acc"].value == 0
    assert card["flips/lost"].value == pytest.approx(
        sum(o.ok * (1 - o.ok) for o in outcomes) / len(outcomes)
    )
    if not math.isnan(card["delta_acc"].ci_low):
        assert card["delta_acc"].p == 1
        assert card["delta_acc"].ci_low < 0 < card["delta_acc"].ci_high
