"""Consistency of other people's tasks: is an item answered alike in other words? (section 2.3)"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import fmean

import numpy as np

from bias_tasks.binary_qa.items import COMPARED, NEGATIVE
from bias_tasks.contract.family import Outcome
from bias_tasks.statistics.effective_size import WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import rate
from bias_tasks.statistics.outcomes import codes

OPPOSITE = tuple(sorted(NEGATIVE))
Row = Mapping[str, str | None]
"""An item's answers in one epoch, by variant; None where nothing was read."""


def variant_outcome(
    item: str,
    cluster: str,
    variant: str,
    answer: str | None,
    *,
    epoch: int = 1,
    original: str = "original",
    opposite: Sequence[str] = OPPOSITE,
) -> Outcome:
    """An answer under a variant; `own` says which figure compares it with the original's.

    Variants named in `opposite` are of `nrc`, `reversed` is of `arc`, what begins with `repeat` is
    of `sc`, and all others are of `prc`.
    """
    figure = "sc" if variant.startswith("repeat") else "arc" if variant == "reversed" else "prc"
    own = {"figure": "" if variant == original else "nrc" if variant in opposite else figure}
    said = (answer or "").strip().casefold() or None
    return Outcome(item, cluster, variant, None, said, None, "", epoch=epoch, own=own)


def consistency_card(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """`prc`, `nrc`, `arc` and `sc` as far as their variants were asked, and `unread`.

    An item counts where it was asked under every variant of the figure; answers are compared within
    an epoch, and epochs of an item count as their mean. There must be an outcome. A ValueError
    where an item stands twice under one variant in one epoch."""
    rows: dict[tuple[str, int], dict[str, str | None]] = defaultdict(dict)
    for each in outcomes:
        row = rows[each.item, each.epoch]
        if each.variant in row:
            raise ValueError(
                f"item {each.item!r} stands twice under variant {each.variant!r}: "
                "give each sample of an item a variant of its own"
            )
        row[each.variant] = each.answer
    clusters = {each.item: each.cluster for each in outcomes}

    def mean(value: Callable[[Row], float | None]) -> Estimate:
        found = defaultdict(list)
        for (item, _), row in rows.items():
            if (one := value(row)) is not None:
                found[item].append(one)
        values = np.array([fmean(each) for each in found.values()])
        cluster = codes(clusters[item] for item in found)
        return rate(WeightedSample(values, cluster, np.zeros_like(cluster), np.ones(values.size)))

    figures = {each.variant: each.own["figure"] for each in outcomes}
    original = next((name for name, figure in figures.items() if not figure), "original")
    card = {}
    for figure in COMPARED:
        others = [name for name, its in figures.items() if its == figure]
        if others:
            card[figure] = mean(partial(_agrees, [original, *others], figure == "nrc"))
    return card | {"unread": mean(lambda row: fmean(said is None for said in row.values()))}


def _agrees(names: Sequence[str], opposite: bool, row: Row) -> bool | None:
    """Whether the first variant is answered as the others are; None where that can't be said."""
    if not set(names) <= row.keys() or all(row[name] is None for name in names):
        return None
    first, *others = (row[name] for name in names)
    return None not in (first, *others) and all((said != first) == opposite for said in others)
