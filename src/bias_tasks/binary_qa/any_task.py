"""Consistency of any task: does an item get the same answer in other words? (section 2.3)"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

import numpy as np

from bias_tasks.binary_qa.items import COMPARED_VARIANTS, NEGATIVE_REFORMULATIONS
from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.statistics.effective_size import WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import code_values
from bias_tasks.statistics.rate_intervals import rate

NEGATIVE_VARIANTS = tuple(sorted(NEGATIVE_REFORMULATIONS))
"""Default variants whose correct answer is the opposite of the original's."""
AnswerRow = Mapping[str, str | None]
"""An item's answers in one epoch, by variant; None if an answer is unparsed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantExtra(Extra):
    """Which metric an answer belongs to."""

    metric: str
    """`prc`, `nrc`, `arc` or `sc`; empty for the original."""


def variant_outcome(
    item: str,
    cluster: str,
    variant: str,
    answer: str | None,
    *,
    epoch: int = 1,
    original: str = "original",
    opposite: Sequence[str] = NEGATIVE_VARIANTS,
) -> Outcome[VariantExtra]:
    """Return the outcome of an answer under a variant, with the metric that the variant belongs to.

    Args:
        item: Id of the item.
        cluster: Id of what items share.
        variant: Name of the variant: `reversed` belongs to `arc`, names that begin with `repeat` to
            `sc`, those in `opposite` to `nrc`, and all others to `prc`.
        answer: The parsed answer; None if unparsed. Case and outer blanks are ignored.
        epoch: Number of the epoch, from 1.
        original: The variant that others are compared with.
        opposite: Variants whose correct answer is the opposite of the original's.
    """
    metric = "prc"
    if variant == original:
        metric = ""
    elif variant in opposite:
        metric = "nrc"
    elif variant.startswith("repeat"):
        metric = "sc"
    elif variant == "reversed":
        metric = "arc"
    return Outcome(
        item=item,
        cluster=cluster,
        variant=variant,
        gold=None,
        answer=(answer or "").strip().casefold() or None,
        score=None,
        explanation="",
        epoch=epoch,
        extra=VariantExtra(metric=metric),
    )


def compute_consistency_metrics(outcomes: Sequence[Outcome[VariantExtra]]) -> dict[str, Estimate]:
    """Return `unparsed`, and those of `prc`, `nrc`, `arc` and `sc` whose variants occur.

    An item counts for a metric if it has parsed answers under all of the metric's variants. Answers
    are compared within an epoch, and an item's value is the mean over its epochs.

    Args:
        outcomes: At least one outcome of `variant_outcome`.

    Raises:
        ValueError: An item occurs twice under one variant in one epoch.
    """
    rows: dict[tuple[str, int], dict[str, str | None]] = defaultdict(dict)
    for outcome in outcomes:
        row = rows[outcome.item, outcome.epoch]
        if outcome.variant in row:
            raise ValueError(
                f"item {outcome.item!r} occurs twice under variant {outcome.variant!r}: "
                "give each sample of an item its own variant"
            )
        row[outcome.variant] = outcome.answer
    clusters = {outcome.item: outcome.cluster for outcome in outcomes}
    variants: dict[str, list[str]] = defaultdict(list)
    for variant, metric in {o.variant: o.extra.metric for o in outcomes}.items():
        variants[metric].append(variant)
    original = variants.get("", ["original"])[0]

    def agrees(name: str, row: AnswerRow) -> bool | None:
        """Return whether the original's answer agrees with all others.

        None if an answer is missing or unparsed.
        """
        others = variants[name]
        if any(row.get(variant) is None for variant in (original, *others)):
            return None
        return all((row[variant] != row[original]) == (name == "nrc") for variant in others)

    def estimate_mean(compute_value: Callable[[AnswerRow], float | None]) -> Estimate:
        by_item = defaultdict(list)
        for (item, _), row in rows.items():
            value = compute_value(row)
            if value is not None:
                by_item[item].append(value)
        means = np.array([fmean(values) for values in by_item.values()])
        cluster = code_values(clusters[item] for item in by_item)
        return rate(WeightedSample(means, cluster, np.zeros_like(cluster), np.ones(means.size)))

    names = [name for name in COMPARED_VARIANTS if name in variants]
    metrics = {name: estimate_mean(partial(agrees, name)) for name in names}
    unparsed = estimate_mean(lambda row: fmean(answer is None for answer in row.values()))
    return metrics | {"unparsed": unparsed}
