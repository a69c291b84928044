"""F1 and the differences between the classes on the original questions, with their intervals.

They take two arrays whose last axes are the gold labels (and the answers) in the order of
BINARY_LABELS (paper, section 2.3): `answers[..., gold, answer]`, how many of that gold label were
answered so, and `support[..., gold]`, how many there are. An unread answer is in the support alone:
a miss of its own class, and no prediction of either.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bias_tasks.binary_qa.items import BINARY_LABELS
from bias_tasks.binary_qa.metrics_table import MISSING, Table, Values
from bias_tasks.statistics.effective_size import Floats, Ints, design_factor, independent_size
from bias_tasks.statistics.estimate import QUANTILE, Estimate
from bias_tasks.statistics.intervals import NOTHING, limits_wanted, wilson
from bias_tasks.statistics.mover import mover
from bias_tasks.statistics.outcomes import Mask

DRAWS = 4000
SEED = 20251227
_CLASSES = range(len(BINARY_LABELS))


def class_figures(table: Table) -> dict[str, Estimate]:
    """`f1`, `delta_recall` and `delta_precision`; nan with n = 0 where one is not defined."""
    shares, known = original_shares(table)
    counts, support = answer_counts(shares, known, table.gold)
    asked, figures = int(known.sum()), {}
    for name, figure in FIGURES.items():
        value = float(figure(counts, support))
        low = high = math.nan
        if math.isnan(value):
            figures[name] = NOTHING
            continue
        if limits_wanted():
            sizes = _sizes(table, shares, known, slopes(name, counts, support))
            interval = _newcombe if name == "delta_recall" else _simulated
            low, high = interval(name, counts, support, sizes)
        figures[name] = Estimate(value, min(low, value), max(high, value), asked)
    return figures


def original_shares(table: Table) -> tuple[Floats, Mask]:
    """Of each question the shares of epochs answered Yes and No; and whether it was asked."""
    answer = table.answer("original")
    known = answer != MISSING
    shares = [table.values(answer == code, known) for code in _CLASSES]
    return np.column_stack([share.mean for share in shares]), shares[0].known


def answer_counts(shares: Floats, known: Mask, gold: Ints) -> tuple[Floats, Floats]:
    """Gold labels by answers, and the support of each gold label."""
    rows = [known & (gold == code) for code in _CLASSES]
    support = np.array([float(of_class.sum()) for of_class in rows])
    return np.array([shares[of_class].sum(axis=0) for of_class in rows]), support


def slopes(name: str, counts: Floats, support: Floats) -> Floats:
    """How the figure moves with each count: its derivative, by a step along the imaginary axis."""
    step = 1e-20
    moved = counts + 1j * step * np.eye(counts.size).reshape(-1, *counts.shape)
    gradient: Floats = FIGURES[name](moved, support).imag.reshape(counts.shape) / step
    return gradient


def _sizes(table: Table, shares: Floats, known: Mask, gradient: Floats) -> Floats:
    """Effective numbers of Yes and of No questions, by how much a figure depends on each."""
    right = shares[np.arange(known.size), table.gold]
    sample = table.sample(Values(right, known))
    # What it is worth that a question of each class is answered rightly and not wrongly.
    worth = np.diagonal(gradient) - np.diagonal(np.fliplr(gradient))
    pull = worth[table.gold] if worth[table.gold[known]].any() else np.ones_like(right)
    joint = replace(sample, values=right * np.sign(pull), weights=sample.weights * np.abs(pull))
    alone = [sample.taken((sample.weights > 0) & (table.gold == code)) for code in _CLASSES]
    sizes = [independent_size(part) if part.values.size else 0.0 for part in alone]
    return np.array(sizes) * design_factor(joint.used())


def _newcombe(_: str, counts: Floats, support: Floats, sizes: Floats) -> tuple[float, float]:
    """Newcombe's (1998) interval of a difference of rates, from Wilson's of both."""
    rates = (np.diagonal(counts) / support).tolist()
    limits = (wilson(rate, float(size)) for rate, size in zip(rates, sizes, strict=True))
    yes, no = ((low, rate, high) for rate, (low, high) in zip(rates, limits, strict=True))
    return mover(no, yes, related=0.0)


def _simulated(name: str, counts: Floats, support: Floats, sizes: Floats) -> tuple[float, float]:
    """Quantiles of the figure over distributions that may have given the counts.

    Each class's is drawn from a Dirichlet distribution about its counts at their effective size,
    with half an answer that is right and half one that is not (Jeffreys) added. With one rate this
    comes to an interval much like Wilson's; it holds where the figure is far from linear too.
    """
    if np.isnan(sizes).any():
        return math.nan, math.nan
    rng = np.random.default_rng(SEED)
    drawn = []
    for code in _CLASSES:
        read = counts[code] / max(support[code], 1)
        alpha = sizes[code] * np.append(read, max(1 - read.sum(), 0.0)) + 0.25
        alpha[code] += 0.25
        drawn.append(rng.dirichlet(alpha, DRAWS)[:, :2] * support[code])
    values = FIGURES[name](np.stack(drawn, axis=1), support)
    low, high = np.quantile(values, [1 - QUANTILE, QUANTILE])
    return float(low), float(high)


Numbers = NDArray[Any]
"""Floats, or complex numbers where the figure is differentiated."""


def weighted_f1(answers: Numbers, support: Numbers) -> Numbers:
    """Mean of the classes' F1 weighted by their support; nan without any.

    The F1 of a class is 2 tp / (support + predictions): 0 for one that is never predicted.
    """
    classes = _divide(2 * _diagonal(answers), support + answers.sum(axis=-2), 0.0)
    return _divide((support * classes).sum(axis=-1), support.sum(axis=-1))


def delta_recall(answers: Numbers, support: Numbers) -> Numbers:
    """Recall(No) - recall(Yes); nan where a class has no support."""
    recall = _divide(_diagonal(answers), support)
    return recall[..., 1] - recall[..., 0]


def delta_precision(answers: Numbers, support: Numbers) -> Numbers:
    """Precision(No) - precision(Yes); nan where a class is never predicted."""
    precision = _divide(_diagonal(answers), answers.sum(axis=-2))
    return precision[..., 1] - precision[..., 0]


FIGURES: Mapping[str, Callable[[Numbers, Numbers], Numbers]] = {
    "f1": weighted_f1,
    "delta_recall": delta_recall,
    "delta_precision": delta_precision,
}


def _diagonal(answers: Numbers) -> Numbers:
    return np.diagonal(answers, axis1=-2, axis2=-1)


def _divide(top: Numbers, bottom: Numbers, empty: float = np.nan) -> Numbers:
    out = np.full(np.broadcast_shapes(top.shape, bottom.shape), empty, np.result_type(top, bottom))
    return np.divide(top, bottom, out=out, where=bottom != 0)
