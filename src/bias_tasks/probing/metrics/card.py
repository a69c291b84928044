"""Every figure of a probed task."""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.family import Outcome
from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics.agreement import agreement
from bias_tasks.probing.metrics.changes import changes, fragile, worst
from bias_tasks.probing.metrics.spread import spreads
from bias_tasks.probing.metrics.table import Table, table
from bias_tasks.probing.metrics.variance import variances
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import rate


def probe_card(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """The figures by their names; none where there are no outcomes."""
    return card_of(table(outcomes)) if outcomes else {}


def card_of(run: Table) -> dict[str, Estimate]:
    """The figures of a table by their names."""
    card = {"fragile": fragile(run), f"score/{PLAIN}": rate(run.sample(run.of(PLAIN)))}
    card |= changes(run) | agreement(run)
    if run.probes:
        card |= {"worst": worst(run)} | spreads(run) | variances(run)
    return card | {"unread": unread(run)}


def unread(run: Table) -> Estimate:
    """The share of answers in which nothing was read."""
    asked: Floats = run.asked.sum(axis=1).astype(float)
    unread: Floats = ((run.said < 0) & run.asked).sum(axis=1)
    return rate(run.sample(unread / asked, asked))
