"""What the formats that a search found come to on items that it never saw.

A search takes what looks best and what looks worst, and so takes luck with it: on the answers that
chose them the two lie further apart than they do (the winner's curse). Answers to other items know
nothing of the choice, so that their difference and its interval are those of any two formats.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bias_tasks.family import Outcome
from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics.table import Table, table
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import NOTHING, difference, rate


def held_out_figures(outcomes: Sequence[Outcome], best: str, worst: str) -> dict[str, Estimate]:
    """Scores and paired differences of the best, the worst and the plain format.

    Args:
        outcomes: of the held-out items alone, with variants `plain` and the names of the two.
        best: the name of the format that the search took for the best.
        worst: of the one that it took for the worst.

    Returns:
        `score/<name>` of each of the three, `spread` (best less worst, which may be negative),
        `change/best` and `change/worst` (less plain), over the items that have both scores.
    """
    if not outcomes:
        return {}
    run = table(outcomes)
    scores = {name: _under(run, name) for name in dict.fromkeys((PLAIN, best, worst))}
    pairs = {"spread": (best, worst), "change/best": (best, PLAIN), "change/worst": (worst, PLAIN)}
    return {
        name: difference(run.sample(scores[one] - scores[other])) if one != other else NOTHING
        for name, (one, other) in pairs.items()
    } | {f"score/{name}": rate(run.sample(values)) for name, values in scores.items()}


def _under(run: Table, name: str) -> Floats:
    """The scores in a format, a row each; nan where nothing has one."""
    return run.of(name) if name in run.variants else np.full(run.item.size, np.nan)
