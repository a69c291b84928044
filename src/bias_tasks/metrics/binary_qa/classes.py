"""F1 and the differences between the classes on the original questions, with their intervals.

All three are functions of two distributions: how Yes questions and how No questions are answered.
"""

from __future__ import annotations

import math

import numpy as np

from bias_tasks.items.binary_qa import BINARY_LABELS
from bias_tasks.metrics.binary_qa.confusion import FIGURES
from bias_tasks.metrics.binary_qa.table import MISSING, Table, Values
from bias_tasks.metrics.design import Floats, Sample, design_factor, independent_size
from bias_tasks.metrics.estimate import Estimate
from bias_tasks.metrics.intervals import NOTHING, wilson

DRAWS = 4000
SEED = 20251227
_PRIOR = 0.5
"""Of Jeffreys: half an answer that is right and half one that is not, split if it may be unread."""
_CLASSES = range(len(BINARY_LABELS))


def class_figures(table: Table) -> dict[str, Estimate]:
    """`f1`, `delta_recall` and `delta_precision` of the original questions."""
    answers = original_answers(table)
    counts, support = totals(answers, table)
    figures = {}
    for name, figure in FIGURES.items():
        value = float(figure(counts, support))
        if math.isnan(value):
            figures[name] = NOTHING
            continue
        sizes = _sizes(name, answers, table)
        low, high = (
            _newcombe(counts, support, sizes)
            if name == "delta_recall"
            else _simulated(name, counts, support, sizes)
        )
        figures[name] = Estimate(value, min(low, value), max(high, value), int(support.sum()))
    return figures


def original_answers(table: Table) -> tuple[Floats, Values]:
    """Of each question the shares of epochs answered Yes and No; and whether it was asked."""
    original = table.answer("original")
    known = original != MISSING
    shares = [table.values(original == code, known) for code in _CLASSES]
    return np.column_stack([share.mean for share in shares]), shares[0].known


def totals(answers, table):
    shares, known = answers
    support = np.bincount(table.gold[known], minlength=len(BINARY_LABELS)).astype(float)
    counts = np.stack([shares[known & (table.gold == code)].sum(axis=0) for code in _CLASSES])
    return counts, support


def slopes(name: str, counts: Floats, support: Floats) -> Floats:
    """How the figure moves with each count (its derivative by a step along the imaginary axis)."""
    step = 1e-20
    moved = counts + 1j * step * np.eye(counts.size).reshape(-1, *counts.shape)
    gradient: Floats = FIGURES[name](moved, support + 0j).imag.reshape(counts.shape) / step
    return gradient


def _sizes(name, answers, table) -> Floats:
    """Effective numbers of Yes and of No questions, as far as this figure rests on them."""
    shares, known = answers
    right = np.where(known, shares[np.arange(known.size), table.gold], 0.0)
    counts, support = totals(answers, table)
    gradient = slopes(name, counts, support)
    gain = np.diagonal(gradient) - np.fliplr(gradient).diagonal()
    pull = np.where(known, gain[table.gold], 0.0)
    base = table.sample(Values(right, known))
    joint = Sample(right * np.sign(pull), base.clusters, base.strata, np.abs(pull)).used()
    factor = design_factor(joint)
    alone = [
        Sample(right, base.clusters, base.strata, (known & (table.gold == code)) * 1.0).used()
        for code in _CLASSES
    ]
    return factor * np.array([independent_size(s) if s.values.size else 0.0 for s in alone])


def _newcombe(counts: Floats, support: Floats, sizes: Floats) -> tuple[float, float]:
    """Newcombe's (1998) interval of a difference, from Wilson's of both rates (MOVER)."""
    yes, no = np.diagonal(counts) / support
    yes_low, yes_high = wilson(yes, sizes[0])
    no_low, no_high = wilson(no, sizes[1])
    value = no - yes
    low = value - math.hypot(no - no_low, yes_high - yes)
    return low, value + math.hypot(no_high - no, yes - yes_low)


def _simulated(name, counts, support, sizes) -> tuple[float, float]:
    if np.isnan(sizes).any():
        return math.nan, math.nan
    rng = np.random.default_rng(SEED)
    drawn = []
    for code in _CLASSES:
        shares = counts[code] / max(support[code], 1)
        alpha = sizes[code] * np.append(shares, max(1 - shares.sum(), 0)) + _PRIOR / 2
        alpha[code] += _PRIOR / 2
        drawn.append(rng.dirichlet(alpha, DRAWS)[:, :2] * support[code])
    values = FIGURES[name](np.stack(drawn, axis=1), support)
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)
