"""What a model does over the domains on average, each domain counting alike (tables 3 to 6).

With domains of one size the mean of a consistency is the share over all questions; F1 and the
precisions are no means, and the domains of a file, or a chosen few, may differ in size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bias_tasks.binary_qa.metrics.consistency import COMPARED, consistency
from bias_tasks.binary_qa.metrics.score import CORE, SIGNED
from bias_tasks.binary_qa.metrics.table import Table
from bias_tasks.names import PaperProtocol
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import NOTHING, rate
from bias_tasks.statistics.level import QUANTILE

Card = Mapping[str, Estimate]


def averages(
    run: Table, cards: Sequence[Card], errors: Mapping[str, Floats], protocol: PaperProtocol
) -> dict[str, Estimate]:
    """`average/<metric>` of every core metric that was run; none with fewer than two domains.

    A metric that a domain does not define has no average.

    Args:
        run: the questions of all domains.
        cards: the figures of each domain.
        errors: simulated errors of f1 and the deltas, draws by domains, as far as they are known;
            without them an average has nan bounds.
        protocol: as `binary_scorecard` takes it.
    """
    if len(cards) < 2:
        return {}
    found = {}
    for name in CORE:
        if all(name in card for card in cards):
            parts = [card[name] for card in cards]
            average = NOTHING
            if all(part.n for part in parts) and name in COMPARED:
                average = _of_shares(run, name, protocol)
            elif all(part.n for part in parts):
                average = _of_figures(name, parts, errors.get(name))
            found[f"average/{name}"] = average
    return found


def _of_shares(run: Table, name: str, protocol: PaperProtocol) -> Estimate:
    """A share in which the questions of each domain have the same weight together."""
    sample = run.sample(consistency(run, name, protocol))
    sizes = np.bincount(run.domain, sample.weights)
    return rate(replace(sample, weights=sample.weights / sizes[run.domain]))


def _of_figures(name: str, parts: Sequence[Estimate], errors: Floats | None) -> Estimate:
    """A mean with the quantiles of its simulated errors."""
    value = float(np.mean([part.value for part in parts]))
    n = sum(part.n for part in parts)
    if errors is None:
        return Estimate(value, math.nan, math.nan, n)
    low, high = value - np.quantile(errors.mean(axis=1), [QUANTILE, 1 - QUANTILE])
    least = -1.0 if name in SIGNED else 0.0
    return Estimate(value, min(max(float(low), least), value), max(min(float(high), 1.0), value), n)
