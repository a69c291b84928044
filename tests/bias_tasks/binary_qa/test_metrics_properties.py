"""What holds of the yes/no figures of any run."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.binary_qa.items import (
    VARIANTS,
    BinaryOutcome,
    opposite,
)
from bias_tasks.binary_qa.metrics import (
    binary_scorecard,
)
from tests.bias_tasks.examples import examples

EXAMPLES = examples(25)
FIELDS = ("value", "ci_low", "ci_high", "n")


@st.composite
def runs(draw, variants=VARIANTS, golds=("Yes", "No"), domains="ab"):
    """Outcomes of up to ten questions in up to four clusters of each domain."""
    outcomes = []
    for item in range(draw(st.integers(1, 10))):
        gold, domain = draw(st.sampled_from(golds)), draw(st.sampled_from(domains))
        cluster = f"{domain}{draw(st.integers(0, 3))}"
        for variant in variants:
            if draw(st.integers(0, 9)) == 0:
                continue  # an unscored sample
            answer = draw(st.sampled_from(("Yes", "No", None)))
            outcomes.append(BinaryOutcome(str(item), cluster, domain, variant, gold, answer))
    return outcomes


def same(found, expected):
    assert found.keys() == expected.keys()
    for name, figure in expected.items():
        for field in FIELDS:
            wanted = pytest.approx(getattr(figure, field), abs=1e-6, nan_ok=True)
            assert getattr(found[name], field) == wanted, (name, field)


@EXAMPLES
@given(runs())
def test_values_lie_within_their_bounds_and_bounds_within_the_range(outcomes):
    for name, figure in binary_scorecard(outcomes).items():
        assert math.isnan(figure.value) == (figure.n == 0), name
        assert math.isnan(figure.ci_low) == math.isnan(figure.ci_high), name
        if not math.isnan(figure.ci_low):
            signed = "delta" in name and "std" not in name
            highest = {"mbs": 100, "domains": 2}.get(name, math.inf if "std" in name else 1)
            assert (-1 if signed else 0) <= figure.ci_low <= figure.value, name
            assert figure.value <= figure.ci_high <= highest, name


@EXAMPLES
@given(runs(), st.randoms(use_true_random=False))
def test_order_of_the_outcomes_does_not_matter(outcomes, random):
    shuffled = list(outcomes)
    random.shuffle(shuffled)
    same(binary_scorecard(shuffled), binary_scorecard(outcomes))


@EXAMPLES
@given(runs())
def test_names_of_items_clusters_and_epochs_do_not_matter(outcomes):
    renamed = [
        replace(o, item=f"i{9 - int(o.item)}", cluster=f"c{o.cluster}", epoch=7) for o in outcomes
    ]
    same(binary_scorecard(renamed), binary_scorecard(outcomes))


@EXAMPLES
@given(runs())
def test_epochs_that_agree_change_no_value(outcomes):
    twice = [replace(o, epoch=epoch) for o in outcomes for epoch in (1, 2)]
    same(binary_scorecard(twice), binary_scorecard(outcomes))


@EXAMPLES
@given(runs())
def test_swapping_the_labels_turns_the_differences_round(outcomes):
    swapped = [
        replace(o, gold=opposite(o.gold), answer=o.answer and opposite(o.answer)) for o in outcomes
    ]
    here, there = binary_scorecard(outcomes), binary_scorecard(swapped)
    for name in here.keys() - {"yes_rate", "a/yes_rate", "b/yes_rate"}:
        sign = -1 if "delta" in name and "std" not in name else 1
        wanted = pytest.approx(sign * here[name].value, abs=1e-9, nan_ok=True)
        assert there[name].value == wanted, name


@EXAMPLES
@given(runs())
def test_reading_more_answers_as_nothing_is_never_more_consistent(outcomes):
    blanked = [replace(o, answer=None) if o.variant == "original" else o for o in outcomes]
    card = binary_scorecard(blanked)
    for name in ("prc", "nrc", "arc", "sc", "f1"):
        assert card.get(name) is None or card[name].n == 0 or card[name].value == 0


@EXAMPLES
@given(runs(variants=("original",), golds=("Yes",), domains="a"), st.integers(2, 4))
def test_copies_within_a_cluster_do_not_narrow_a_rate(outcomes, copies):
    """Where all questions have one gold label and domain.

    Over several of them it is false, because half an item of each kind keeps the rate of every
    label from being known exactly. Where all questions of a label are answered alike, nothing but
    that half item varies within labels, and with k copies of each it counts for a k-th among the
    items: the variance falls to a k-th squared, of which the clusters give back a k-th. What
    clusters do over several labels is in `test_copies_within_clusters_are_no_further_items`.
    """
    copied = [replace(o, item=f"{o.item}/{i}") for o in outcomes for i in range(copies)]
    before, after = binary_scorecard(outcomes), binary_scorecard(copied)
    for name in ("yes_rate", "acc/original", "unread"):
        if name in before and not math.isnan(before[name].ci_low):
            width = after[name].ci_high - after[name].ci_low
            assert width >= before[name].ci_high - before[name].ci_low - 1e-9, name
