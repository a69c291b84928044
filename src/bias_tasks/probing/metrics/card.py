"""Every figure of a probed task."""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.family import Outcome
from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics.agreement import agreement
from bias_tasks.probing.metrics.changes import changes, fragile
from bias_tasks.probing.metrics.table import table
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import rate


def probe_card(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """The figures by their names; none where there are no outcomes."""
    if not outcomes:
        return {}
    run = table(outcomes)
    card = {"fragile": fragile(run), f"score/{PLAIN}": rate(run.sample(run.of(PLAIN)))}
    card |= changes(run) | agreement(run)
    unread: Floats = ((run.said < 0) & run.asked).sum(axis=1) / run.asked.sum(axis=1)
    weights: Floats = run.asked.sum(axis=1).astype(float)
    return card | {"unread": rate(run.sample(unread, weights))}
