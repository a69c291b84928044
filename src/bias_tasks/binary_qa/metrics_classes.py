"""F1 and the differences between the classes on the original questions, with their intervals.

The formulas take two arrays whose last axes are the gold labels (and answers) in the order of
BINARY_LABELS (paper, section 2.3): `answers[..., gold, answer]`, the number of answers by gold
label, and `support[..., gold]`, the number of questions by gold label. An unparsed answer counts
only in the support: it is a miss of its own class, and a prediction of neither.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bias_tasks.binary_qa.items import BINARY_LABELS
from bias_tasks.binary_qa.metrics_table import MISSING, BinaryTable
from bias_tasks.statistics.effective_size import Floats, design_factor, independent_size
from bias_tasks.statistics.estimate import QUANTILE, Estimate
from bias_tasks.statistics.mover import mover
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, intervals_enabled, wilson

DRAWS = 4000
SEED = 20251227
_CLASSES = range(len(BINARY_LABELS))


def compute_class_metrics(table: BinaryTable) -> dict[str, Estimate]:
    """Return `f1`, `delta_recall` and `delta_precision`; nan with n = 0 if one is undefined."""
    _, counts, support = count_answers(table)
    metrics = {}
    for name, compute in CLASS_METRICS.items():
        value = float(compute(counts, support))
        if math.isnan(value):
            metrics[name] = NO_ESTIMATE
            continue
        low = high = math.nan
        if intervals_enabled():
            sizes = _compute_effective_sizes(table, compute_gradient(name, counts, support))
            if name == "delta_recall":
                low, high = _newcombe_interval(counts, support, sizes)
            else:
                low, high = _simulate_interval(name, counts, support, sizes)
        n = int(support.sum())
        metrics[name] = Estimate(value, min(low, value), max(high, value), n)
    return metrics


def count_answers(table: BinaryTable) -> tuple[Floats, Floats, Floats]:
    """Return each question's shares of epochs answered Yes and No, and `answers` and `support`."""
    answer = table.answers_under("original")
    samples = [table.average_epochs(answer == code, answer != MISSING) for code in _CLASSES]
    shares = np.column_stack([sample.values for sample in samples])
    has_gold = [table.gold == code for code in _CLASSES]
    counts = np.array([shares[mask].sum(axis=0) for mask in has_gold])
    return shares, counts, np.array([samples[0].weights[mask].sum() for mask in has_gold])


def compute_gradient(name: str, counts: Floats, support: Floats) -> Floats:
    """Return the derivative of a class metric with respect to each count (complex-step method)."""
    step = 1e-20
    moved = counts + 1j * step * np.eye(counts.size).reshape(-1, *counts.shape)
    return CLASS_METRICS[name](moved, support).imag.reshape(counts.shape) / step


def _compute_effective_sizes(table: BinaryTable, gradient: Floats) -> Floats:
    """Return effective numbers of Yes and No questions, by how much a metric depends on each."""
    answer = table.answers_under("original")
    is_correct = answer == table.correct_answers("original")
    sample = table.average_epochs(is_correct, answer != MISSING)
    # How much the metric gains if a question of each class is answered correctly, not wrongly.
    gain = np.diagonal(gradient) - np.diagonal(np.fliplr(gradient))
    influence = gain[table.gold]
    if not (influence * sample.weights).any():
        influence = np.ones_like(influence)
    joint = replace(
        sample,
        values=sample.values * np.sign(influence),
        weights=sample.weights * np.abs(influence),
    )
    by_class = [sample.taken((sample.weights > 0) & (table.gold == code)) for code in _CLASSES]
    sizes = [independent_size(part) if part.values.size else 0.0 for part in by_class]
    return np.array(sizes) * design_factor(joint.used())


def _newcombe_interval(counts: Floats, support: Floats, sizes: Floats) -> tuple[float, float]:
    """Return Newcombe's (1998) interval of a difference of rates, from Wilson's of both rates."""
    rates = (np.diagonal(counts) / support).tolist()
    bounds = (wilson(rate, float(size)) for rate, size in zip(rates, sizes, strict=True))
    yes, no = ((low, rate, high) for rate, (low, high) in zip(rates, bounds, strict=True))
    return mover(no, yes, related=0.0)


def _simulate_interval(
    name: str, counts: Floats, support: Floats, sizes: Floats
) -> tuple[float, float]:
    """Return quantiles of a class metric over distributions that could have given the counts.

    The answers of each class are sampled from a Dirichlet distribution around its counts at their
    effective size, plus half a correct and half an incorrect answer (Jeffreys). For a single rate
    this interval is close to Wilson's; it also holds where the metric is far from linear.
    """
    if np.isnan(sizes).any():
        return math.nan, math.nan
    rng = np.random.default_rng(SEED)
    samples = []
    for code in _CLASSES:
        parsed = counts[code] / max(support[code], 1)
        alpha = sizes[code] * np.append(parsed, max(1 - parsed.sum(), 0.0)) + 0.25
        alpha[code] += 0.25
        samples.append(rng.dirichlet(alpha, DRAWS)[:, :2] * support[code])
    values = CLASS_METRICS[name](np.stack(samples, axis=1), support)
    low, high = np.quantile(values, [1 - QUANTILE, QUANTILE])
    return float(low), float(high)


Numbers = NDArray[Any]
"""Floats, or complex numbers when a metric is differentiated."""


def weighted_f1(answers: Numbers, support: Numbers) -> Numbers:
    """Return the mean F1 of the classes, weighted by their support; nan without support.

    The F1 of a class is 2 tp / (support + predictions): 0 for a class that is never predicted.
    """
    by_class = _divide(2 * _diagonal(answers), support + answers.sum(axis=-2), 0.0)
    return _divide((support * by_class).sum(axis=-1), support.sum(axis=-1))


def delta_recall(answers: Numbers, support: Numbers) -> Numbers:
    """Return recall(No) - recall(Yes); nan if a class has no support."""
    recall = _divide(_diagonal(answers), support)
    return recall[..., 1] - recall[..., 0]


def delta_precision(answers: Numbers, support: Numbers) -> Numbers:
    """Return precision(No) - precision(Yes); nan if a class is never predicted."""
    precision = _divide(_diagonal(answers), answers.sum(axis=-2))
    return precision[..., 1] - precision[..., 0]


CLASS_METRICS: Mapping[str, Callable[[Numbers, Numbers], Numbers]] = {
    "f1": weighted_f1,
    "delta_recall": delta_recall,
    "delta_precision": delta_precision,
}
"""Formulas of the class metrics, from answers and support."""


def _diagonal(answers: Numbers) -> Numbers:
    return np.diagonal(answers, axis1=-2, axis2=-1)


def _divide(top: Numbers, bottom: Numbers, empty: float = np.nan) -> Numbers:
    out = np.full(np.broadcast_shapes(top.shape, bottom.shape), empty, np.result_type(top, bottom))
    return np.divide(top, bottom, out=out, where=bottom != 0)
