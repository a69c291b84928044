"""How precise a weighted mean over items is, given how the items were sampled.

Every metric is a mean `sum(weight * value) / sum(weight)`: a rate, a ratio (the weights are its
denominator) or a paired difference. Its *effective size* is the number of independent items with
values 0 and 1 (or -1, 0 and 1) that are as precise (Korn and Graubard 1998). It depends on:

- *Strata*: the number of items of each gold label is fixed by design, so only the spread within a
  label counts.
- *Clusters*: items of one cluster (a passage, a set of facts) need not be independent. Their
  variance is the cluster-robust one that is unbiased for independent items, with the degrees of
  freedom of Bell and McCaffrey (2002). The ratio of t quantiles corrects for few clusters.
- *Epochs*: the mean of several answers varies less than one answer does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from bias_tasks.statistics.estimate import QUANTILE

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class WeightedSample:
    """Values of n items with their design, as arrays of length n."""

    values: Floats
    """In [0, 1], or in [-1, 1] for a paired difference."""
    clusters: Ints
    strata: Ints
    weights: Floats
    """At least 0; items of weight 0 are not in the denominator."""
    intervals: bool = True
    """Whether intervals are computed. They take several times as long as values."""

    def used(self) -> "WeightedSample":
        """Return the items in the denominator."""
        kept = self.weights > 0
        return self if kept.all() else self.taken(kept)

    def taken(self, rows: NDArray[np.bool_]) -> "WeightedSample":
        """Return the items of these rows."""
        names = ("values", "clusters", "strata", "weights")
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    def mean(self) -> float:
        """Return the weighted mean. There must be items in the denominator."""
        return float((self.weights * self.values).sum() / self.weights.sum())


def pool(samples: Sequence[WeightedSample]) -> WeightedSample:
    """Return several samples as one. Rows of one item count as rows of one cluster."""

    def join(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(sample, name) for sample in samples])

    return WeightedSample(
        values=join("values"),
        clusters=join("clusters"),
        strata=join("strata"),
        weights=join("weights"),
        intervals=samples[0].intervals,
    )


def effective_size(sample: WeightedSample, signed: bool = False) -> float:
    """Return the effective size of a sample; nan for a single cluster.

    Args:
        sample: At least one item, and none of weight 0.
        signed: Whether values are paired differences in [-1, 1].
    """
    return independent_size(sample, signed) * design_factor(sample)


def independent_size(sample: WeightedSample, signed: bool = False) -> float:
    """Return the effective size if items are independent and answered once.

    Args:
        sample: As in `effective_size`.
        signed: As in `effective_size`.
    """
    strata, weights = _codes(sample.strata), sample.weights / sample.weights.sum()
    total, square = np.bincount(strata, weights), np.bincount(strata, weights**2)
    up = np.bincount(strata, weights * np.maximum(sample.values, 0)) / total
    down = np.bincount(strata, weights * np.maximum(-sample.values, 0)) / total
    # Half an item of each kind in every stratum, so that no stratum counts as known exactly.
    items = total**2 / square
    up = (up * items + 0.5) / (items + 1 + signed)
    down = (down * items + 0.5) / (items + 1 + signed) if signed else down
    # What remains of the bias (m - 1) / m of a variance about a mean of m items.
    within = float(square @ (_variance(up, down) * (items + 2) / (items + 1)))
    everything = 1 / square.sum()
    pooled = _variance(total @ up, total @ down) * (everything + 2) / (everything + 1)
    return float(pooled) / within


def design_factor(sample: WeightedSample) -> float:
    """Return the factor of clusters and epochs in the effective size; nan for a single cluster.

    Args:
        sample: As in `effective_size`.
    """
    clusters = _codes(sample.clusters)
    count = int(clusters.max()) + 1
    if count == 1:
        return float("nan")
    strata = _codes(sample.strata)
    gain = _epoch_gain(sample, strata)
    if count == sample.values.size and gain == 1:
        return 1.0
    effect, df = _design_effect(sample, strata, clusters)
    # The variance of 0/1 values follows from their mean: only what clusters add is estimated.
    known_df = np.inf if gain > 1 else max(sample.values.size - int(strata.max()) - 1, 1)
    return gain / effect * float(stdtrit(known_df, QUANTILE) / stdtrit(df, QUANTILE)) ** 2


def _variance(up: Floats, down: Floats) -> Floats:
    """Return the variance of values that are 1 and -1 with these probabilities, otherwise 0."""
    return up + down - (up - down) ** 2


def _codes(labels: Ints) -> Ints:
    """Return labels, which are not negative, renumbered without gaps."""
    return (np.cumsum(np.bincount(labels) > 0) - 1)[labels]


def _stratum_means(sample: WeightedSample, strata: Ints) -> Floats:
    return np.bincount(strata, sample.weights * sample.values) / np.bincount(strata, sample.weights)


def _epoch_gain(sample: WeightedSample, strata: Ints) -> float:
    """Return the ratio of the variance of values 0 and 1 with the same means to the actual one."""
    means, squares = _stratum_means(sample, strata), sample.weights**2
    actual = float((squares * (sample.values - means[strata]) ** 2).sum())
    single = float((squares * (np.abs(sample.values) - means[strata] ** 2)).sum())
    # Equal values leave a rounding error, not a variance.
    known = actual > single * 1e-12
    return single / actual if known and single > actual * (1 + 1e-9) else 1.0


def _design_effect(sample: WeightedSample, strata: Ints, clusters: Ints) -> tuple[float, float]:
    """Return the variance relative to that of independent items, and its degrees of freedom."""
    deviations = sample.weights * (sample.values - _stratum_means(sample, strata)[strata])
    scale, df = _cluster_corrections(sample, strata, clusters)
    clustered = float((scale * np.bincount(clusters, deviations) ** 2).sum())
    items = np.bincount(strata)
    correction = items / np.maximum(items - 1, 1)
    independent = float((correction[strata] * deviations**2).sum())
    # Equal values and cluster sums that cancel leave rounding errors, not a variance.
    rounding = 1e-24 * float((sample.weights**2).sum())
    if independent > rounding and clustered > independent * 1e-12:
        return clustered / independent, df
    # All answers are the same. The correlation within clusters is unknown: assume it is 1.
    sizes = np.bincount(clusters)
    return float((sizes**2).sum() / sizes.sum()), df


def _cluster_corrections(
    sample: WeightedSample, strata: Ints, clusters: Ints
) -> tuple[Floats, float]:
    """Return for each cluster the factor that makes its squared sum unbiased; degrees of freedom.

    Deviations are from stratum means, so the sums of clusters k and l have the covariance
    `weight_k [k = l] - sum_h share_kh share_lh` if items are independent with equal variance.
    """
    kinds, count = int(strata.max()) + 1, int(clusters.max()) + 1
    cells = np.bincount(clusters * kinds + strata, sample.weights**2, count * kinds)
    squares = cells.reshape(count, kinds)
    share = squares / np.sqrt(squares.sum(axis=0))
    weight, lost = squares.sum(axis=1), (share**2).sum(axis=1)
    # A cluster that is all of its strata has no deviation, and no information.
    deviates = weight - lost > weight * 1e-9
    scale = np.divide(weight, weight - lost, out=np.zeros(count), where=deviates)
    inner = share.T @ (scale[:, None] * share)
    between = float((inner**2).sum() - ((scale * lost) ** 2).sum())
    trace = float(weight[deviates].sum())
    squared = float((weight[deviates] ** 2).sum()) + between
    return scale, max(trace**2 / squared, 1.0) if squared > 0 else 1.0
