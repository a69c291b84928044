"""F1 and the differences between the classes, from counts of answers (paper, section 2.3).

All take two arrays whose last axes are the gold labels (and the answers) in the order of
BINARY_LABELS: `answers[..., gold, answer]`, how many of that gold label were answered so, and
`support[..., gold]`, how many there are. An unread answer is in the support alone: a miss of its
own class, and no prediction of either.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
