"""The judgements of a run as columns, and what the metrics of pairs and of attacks share."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bias_tasks.complex_eval.items import JudgedKind
from bias_tasks.complex_eval.outcomes import Judgement
from bias_tasks.complex_eval.scoring_data import JudgedResponse
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.outcomes import Mask, code_values, index_values, item_means
from bias_tasks.statistics.rate_intervals import difference, rate

SLACK = 1e-9
"""Scores are means over criteria: a difference this close to a threshold counts as equal to it."""
VALUES = ("score", "answers", "unparsed", "spread", "attacked", "others")
"""Values of a judgement: attributes of `Judgement`."""
Samples = Mapping[str, WeightedSample]


@dataclass(frozen=True, slots=True)
class JudgementTable:
    """The scores of n items by epoch (rows), auxiliary condition and response (columns)."""

    family: JudgedKind
    domains: tuple[str, ...]
    domain: Ints
    """Index in `domains` of each item."""
    cluster: Ints
    """Cluster of each item."""
    first_error: Ints
    """Math: true position of the first wrong step of each item; 0 for other kinds."""
    item: Ints
    """Item of each row."""
    columns: tuple[tuple[str, str], ...]
    """Auxiliary condition and response of each column."""
    values: Mapping[str, Floats]
    """Each of `VALUES` by row and column; nan if unknown or not judged."""

    def score(self, aux: str, response: str, value: str = "score") -> Floats:
        """Return the score, or another value, of each row in a column that the table has."""
        return self.values[value][:, self.columns.index((aux, response))]

    def all_judged(self, aux: str, *responses: str) -> Mask:
        """Return for each row whether all of these responses are judged."""
        columns = [(aux, response) for response in responses]
        if not set(columns) <= set(self.columns):
            return np.zeros(self.item.size, dtype=np.bool_)
        indices = [self.columns.index(column) for column in columns]
        is_judged = ~np.isnan(self.values["answers"][:, indices])
        judged: Mask = np.logical_and.reduce(is_judged, axis=1)
        return judged

    def sample(self, values: Floats | Mask, known: Mask) -> WeightedSample:
        """Return the mean of each item over its known rows; strata are domains."""
        means, any_known = item_means(values, known, self.item, self.domain.size)
        return WeightedSample(means, self.cluster, self.domain, any_known.astype(float))

    def unparsed_sample(self) -> WeightedSample:
        """Return the share of each item's answers without a score, weighted by their number."""
        answers, unparsed = (
            np.bincount(self.item, np.nansum(self.values[name], axis=1)).astype(float)
            for name in ("answers", "unparsed")
        )
        return WeightedSample(unparsed / answers, self.cluster, self.domain, answers)


def build_table(judgements: Sequence[Judgement]) -> JudgementTable:
    """Return the table of at least one judgement, in any order.

    Raises:
        ValueError: A response is judged twice in one epoch, or judgements of one item disagree
            about its domain, cluster or first wrong step.
    """
    items: dict[str, JudgedResponse] = {}
    seen: set[tuple[str, str, str, int]] = set()
    for judgement in judgements:
        judged, epoch = judgement.judged, judgement.epoch
        first = items.setdefault(judged.item, judged)
        for name in ("domain", "cluster", "first_error"):
            if getattr(judged, name) != getattr(first, name):
                raise ValueError(f"{judged}: another judgement of the item has another {name}")
        key = (judged.item, judged.aux, judged.response, epoch)
        if key in seen:
            raise ValueError(f"{judged}: judged twice in epoch {epoch}")
        seen.add(key)
    row, rows = index_values((judgement.judged.item, judgement.epoch) for judgement in judgements)
    column, columns = index_values((j.judged.aux, j.judged.response) for j in judgements)
    values = {name: np.full((len(rows), len(columns)), math.nan) for name in VALUES}
    for name, grid in values.items():
        # None becomes nan.
        grid[row, column] = np.array([getattr(j, name) for j in judgements], dtype=float)
    domains = sorted({judged.domain for judged in items.values()})
    return JudgementTable(
        family=judgements[0].judged.family,
        domains=tuple(domains),
        domain=np.array([domains.index(judged.domain) for judged in items.values()]),
        cluster=code_values(judged.cluster for judged in items.values()),
        first_error=np.array([judged.first_error or 0 for judged in items.values()]),
        item=code_values(item for item, _ in rows),
        columns=tuple(columns),
        values=values,
    )


def estimate_rates(samples: Samples) -> dict[str, Estimate]:
    """Return the mean of each sample of values in [0, 1]."""
    return {name: rate(sample) for name, sample in samples.items()}


def estimate_changes(samples: Samples) -> dict[str, Estimate]:
    """Return the mean of each sample of paired differences, with Holm-adjusted p-values."""
    return holm_adjusted({name: difference(sample) for name, sample in samples.items()})


def estimate_overall_change(
    table: JudgementTable, changes: Sequence[tuple[Floats, Mask]]
) -> Estimate:
    """Return the mean of paired differences over several kinds of attacks.

    The differences of a row share the value that they are taken from, so they count as one value:
    their mean. The result has no p-value, because the single kinds are tested.

    Args:
        table: The table of judgements.
        changes: For each kind, the difference in each row of the table and whether it is known.
    """
    count = np.sum([known for _, known in changes], axis=0)
    total = np.sum([np.where(known, values, 0.0) for values, known in changes], axis=0)
    return replace(difference(table.sample(total / np.maximum(count, 1), count > 0)), p=None)


def split_by_domain(samples: Samples, domains: Sequence[str]) -> dict[str, WeightedSample]:
    """Return each sample restricted to the items of one domain, by `<domain>/<name>`."""
    return {
        f"{domain}/{name}": replace(sample, weights=sample.weights * (sample.strata == code))
        for code, domain in enumerate(domains)
        for name, sample in samples.items()
    }
