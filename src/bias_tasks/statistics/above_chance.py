"""Are answers better than chance? If not, a change of answers is meaningless."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import code_values
from bias_tasks.statistics.rate_intervals import difference


def above_chance_significant(estimate: Estimate, chance: float) -> dict[str, Estimate]:
    """Return the metric `above_chance_significant` of an estimate.

    It is 1 if the interval is above chance, else 0; nan if there is no interval.

    Args:
        estimate: The estimate, such as an accuracy.
        chance: Its value by chance.
    """
    is_above = math.nan if math.isnan(estimate.ci_low) else float(estimate.ci_low > chance)
    return {"above_chance_significant": Estimate.without_interval(is_above, estimate.n)}


def above_chance(outcomes: Sequence[Any], *, intervals: bool = True) -> dict[str, Estimate]:
    """Return `above_chance` and `above_chance_significant` of outcomes.

    `above_chance` is the share of correct answers minus the share of correct answers if each item
    got the answer of another item of its kind: the numerator of Cohen's kappa (1960), unbiased,
    because an item's own answers are excluded. It is exactly 0 for a model that always gives the
    same answer. Items are of one kind if they have the same variant and form and if the correct
    answer of both, or of neither, is a letter.

    Args:
        outcomes: Outcomes of one variant or of several. Those without a correct answer are ignored.
        intervals: Whether intervals are computed.

    Returns:
        Nothing if no item has another one of its kind.
    """
    rows = [outcome for outcome in outcomes if outcome.gold]
    if not rows:
        return {}
    kinds = code_values(
        (row.variant, getattr(row.extra, "form", None), len(row.gold) == 1) for row in rows
    )
    pairs = list(zip(kinds.tolist(), rows, strict=True))
    gold = code_values((kind, row.gold) for kind, row in pairs)
    gold_codes = {(kind, row.gold): code for (kind, row), code in zip(pairs, gold, strict=True)}
    answers = np.array([gold_codes.get((kind, row.answer), -1) for kind, row in pairs])
    items = code_values((kind, row.item) for kind, row in pairs)
    values, n_others = rates_above_others(answers, gold, kinds, items)
    if not n_others.any():
        return {}
    clusters = code_values(row.cluster for row in rows)[np.unique(items, return_index=True)[1]]
    weights, strata = (n_others > 0).astype(float), np.zeros_like(clusters)
    estimate = difference(WeightedSample(values, clusters, strata, weights, intervals))
    # Sums in another order differ in their last digits; a value of 0 must be 0.
    value, low, high = (
        round(number, 12) for number in (estimate.value, estimate.ci_low, estimate.ci_high)
    )
    rounded = Estimate(value, low, high, estimate.n)
    return {"above_chance": rounded} | above_chance_significant(estimate, 0.0)


def rates_above_others(answers: Ints, gold: Ints, kinds: Ints, items: Ints) -> tuple[Floats, Ints]:
    """Return how much more often an item's answers are correct than those of other items would be.

    Args:
        answers: For each answer the code of the correct answer that it equals, or -1.
        gold: For each answer the code of its item's correct answer; different for each kind.
        kinds: For each answer the kind of its item.
        items: For each answer the code of its item and kind.

    Returns:
        For each item the difference of both shares, and the number of other answers of its kind.
    """
    correct = (answers == gold).astype(float)
    counts = np.bincount(answers[answers >= 0], minlength=int(gold.max(initial=-1)) + 1)
    first = np.unique(items, return_index=True)[1]
    n_correct, n_answers = np.bincount(items, correct), np.bincount(items)
    n_others = np.bincount(kinds)[kinds[first]] - n_answers
    n_correct_by_others = counts[gold[first]] - n_correct
    rates = n_correct / n_answers - n_correct_by_others / np.maximum(n_others, 1)
    return rates, n_others
