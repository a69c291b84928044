"""95 % intervals of weighted means over items that come in clusters and strata.

Every figure is a mean `sum(weight * value)` of values in [-1, 1] with weights that sum to 1: a rate
(values in [0, 1]), a ratio (the weights are its denominator) or a paired difference (values -1 to
1). Three things set its precision:

- *Strata*: how many items there are of each gold label is designed, not drawn, so what varies is
  the spread within a label.
- *Clusters*: items of one cluster (a passage, a set of facts) need not be independent. The
  variance is the cluster-robust one, unbiased for independent items (CR2), with Bell and
  McCaffrey's degrees of freedom (Bell and McCaffrey 2002; Imbens and Kolesar 2016).
- *Values*: the variance of a 0/1 value follows from its mean; means over several epochs vary less.

They are summed up in one number, the effective number of independent items, as Korn and Graubard
(1998) do for surveys. A rate then gets Wilson's interval at that number, a paired difference
Tango's: score intervals, which stay in range and keep a width when every answer is the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr, stdtrit

from bias_tasks.metrics.types import Estimate

LEVEL = 0.95
_Z = float(ndtri(0.5 + LEVEL / 2))

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOTHING = Estimate(float("nan"), float("nan"), float("nan"), 0)
"""What there is to say when no item is in the denominator."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Values of n items with their design: four arrays of length n."""

    values: Floats
    clusters: Ints
    strata: Ints
    weights: Floats
    """Not negative, with a positive sum; scaled to sum 1 where it matters."""


def rate(sample: Sample) -> Estimate:
    """A mean of values in [0, 1] with Wilson's interval; nan bounds for a single cluster."""
    used = used_items(sample)
    if not used.values.size:
        return NOTHING
    value = float(used.weights @ used.values)
    size = effective_size(used)
    low, high = wilson(value, size)
    return Estimate(value, low, high, used.values.size)


def difference(sample: Sample) -> Estimate:
    """A mean of paired differences in [-1, 1], with the p-value of no difference."""
    used = used_items(sample)
    if not used.values.size:
        return NOTHING
    value = float(used.weights @ used.values)
    size = effective_size(used)
    gained = float(used.weights @ np.maximum(used.values, 0))
    low, high, p = agresti_min(gained, gained - value, size)
    return Estimate(value, low, high, used.values.size, p)


def wilson(value: float, size: float) -> tuple[float, float]:
    """Wilson's score interval of the rate `value` seen in `size` independent trials."""
    if math.isnan(size):
        return float("nan"), float("nan")
    centre = (value + _Z**2 / (2 * size)) / (1 + _Z**2 / size)
    half = _Z / (1 + _Z**2 / size) * math.sqrt(value * (1 - value) / size + (_Z / (2 * size)) ** 2)
    return min(max(centre - half, 0.0), value), max(min(centre + half, 1.0), value)


def agresti_min(gained: float, lost: float, size: float) -> tuple[float, float, float]:
    """Interval and p-value of gained - lost, two shares of `size` independent pairs."""
    if math.isnan(size):
        return float("nan"), float("nan"), float("nan")
    total = size + 2
    centre = (gained - lost) * size / total
    spread = math.sqrt(((gained + lost) * size + 1) / total - centre**2) / math.sqrt(total)
    p = 2 * float(stdtr(1e9, -abs(centre) / spread))
    value = gained - lost
    low, high = centre - _Z * spread, centre + _Z * spread
    return min(max(low, -1.0), value), max(min(high, 1.0), value), p


def effective_size(sample: Sample) -> float:
    """How many independent 0/1 items would be as precise; nan for a single cluster."""
    return independent_size(sample) * design_factor(sample)


def independent_size(sample: Sample) -> float:
    """The effective size, were the items independent and their values 0 or 1."""
    strata = _codes(sample.strata)
    total, square = np.bincount(strata, sample.weights), np.bincount(strata, sample.weights**2)
    up = np.bincount(strata, sample.weights * np.maximum(sample.values, 0)) / total
    down = np.bincount(strata, sample.weights * np.maximum(-sample.values, 0)) / total
    # Half an item of each kind in every stratum, so that no stratum counts as known exactly.
    items = total**2 / square
    signed = bool(np.any(sample.values < 0))
    up = (up * items + 0.5) / (items + 1 + signed)
    down = (down * items + 0.5) / (items + 1 + signed) if signed else down
    pooled_up, pooled_down = float(total @ up), float(total @ down)
    pooled = pooled_up + pooled_down - (pooled_up - pooled_down) ** 2
    return pooled / float(square @ (up + down - (up - down) ** 2))


def design_factor(sample: Sample) -> float:
    """What clusters, epochs and few degrees of freedom multiply the effective size by."""
    clusters = _codes(sample.clusters)
    count = int(clusters.max()) + 1
    if count == 1:
        return float("nan")
    strata = _codes(sample.strata)
    gain = _epoch_gain(sample, strata)
    if count == sample.values.size and gain == 1:
        return 1.0
    deff, df = _design_effect(sample, strata, clusters)
    items_df = max(sample.values.size - int(strata.max()) - 1, 1)
    quantile = _Z if gain > 1 else stdtrit(items_df, 0.5 + LEVEL / 2)
    return gain / deff * float(quantile / stdtrit(df, 0.5 + LEVEL / 2)) ** 2


def _codes(labels: Ints) -> Ints:
    return np.unique(labels, return_inverse=True)[1]


def used_items(sample: Sample) -> Sample:
    """The items that weigh something, their weights scaled to sum 1."""
    used = sample.weights > 0
    weights = sample.weights[used]
    return Sample(
        sample.values[used],
        sample.clusters[used],
        sample.strata[used],
        weights / weights.sum() if weights.size else weights,
    )


def _epoch_gain(sample: Sample, strata: Ints) -> float:
    """How much less the values vary than 0/1 values of the same means would."""
    total = np.bincount(strata, sample.weights)
    mean = np.bincount(strata, sample.weights * sample.values) / total
    squares = sample.weights**2
    residuals = sample.values - mean[strata]
    actual = float(squares @ residuals**2)
    size = np.bincount(strata, sample.weights * np.abs(sample.values)) / total
    unit = float(np.bincount(strata, squares) @ (size - mean**2))
    return unit / actual if actual > 0 and unit > actual * (1 + 1e-9) else 1.0


def _design_effect(sample: Sample, strata: Ints, clusters: Ints) -> tuple[float, float]:
    """Variance against that of independent items (1 at least), and its degrees of freedom."""
    kinds, count = int(strata.max()) + 1, int(clusters.max()) + 1
    cell = clusters * kinds + strata
    q = np.bincount(cell, sample.weights**2, count * kinds).reshape(count, kinds)
    total = np.bincount(strata, sample.weights)
    mean = np.bincount(strata, sample.weights * sample.values) / total
    deviations = sample.weights * (sample.values - mean[strata])
    sums = np.bincount(clusters, deviations, count)
    share = q / np.sqrt(q.sum(0))
    expected = q.sum(1)
    free = expected - (share**2).sum(1)
    told = free > expected * 1e-9
    scale = np.zeros(count)
    scale[told] = expected[told] / free[told]
    inner = share.T @ (scale[:, None] * share)
    off_diagonal = float((inner * inner.T).sum() - (scale**2 * (share**2).sum(1) ** 2).sum())
    spread = float((expected[told] ** 2).sum()) + off_diagonal
    df = max(float(expected[told].sum()) ** 2 / spread, 1.0) if spread > 0 else 1.0
    items = np.bincount(strata)
    correction = np.where(items > 1, items / np.maximum(items - 1, 1), 0.0)
    independent = float((deviations**2 * correction[strata]).sum())
    if independent <= 0:
        sizes = np.bincount(clusters)
        return float((sizes**2).sum() / sizes.sum()), df
    return max(float((scale * sums**2).sum()) / independent, 1.0), df
