"""Figures made of those of the domains: deviations, averages, and the Model Binary Score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from bias_tasks.binary_qa.metrics.average import averages
from bias_tasks.binary_qa.metrics.errors import sampling_errors
from bias_tasks.binary_qa.metrics.score import CORE, mbs
from bias_tasks.binary_qa.metrics.score_interval import score_estimate
from bias_tasks.binary_qa.metrics.table import Table
from bias_tasks.names import PaperProtocol
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate, standard_error
from bias_tasks.statistics.intervals import NOTHING, limits_wanted
from bias_tasks.statistics.magnitude import Magnitude, magnitude

Card = Mapping[str, Estimate]

_BELOW, _ABOVE = 0.03, 0.02
"""How often a standard deviation may be below its interval, and above it: where it is 0 only the
first can happen."""


def composites(
    run: Table,
    parts: Sequence[Table],
    card: Card,
    cards: Sequence[Card],
    protocol: PaperProtocol,
    weights: Mapping[str, float],
) -> dict[str, Estimate]:
    """`std/<metric>` and `average/<metric>` of every core metric that was run, and `mbs`.

    Over one domain there is neither an average nor `mbs`, which is there only where all that it
    weighs was run.

    `parts` and `cards` are the questions of each domain and their figures.
    """
    found = {f"std/{name}": NOTHING for name in CORE if name in card}
    if len(parts) > 1 and all(name in card for name in weights):
        found["mbs"] = NOTHING
    defined = [name for name in CORE if all(part.get(name, NOTHING).n for part in cards)]
    found |= averages(run, cards, {}, protocol)
    if len(parts) < 2 or not defined:
        return found
    found |= _values(card, cards, defined, weights)
    if not limits_wanted() or any(np.unique(part.cluster).size < 2 for part in parts):
        return found
    widths = np.array([[_least_error(name, part[name]) for name in defined] for part in cards])
    errors = sampling_errors(run, parts, defined, widths, protocol)
    within = {name: errors.domain[:, :, place] for place, name in enumerate(defined)}
    found |= averages(run, cards, within, protocol)
    spreads = {
        name: spread([part[name].value for part in cards], drawn) for name, drawn in within.items()
    }
    for name, deviation in spreads.items():
        found[f"std/{name}"] = _bounded(found[f"std/{name}"], deviation)
    if set(weights) <= set(defined):
        columns = dict(zip(defined, errors.run.T, strict=True))
        found["mbs"] = score_estimate(found["mbs"], card, spreads, columns, weights)
    return found


def spread(values: Sequence[float], errors: Floats) -> Magnitude:
    """The population standard deviation of a figure's values in k domains (errors: draws by k)."""
    deviations = np.array(values) - np.mean(values)
    return magnitude(deviations, errors - errors.mean(axis=1, keepdims=True))


def _values(
    card: Card, cards: Sequence[Card], defined: Sequence[str], weights: Mapping[str, float]
) -> dict[str, Estimate]:
    """The figures without bounds."""
    std = {name: float(np.std([part[name].value for part in cards])) for name in defined}
    found = {f"std/{name}": _unbounded(value, card[name].n) for name, value in std.items()}
    if set(weights) <= set(defined):
        value = mbs({name: card[name].value for name in weights}, std, weights)
        found["mbs"] = _unbounded(value, min(card[name].n for name in weights))
    return found


def _unbounded(value: float, n: int) -> Estimate:
    return Estimate(value, math.nan, math.nan, n)


def _bounded(figure: Estimate, deviation: Magnitude) -> Estimate:
    low, high = deviation.limits(_BELOW, _ABOVE)
    return Estimate(figure.value, min(low, figure.value), max(high, figure.value), figure.n)


def _least_error(name: str, figure: Estimate) -> float:
    """Precision is far from linear where an answer is rare: its interval says more there."""
    if name != "delta_precision":
        return 0.0
    return standard_error(figure)
