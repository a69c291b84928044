"""Which of two responses a judge prefers, from the scores it gave to each (section 4.3)."""

from __future__ import annotations

import numpy as np

from bias_tasks.statistics.effective_size import Floats

SLACK = 1e-9
"""Scores are means over criteria: a difference this close to a threshold lies exactly on it."""


def verdicts(chosen: Floats, rejected: Floats, theta: float) -> Floats:
    """J: 1 where the preferred response scores higher, 0 where lower, 0.5 for a tie.

    Differences of up to and including `theta` are ties; nan where a score is.
    """
    ahead = chosen - rejected
    return np.select(
        [np.isnan(ahead), ahead > theta + SLACK, ahead < -theta - SLACK], [np.nan, 1.0, 0.0], 0.5
    )


def rises(before: Floats, after: Floats, beta: float) -> Floats:
    """1 where the score rises by `beta` or more, else 0; 0 too where a score is nan."""
    return (after - before >= beta - SLACK).astype(float)
