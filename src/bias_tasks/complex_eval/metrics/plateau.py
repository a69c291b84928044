"""A line that ends in a plateau: found = intercept + slope * min(planted, breakpoint)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bias_tasks.statistics.effective_size import Floats

_SLACK = 1e-9
"""By how much a later fit must be closer, so that rounding decides nothing."""


def fit_plateau(curves: Floats, planted: Floats, weights: Floats) -> Floats:
    """The least squares fit to each of b curves: b by 3, intercept, slope and breakpoint.

    The best fit breaks at a point of the curve, or between two: then a line fits the points before
    it and their own mean those after it, and the two meet between.

    Args:
        curves: b by k.
        planted: k numbers, at least three, rising. The breakpoint is one from the second to the
            last: where it is the last, the curve has no plateau within sight.
        weights: of the k points, above 0.
    """
    fits = np.full((len(curves), 3), np.nan)
    least = np.full(len(curves), np.inf)
    root = np.sqrt(weights)[:, None]
    scaled = curves.T * root
    for lines, place in _shapes(planted):
        solved = np.linalg.pinv(lines * root) @ scaled
        misses = scaled - (lines * root) @ solved
        misfit = np.einsum("kb,kb->b", misses, misses)
        knot = _knot(solved, planted, place)
        better = ~np.isnan(knot) & (misfit < least - _SLACK)
        fits[better] = np.column_stack([*solved[:2], knot])[better]
        least[better] = misfit[better]
    return fits


def _shapes(planted: Floats) -> Iterator[tuple[Floats, int]]:
    """Lines that break at each point, and those that break between it and the next."""
    for place in range(1, planted.size):
        yield np.column_stack([np.ones(planted.size), np.minimum(planted, planted[place])]), place
        if place < planted.size - 1:
            before = (planted <= planted[place]).astype(float)
            yield np.column_stack([before, before * planted, 1 - before]), place


def _knot(solved: Floats, planted: Floats, place: int) -> Floats:
    """Where each line breaks; nan where it does not meet its plateau between the two points."""
    if len(solved) == 2:
        return np.full(solved.shape[1], planted[place])
    intercept, slope, height = solved
    missing = np.full_like(slope, np.nan)
    knot = np.divide(height - intercept, slope, out=missing, where=np.abs(slope) > _SLACK)
    between = (planted[place] < knot) & (knot < planted[place + 1])
    return np.where(between, knot, np.nan)
