"""Consistency of any task: does an item get the same answer in other words? (section 2.3)"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bias_tasks.binary_qa.items import COMPARED_VARIANTS, NEGATIVE_REFORMULATIONS
from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import build_outcome_table, code_values
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, rate

NEGATIVE_VARIANTS = tuple(sorted(NEGATIVE_REFORMULATIONS))
"""Default variants whose correct answer is the opposite of the original's."""


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
    table = build_outcome_table(outcomes)
    codes = code_values([None, *(outcome.answer for outcome in outcomes)])
    answers = np.append(codes[1:] - 1, -1)[table.cell]
    variants: dict[str, list[str]] = defaultdict(list)
    for variant, metric in {o.variant: o.extra.metric for o in outcomes}.items():
        variants[metric].append(variant)
    original = variants.get("", ["original"])[0]

    def agreement(name: str) -> Estimate:
        """Return the share of items whose original's answer agrees with all others."""
        if original not in table.columns:
            return NO_ESTIMATE
        compared = answers[:, [table.columns.index(v) for v in (original, *variants[name])]]
        agrees = ((compared[:, 1:] != compared[:, :1]) == (name == "nrc")).all(axis=1)
        return rate(table.sample(np.where((compared >= 0).all(axis=1), agrees, np.nan)))

    metrics = {name: agreement(name) for name in COMPARED_VARIANTS if name in variants}
    n_answers = table.has_outcome.sum(axis=1)
    unparsed = ((answers < 0) & table.has_outcome).sum(axis=1) / n_answers
    return metrics | {"unparsed": rate(table.sample(unparsed))}
