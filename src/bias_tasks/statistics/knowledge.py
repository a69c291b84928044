"""Does who answers know anything? Figures of change say nothing of those who don't."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import difference
from bias_tasks.statistics.outcomes import Grouped, codes, grouped


def can_tell(figure: Estimate, chance: float) -> dict[str, Estimate]:
    """The figure `can_tell`: 1 where the interval of a figure lies above chance, else 0; nan where
    it has none."""
    told = math.nan if math.isnan(figure.ci_low) else float(figure.ci_low > chance)
    return {"can_tell": Estimate(told, math.nan, math.nan, figure.n)}


def above_chance(outcomes: Sequence[Any]) -> dict[str, Estimate]:
    """`above_chance`: how much more often answers are right than those of other items; `can_tell`.

    The share of right answers, less the share if each item got the answer of another one of its
    kind: the numerator of Cohen's kappa (1960), unbiased, as an item's own answers are left out.
    Who always says the same has exactly 0. Items are of a kind by variant, `own["form"]`, and
    whether right answers are letters; those without a right answer are left out. There are no
    figures where no item has another one of its kind.
    """
    known = [each for each in outcomes if each.gold]
    if not known:
        return {}
    kind = codes((each.variant, each.own.get("form"), len(each.gold) == 1) for each in known)
    pair = list(zip(kind.tolist(), known, strict=True))
    gold = codes((k, each.gold) for k, each in pair)
    places = {(k, each.gold): place for (k, each), place in zip(pair, gold, strict=True)}
    said = np.array([places.get((k, each.answer), -1) for k, each in pair])
    asked = grouped(codes((k, each.item) for k, each in pair))
    values, others = beyond_others(said, gold, kind, asked)
    if not others.any():
        return {}
    cluster = codes(each.cluster for each in known)[asked.first]
    weights = (others > 0).astype(float)
    found = difference(WeightedSample(values, cluster, np.zeros_like(cluster), weights))
    # Sums in another order differ in their last digits; a value of 0 is 0.
    value, low, high = (round(each, 12) for each in (found.value, found.ci_low, found.ci_high))
    return {"above_chance": Estimate(value, low, high, found.n)} | can_tell(found, 0.0)


def beyond_others(said: Ints, gold: Ints, kind: Ints, asked: Grouped) -> tuple[Floats, Ints]:
    """Of each item the share of its answers that are right, less that of the answers of other items
    of its kind that would be right in their place; and how many of these there are.

    Each answer has in `said` the number of the right answer that it is, -1 where it is none, in
    `gold` that of its item's right answer (those of different kinds differ), and in `kind` which
    answers could stand for each other; `asked` groups those of the same item and kind.
    """
    right = (said == gold).astype(float)
    count = np.bincount(said[said >= 0], minlength=int(gold.max(initial=-1)) + 1)
    own, size = np.bincount(asked.group, right), np.bincount(asked.group)
    others = np.bincount(kind)[kind[asked.first]] - size
    return own / size - (count[gold[asked.first]] - own) / np.maximum(others, 1), others
