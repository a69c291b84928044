"""Differences between the metrics of two runs over the same items, whatever the metrics are.

MOVER computes the interval of a difference from the intervals of both metrics and the correlation
of their errors. The correlation is estimated from the metrics of groups of clusters, so that no
metric needs a formula of its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri, stdtrit

from bias_tasks.statistics.effective_size import Floats, Ints
from bias_tasks.statistics.estimate import QUANTILE, Estimate, Z, standard_error
from bias_tasks.statistics.mover import CI, interval_p_value, mover_between_runs

DETECTABLE_ERRORS = Z + float(ndtri(0.8))
"""Standard errors of the difference that is detected in 80 % of data sets: 2.80."""
_MAX_GROUPS, _MIN_GROUPS, _SEPARATE_GROUPS = 40, 20, 25
_LARGE_RUN = 8000
"""Answers from which on metrics are those of each group, if each has `_MIN_GROUP_CLUSTERS`."""
_MIN_GROUP_CLUSTERS = 30
_MIN_DF = 8
"""Degrees of freedom below which a correlation is not trusted."""


class Replicated(NamedTuple):
    """The metrics of a run, and their values for each group of clusters."""

    metrics: Mapping[str, Estimate]
    values: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class PairedMetric:
    """One metric of two runs."""

    first: Estimate
    second: Estimate
    difference: Estimate
    """Second minus first. Its p-value is not adjusted."""
    correlation: float
    """Correlation of the errors of both, from -1 to 1."""

    @property
    def mde(self) -> float:
        """Minimum detectable effect: the difference detected in 80 % of data sets like these."""
        return DETECTABLE_ERRORS * standard_error(self.difference)


def paired_metrics(
    first: Replicated, second: Replicated, groups: ClusterGroups
) -> dict[str, PairedMetric]:
    """Return the metrics that both runs have.

    Args:
        first: The first run.
        second: The second run.
        groups: The groups of clusters of the values.
    """
    pairs = {}
    for name in first.metrics:
        if name not in second.metrics:
            continue
        related = UNKNOWN
        if name in first.values and name in second.values:
            related = correlation(first.values[name], second.values[name], groups)
        pairs[name] = _pair_estimates(first.metrics[name], second.metrics[name], related)
    return pairs


def _pair_estimates(first: Estimate, second: Estimate, related: Correlation) -> PairedMetric:
    value, n = second.value - first.value, min(first.n, second.n)
    # As if two of the n items had been answered independently: a few items with the same answers do
    # not show that all would have them.
    shrinkage = max(1 - 2 / n, 0.0) if n else 0.0
    related = Correlation(related.value * shrinkage, related.df)
    second_bounds, first_bounds = _bounds(second), _bounds(first)
    low, high = mover_between_runs(second_bounds, first_bounds, related.value)
    # Without any spread in both runs, as in a few equal scores, nothing shows the size of errors.
    if math.isnan(low) or math.isnan(high) or low == high:
        difference = Estimate.without_interval(value, n, math.nan)
        return PairedMetric(first, second, difference, related.value)
    centre = second_bounds[1] - first_bounds[1]
    # An estimated correlation widens the interval by the ratio of t and normal quantiles.
    wider = 1.0 if math.isinf(related.df) else float(stdtrit(related.df, QUANTILE)) / Z
    low, high = centre - wider * (centre - low), centre + wider * (high - centre)
    p = interval_p_value(centre, low, high)
    difference = Estimate(value, min(low, value), max(high, value), n, p)
    return PairedMetric(first, second, difference, related.value)


def _bounds(estimate: Estimate) -> CI:
    """Return lower bound, value and upper bound, with the value between the bounds.

    The value of a size can be above both, because noise makes it larger than the true one.
    """
    value = min(max(estimate.value, estimate.ci_low), estimate.ci_high)
    return estimate.ci_low, value, estimate.ci_high


@dataclass(frozen=True, slots=True)
class ClusterGroups:
    """The clusters of a run in groups."""

    by_cluster: Mapping[str, int]
    """The group of each cluster."""
    count: int
    """Number of groups."""
    separate: bool
    """Whether metrics are those of each group, instead of those of all other groups."""
    kinds: Floats
    """Number of answers of each kind in a group, `count` by the number of kinds. Their differences
    are by design and not an error."""


def group_clusters(clusters: Sequence[str], kinds: Sequence[str]) -> ClusterGroups:
    """Return groups with nearly the same number of clusters, and of clusters of each kind.

    Args:
        clusters: The cluster of each answer.
        kinds: The kind of each answer: what the design fixes the numbers of, such as the correct
            answer. Too many kinds are ignored.
    """
    kinds_by_cluster: dict[str, Counter[str]] = {}
    for cluster, kind in zip(clusters, kinds, strict=True):
        kinds_by_cluster.setdefault(cluster, Counter())[kind] += 1
    names = list(kinds_by_cluster)
    shuffled = [names[index] for index in np.random.default_rng(0).permutation(len(names))]
    ordered = sorted(shuffled, key=lambda name: sorted(kinds_by_cluster[name]))
    is_large = len(clusters) > _LARGE_RUN
    separate = is_large and len(names) >= _MIN_GROUP_CLUSTERS * _SEPARATE_GROUPS
    affordable = 20 * _LARGE_RUN // max(len(clusters), 1)
    wanted = _SEPARATE_GROUPS if separate else min(max(affordable, _MIN_GROUPS), _MAX_GROUPS)
    count = min(wanted, len(names))
    by_cluster = {name: index % count for index, name in enumerate(ordered)}
    known_kinds = sorted(set(kinds))
    if len(known_kinds) > count // 4:
        return ClusterGroups(by_cluster, count, separate, np.zeros((count, 0)))
    counts = np.zeros((count, len(known_kinds)))
    for cluster, kind in zip(clusters, kinds, strict=True):
        counts[by_cluster[cluster], known_kinds.index(kind)] += 1
    return ClusterGroups(by_cluster, count, separate, counts)


def replicates(
    compute_metrics: Callable[[Ints], Mapping[str, Estimate]],
    clusters: Sequence[str],
    groups: ClusterGroups,
) -> dict[str, Floats]:
    """Return the values of each metric by group, nan if a group does not have the metric.

    Args:
        compute_metrics: Returns the metrics of answers by their indices in `clusters`. It needs no
            intervals.
        clusters: The cluster of each answer.
        groups: The groups.
    """
    group = np.array([groups.by_cluster[cluster] for cluster in clusters])
    values: dict[str, Floats] = {}
    for number in range(groups.count):
        rows = np.flatnonzero((group == number) == groups.separate)
        if not rows.size:
            continue
        for name, metric in compute_metrics(rows).items():
            values.setdefault(name, np.full(groups.count, math.nan))[number] = metric.value
    return values


class Correlation(NamedTuple):
    """The correlation of the errors of two metrics, and the precision of its estimate."""

    value: float
    """From -1 to 1; 0 if it is not known."""
    df: float
    """Degrees of freedom of the difference's variance; infinite if nothing is estimated."""


UNKNOWN = Correlation(0.0, math.inf)
"""Items that are hard for both runs make the correlation positive, so 0 gives wider intervals."""


def correlation(first: Floats, second: Floats, groups: ClusterGroups) -> Correlation:
    """Return the correlation of the errors of two metrics, from their replicates.

    Args:
        first: Values of the first run by group.
        second: Values of the second run by group.
        groups: The groups.
    """
    known = np.isfinite(first) & np.isfinite(second)
    design = np.column_stack([np.ones(int(known.sum())), groups.kinds[known]])
    rank = int(np.linalg.matrix_rank(design)) if known.any() else 0
    df = int(known.sum()) - rank
    if df < _MIN_DF:
        return UNKNOWN
    values = np.column_stack([first[known], second[known]])
    residuals = values - design @ np.linalg.lstsq(design, values, rcond=None)[0]
    spread = np.sqrt((residuals**2).sum(axis=0))
    if (spread <= 1e-9 * np.maximum(np.abs(values).max(axis=0), 1e-9)).any():
        return UNKNOWN
    product = residuals[:, 0] @ residuals[:, 1]
    related = float(np.clip(product / (spread[0] * spread[1]), -1.0, 1.0))
    # The standard error of r is (1 - r^2) / sqrt(df), and the variance is proportional to 1 - r.
    return Correlation(related, 2 * df / (1 + related) ** 2 if related > -1 else math.inf)
