"""A line that ends in a plateau: found = floor + slope * min(planted, breakpoint)."""

from __future__ import annotations

import numpy as np

from bias_tasks.metrics.design import Floats

_STEPS = 400
"""Breakpoints tried between the second and the last number of planted flaws, beside those."""


def fit_plateau(curves: Floats, planted: Floats, weights: Floats) -> Floats:
    """The least squares fit to each of b curves: b by 3, intercept, slope and breakpoint.

    Args:
        curves: b by k.
        planted: k numbers, at least three, rising. A breakpoint is sought from the second to the
            last: where it is the last, the curve has no plateau within sight.
        weights: of the k points, above 0.
    """
    tried = np.linspace(planted[1], planted[-1], _STEPS + 1)
    tried = np.union1d(tried, planted[1:])
    root = np.sqrt(weights)
    lines = np.stack(
        [np.ones((tried.size, planted.size)), np.minimum(planted, tried[:, None])], axis=-1
    )
    scaled = curves * root
    basis, upper = np.linalg.qr(lines * root[:, None])
    # Of each line and curve, the coordinates in the line's own plane: the longer, the closer.
    inside = np.einsum("tki,bk->tbi", basis, scaled)
    best = np.argmax(np.round((inside**2).sum(axis=-1), 9), axis=0)
    chosen = inside[best, np.arange(len(curves))]
    fitted = np.linalg.solve(upper[best], chosen[:, :, None])[:, :, 0]
    return np.column_stack([fitted, tried[best]])
