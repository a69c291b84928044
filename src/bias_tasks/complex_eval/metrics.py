"""The judgements of a run as columns, and what the metrics of pairs and of attacks share."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np

from bias_tasks.complex_eval.items import JudgedKind
from bias_tasks.complex_eval.outcomes import Judgement
from bias_tasks.statistics.cluster_bootstrap import mean_change
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.outcomes import Mask, OutcomeTable, build_outcome_table
from bias_tasks.statistics.rate_intervals import difference, rate

SLACK = 1e-9
"""Scores are means over criteria: a difference this close to a threshold counts as equal to it."""
VALUES = ("score", "answers", "unparsed", "spread", "attacked", "others", "cites")
"""Values of a judgement: attributes of `Judgement`."""
Samples = Mapping[str, WeightedSample]


@dataclass(frozen=True, slots=True)
class JudgementTable:
    """The scores of n items by epoch (rows), auxiliary condition and response (columns)."""

    outcomes: OutcomeTable
    """The judgements. The columns are pairs of an auxiliary condition and a response."""
    family: JudgedKind
    domains: tuple[str, ...]
    domain: Ints
    """Index in `domains` of each item."""
    first_error: Ints
    """Math: true position of the first wrong step of each item; 0 for other kinds."""
    values: Mapping[str, Floats]
    """Each of `VALUES` by row and column; nan if unknown or not judged."""

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Auxiliary condition and response of each column."""
        return self.outcomes.columns

    def score(self, aux: str, response: str, value: str = "score") -> Floats:
        """Return the score, or another value, of each row in a column that the table has."""
        return self.values[value][:, self.columns.index((aux, response))]

    def is_first_error(self, positions: Floats) -> Mask:
        """Return for each row whether a position is that of the first wrong step."""
        is_first: Mask = positions == self.first_error[self.outcomes.item]
        return is_first

    def all_judged(self, aux: str, *responses: str) -> Mask:
        """Return for each row whether all of these responses are judged."""
        columns = [(aux, response) for response in responses]
        if not set(columns) <= set(self.columns):
            return np.zeros(self.outcomes.item.size, dtype=np.bool_)
        indices = [self.columns.index(column) for column in columns]
        is_judged = ~np.isnan(self.values["answers"][:, indices])
        judged: Mask = np.logical_and.reduce(is_judged, axis=1)
        return judged

    def sample(self, values: Floats | Mask, known: Mask) -> WeightedSample:
        """Return the mean of each item over its known rows; strata are domains."""
        return self.outcomes.sample(np.where(known, values, math.nan), self.domain)

    def unparsed_sample(self) -> WeightedSample:
        """Return the share of each item's answers without a score, weighted by their number."""
        answers, unparsed = (
            np.bincount(self.outcomes.item, np.nansum(self.values[name], axis=1)).astype(float)
            for name in ("answers", "unparsed")
        )
        return WeightedSample(
            unparsed / answers,
            self.outcomes.clusters,
            self.domain,
            answers,
            self.outcomes.intervals,
        )


def build_table(judgements: Sequence[Judgement], intervals: bool = True) -> JudgementTable:
    """Return the table of at least one judgement, in any order.

    Raises:
        ValueError: A response is judged twice in one epoch, or an item is in two clusters.
    """
    table = build_outcome_table(
        judgements, column=lambda j: (j.judged.aux, j.judged.response), intervals=intervals
    )
    domain = table.of_items(lambda judgement: judgement.judged.domain)
    domains = sorted(set(domain))
    return JudgementTable(
        outcomes=table,
        family=judgements[0].judged.family,
        domains=tuple(domains),
        domain=np.array([domains.index(name) for name in domain]),
        first_error=np.array(table.of_items(lambda judgement: judgement.judged.first_error or 0)),
        values={name: table.grid(attrgetter(name)) for name in VALUES},
    )


def compute_citations(table: JudgementTable) -> dict[str, Estimate]:
    """Return `reference_cited/<aux>`: the share of judgements whose reasons cite the reference.

    Judgements that show a reference and give reasons count, whatever the response.
    """
    metrics = {}
    for aux in dict.fromkeys(aux for aux, _ in table.columns):
        cites = table.values["cites"][:, [name == aux for name, _ in table.columns]]
        count = (~np.isnan(cites)).sum(axis=1)
        if count.any():
            share = np.nansum(cites, axis=1) / np.maximum(count, 1)
            metrics[f"reference_cited/{aux}"] = rate(table.sample(share, count > 0))
    return metrics


def estimate_rates(samples: Samples) -> dict[str, Estimate]:
    """Return the mean of each sample of values in [0, 1]."""
    return {name: rate(sample) for name, sample in samples.items()}


def estimate_changes(samples: Samples) -> dict[str, Estimate]:
    """Return the mean of each sample of paired differences, with Holm-adjusted p-values."""
    return holm_adjusted({name: difference(sample) for name, sample in samples.items()})


def estimate_overall_change(
    table: JudgementTable, changes: Sequence[tuple[Floats, Mask]]
) -> Estimate:
    """Return the mean of paired differences over several kinds of attacks (`average_changes`).

    The result has no p-value, because the single kinds are tested.

    Args:
        table: The table of judgements.
        changes: For each kind, the difference in each row of the table and whether it is known.
    """
    return mean_change(average_changes(table, changes))


def average_changes(
    table: JudgementTable, changes: Sequence[tuple[Floats, Mask]]
) -> WeightedSample:
    """Return the mean of each item's paired differences over several kinds of attacks.

    The differences of a row share the value that they are taken from, so they count as one value:
    their mean.

    Args:
        table: The table of judgements.
        changes: For each kind, the difference in each row of the table and whether it is known.
    """
    count = np.sum([known for _, known in changes], axis=0)
    total = np.sum([np.where(known, values, 0.0) for values, known in changes], axis=0)
    return table.sample(total / np.maximum(count, 1), count > 0)


def split_by_domain(samples: Samples, domains: Sequence[str]) -> dict[str, WeightedSample]:
    """Return each sample restricted to the items of one domain, by `<domain>/<name>`."""
    return {
        f"{domain}/{name}": replace(sample, weights=sample.weights * (sample.strata == code))
        for code, domain in enumerate(domains)
        for name, sample in samples.items()
    }
