"""The core metrics of a run and of its domains, which vary together: F1, differences, consistency.

The formulas of the class metrics take two arrays whose last axes are the gold labels (and answers)
in the order of BINARY_LABELS (paper, section 2.3): `answers[..., gold, answer]`, the number of
answers by gold label, and `support[..., gold]`, the number of questions by gold label. An unparsed
answer counts only in the support: it is a miss of its own class, and a prediction of neither.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from bias_tasks.binary_qa.items import BINARY_LABELS
from bias_tasks.binary_qa.metrics_table import MISSING, BinaryTable
from bias_tasks.statistics.cluster_bootstrap import estimate_by_draws, sum_clusters
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE

SIGNED_METRICS = frozenset({"delta_recall", "delta_precision"})
"""Core metrics from -1 to 1 that are best at 0; the others are from 0 to 1 and best at 1."""
_CLASSES = range(len(BINARY_LABELS))
_N_COUNTS = len(BINARY_LABELS) ** 2


@dataclass(frozen=True, slots=True)
class CoreMetrics:
    """Core metrics of s scopes: the whole run, and then each of its domains."""

    values: Mapping[str, Floats]
    """s numbers by name; nan if the metric is undefined."""
    draws: Mapping[str, Floats] | None
    """Simulated values, draws by s; None without intervals."""
    n_clusters: Ints
    """Number of clusters of each scope."""
    support: Floats
    """Number of answered questions by scope and gold label."""

    def estimate_class_metric(self, name: str, scope: int) -> Estimate:
        """Return `f1`, `delta_recall` or `delta_precision` of a scope; nan with n = 0 if undefined.

        Args:
            name: The metric.
            scope: 0 for the whole run, or 1 plus the position of a domain.
        """
        value, n = float(self.values[name][scope]), int(self.support[scope].sum())
        if np.isnan(value):
            return NO_ESTIMATE
        if self.draws is None or self.n_clusters[scope] < 2:
            return Estimate.without_interval(value, n)
        return estimate_by_draws(value, self.draws[name][:, scope], n)


def compute_core_metrics(
    run: BinaryTable, consistencies: Mapping[str, WeightedSample]
) -> CoreMetrics:
    """Return the core metrics of a run whose original questions were asked.

    Args:
        run: The run.
        consistencies: The consistency metrics of the run, by name.
    """
    table, names = run.outcomes, [*consistencies]
    columns, prior = _build_columns(run, list(consistencies.values())), _build_prior(len(names))
    masks = [run.domain == code for code in range(len(run.domains))]
    # A run has more clusters of each gold label than its domains have, and so surer draws.
    whole = sum_clusters(columns, table.clusters, run.gold, prior, intervals=table.intervals)
    domains = sum_clusters(
        np.hstack([columns * mask[:, None] for mask in masks]),
        table.clusters,
        run.strata,
        np.kron(np.eye(len(masks)), prior).astype(float),
        intervals=table.intervals,
    )
    shape = (-1, 1 + len(masks), columns.shape[1])
    observed = np.hstack([whole.observed, domains.observed]).reshape(shape)
    support = observed[0, :, _N_COUNTS : _N_COUNTS + len(BINARY_LABELS)]
    values = _compute_values(observed, support, names)
    draws = None
    if whole.draws is not None and domains.draws is not None:
        drawn = np.hstack([whole.draws, domains.draws]).reshape(shape)
        draws = _compute_values(drawn, support, names)
    scopes = [np.ones_like(masks[0]), *masks]
    return CoreMetrics(
        values={name: value[0] for name, value in values.items()},
        draws=draws,
        n_clusters=np.array([np.unique(table.clusters[scope]).size for scope in scopes]),
        support=support,
    )


def _build_columns(run: BinaryTable, samples: Sequence[WeightedSample]) -> Floats:
    """Return the columns of each question.

    These are its shares of epochs answered Yes and No by gold label, whether it has the gold label
    and an answer, and numerator and denominator of each consistency.
    """
    answer = run.answers_under("original")
    shares = [run.average_epochs(answer == code, answer != MISSING) for code in _CLASSES]
    has_gold = [run.gold == code for code in _CLASSES]
    columns = [has_gold[gold] * shares[code].values for gold, code in product(_CLASSES, repeat=2)]
    columns += [has_gold[gold] * shares[0].weights for gold in _CLASSES]
    for sample in samples:
        columns += [sample.values * sample.weights, sample.weights]
    return np.column_stack(columns)


def _build_prior(n_consistencies: int) -> Floats:
    """Return the columns of a right and a wrong answer of each class, and of each consistency."""
    answers = [[*np.eye(_N_COUNTS)[2 * gold + code], *np.eye(2)[gold]] for gold, code in _CELLS]
    pairs = np.kron(np.eye(n_consistencies), [[0.0, 1.0], [1.0, 1.0]])
    prior = np.zeros((len(answers) + len(pairs), len(answers[0]) + pairs.shape[1]))
    prior[: len(answers), : len(answers[0])] = answers
    prior[len(answers) :, len(answers[0]) :] = pairs
    return prior


_CELLS = tuple(product(_CLASSES, repeat=2))


def _compute_values(
    sums: Floats, support: Floats, consistencies: Sequence[str]
) -> dict[str, Floats]:
    """Return each core metric of sums, rows by scopes.

    Args:
        sums: Rows by scopes by columns of `_build_columns`.
        support: The number of questions by scope and gold label, which the design fixes.
        consistencies: Names of the consistency metrics.
    """
    n_classes = len(BINARY_LABELS)
    counts, drawn, ratios = np.split(sums, [_N_COUNTS, _N_COUNTS + n_classes], axis=-1)
    recalls = divide(counts.reshape(*counts.shape[:2], n_classes, n_classes), drawn[..., None])
    answers = np.nan_to_num(recalls) * support[..., None]
    values = {name: compute(answers, support) for name, compute in CLASS_METRICS.items()}
    for position, name in enumerate(consistencies):
        values[name] = divide(ratios[..., 2 * position], ratios[..., 2 * position + 1])
    return values


def weighted_f1(answers: Floats, support: Floats) -> Floats:
    """Return the mean F1 of the classes, weighted by their support; nan without support.

    The F1 of a class is 2 tp / (support + predictions): 0 for a class that is never predicted.
    """
    by_class = divide(2 * _diagonal(answers), support + answers.sum(axis=-2), 0.0)
    return divide((support * by_class).sum(axis=-1), support.sum(axis=-1))


def delta_recall(answers: Floats, support: Floats) -> Floats:
    """Return recall(No) - recall(Yes); nan if a class has no support."""
    recall = divide(_diagonal(answers), support)
    return recall[..., 1] - recall[..., 0]


def delta_precision(answers: Floats, support: Floats) -> Floats:
    """Return precision(No) - precision(Yes); nan if a class is never predicted."""
    precision = divide(_diagonal(answers), answers.sum(axis=-2))
    return precision[..., 1] - precision[..., 0]


CLASS_METRICS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "f1": weighted_f1,
    "delta_recall": delta_recall,
    "delta_precision": delta_precision,
}
"""Formulas of the class metrics, from answers and support."""


def _diagonal(answers: Floats) -> Floats:
    return np.diagonal(answers, axis1=-2, axis2=-1)


def divide(top: Floats, bottom: Floats, empty: float = np.nan) -> Floats:
    """Return ratios, with a number in the place of those whose denominator is 0."""
    out = np.full(np.broadcast_shapes(top.shape, bottom.shape), empty)
    ratios: Floats = np.divide(top, bottom, out=out, where=bottom != 0)
    return ratios
