"""The judgements of a run as columns, and what the figures of pairs and of attacks share."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bias_tasks.complex_eval.items import JudgedKind
from bias_tasks.complex_eval.outcomes import Judgement
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.intervals import difference, rate
from bias_tasks.statistics.outcomes import Mask, codes, means, positions

SLACK = 1e-9
"""Scores are means over criteria: a difference this close to a threshold lies exactly on it."""
Samples = Mapping[str, WeightedSample]


@dataclass(frozen=True, slots=True)
class JudgementTable:
    """n items, and a score of each response under each condition, epoch by epoch.

    `domain` (a position in `domains`), `cluster` and `gold` (0 but for math) are of each item,
    `item` of each row. Columns are auxiliary information and response; scores and whether there is
    a judgement stand row by column, scores nan where unread or not judged.
    """

    family: JudgedKind
    domains: tuple[str, ...]
    domain: Ints
    cluster: Ints
    gold: Ints
    item: Ints
    columns: tuple[tuple[str, str], ...]
    scores: Floats
    judged: Mask

    def score(self, aux: str, response: str) -> Floats:
        """One score for each row; the column must be there."""
        column: Floats = self.scores[:, self.columns.index((aux, response))]
        return column

    def asked(self, aux: str, *responses: str) -> Mask:
        """In which rows all of these were judged; false in all where a column is not there."""
        asked = np.ones(self.item.size, dtype=np.bool_)
        for response in responses:
            column = (aux, response)
            asked &= self.judged[:, self.columns.index(column)] if column in self.columns else False
        return asked

    def sample(self, rows: Floats | Mask, known: Mask) -> WeightedSample:
        """Each item's mean over its rows that are known, with the design: strata are domains."""
        values, there = means(rows, known, self.item, self.domain.size)
        return WeightedSample(values, self.cluster, self.domain, there.astype(float))

    def unread(self) -> WeightedSample:
        """Share of each item's judgements that have no score."""
        judged = self.judged.sum(axis=1)
        unread = (self.judged & np.isnan(self.scores)).sum(axis=1)
        return self.sample(unread / judged, judged > 0)


def table(judgements: Sequence[Judgement]) -> JudgementTable:
    """The table of at least one judgement, in any order. A ValueError where a response is judged
    twice in one epoch, or judgements of one item disagree about its domain, cluster or gold
    position."""
    items: dict[str, Judgement] = {}
    seen: set[tuple[str, str, str, int]] = set()
    for each in judgements:
        what = f"item {each.item!r}, {each.response!r} under {each.aux!r}"
        first = items.setdefault(each.item, each)
        for name in ("domain", "cluster", "gold"):
            if getattr(each, name) != getattr(first, name):
                raise ValueError(f"{what}: another judgement of the item has another {name}")
        key = (each.item, each.aux, each.response, each.epoch)
        if key in seen:
            raise ValueError(f"{what}: is judged twice in epoch {each.epoch}")
        seen.add(key)
    row, rows = positions((each.item, each.epoch) for each in judgements)
    column, columns = positions((each.aux, each.response) for each in judgements)
    scores = np.full((len(rows), len(columns)), math.nan)
    scores[row, column] = np.array([each.score for each in judgements], dtype=float)  # None is nan
    judged = np.zeros(scores.shape, dtype=np.bool_)
    judged[row, column] = True
    domains = sorted({each.domain for each in items.values()})
    return JudgementTable(
        family=judgements[0].family,
        domains=tuple(domains),
        domain=np.array([domains.index(each.domain) for each in items.values()]),
        cluster=codes(judgement.cluster for judgement in items.values()),
        gold=np.array([j.gold or 0 for j in items.values()]),
        item=codes(item for item, _ in rows),
        columns=tuple(columns),
        scores=scores,
        judged=judged,
    )


def rates(samples: Samples) -> dict[str, Estimate]:
    """The mean of each sample of values in [0, 1]."""
    return {name: rate(sample) for name, sample in samples.items()}


def changes(samples: Samples) -> dict[str, Estimate]:
    """The mean of each sample of paired differences; p-values are Holm-adjusted across all."""
    return holm_adjusted({name: difference(sample) for name, sample in samples.items()})


def overall(run: JudgementTable, changes: Sequence[tuple[Floats, Mask]]) -> Estimate:
    """The mean of paired differences over all kinds; nan where there is none.

    A row's differences share what they are taken from, so that they count as one value: their mean.
    They have no p-value, which those of the kinds have. `changes` has of each kind a difference and
    whether it is known, for each row of the table.
    """
    count = np.sum([known for _, known in changes], axis=0)
    total = np.sum([np.where(known, values, 0.0) for values, known in changes], axis=0)
    return replace(difference(run.sample(total / np.maximum(count, 1), count > 0)), p=None)


def by_domain(samples: Samples, domains: Sequence[str]) -> dict[str, WeightedSample]:
    """`<domain>/<name>`: of each sample the items of one domain (its strata are domains)."""
    return {
        f"{domain}/{name}": replace(sample, weights=sample.weights * (sample.strata == code))
        for code, domain in enumerate(domains)
        for name, sample in samples.items()
    }
