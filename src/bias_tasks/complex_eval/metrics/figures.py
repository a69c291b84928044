"""What both judges' tasks share: who wins by the scores (section 4.3), and many estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bias_tasks.complex_eval.metrics.table import Table
from bias_tasks.statistics.columns import Mask
from bias_tasks.statistics.effective_size import Floats, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.intervals import difference, rate

SLACK = 1e-9
"""Scores are means over criteria: a difference this close to a threshold lies exactly on it."""


def verdicts(chosen: Floats, rejected: Floats, theta: float) -> Floats:
    """J: 1 where the preferred response scores higher, 0 where lower, 0.5 for a tie.

    Differences of up to and including `theta` are ties; nan where a score is.
    """
    ahead = chosen - rejected
    return np.select(
        [np.isnan(ahead), ahead > theta + SLACK, ahead < -theta - SLACK], [np.nan, 1.0, 0.0], 0.5
    )


def rises(before: Floats, after: Floats, beta: float) -> Floats:
    """1 where the score rises by `beta` or more, else 0; 0 too where a score is nan."""
    return (after - before >= beta - SLACK).astype(float)


Samples = Mapping[str, WeightedSample]


def rates(samples: Samples) -> dict[str, Estimate]:
    """The mean of each sample of values in [0, 1]."""
    return {name: rate(sample) for name, sample in samples.items()}


def changes(samples: Samples) -> dict[str, Estimate]:
    """The mean of each sample of paired differences; p-values are Holm-adjusted across all."""
    return holm_adjusted({name: difference(sample) for name, sample in samples.items()})


def overall(run: Table, changes: Sequence[tuple[Floats, Mask]]) -> Estimate:
    """The mean of paired differences over all kinds; nan where there is none.

    A row's differences share what they are taken from, so that they count as one value: their mean.
    They have no p-value, which those of the kinds have.

    Args:
        changes: of each kind a difference and whether it is known, for each row of the table.
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
