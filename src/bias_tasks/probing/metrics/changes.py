"""What a probe does to the score of the items that it applies to, each against its plain answer."""

from __future__ import annotations

import numpy as np

from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics.table import Table
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.intervals import NOTHING, difference, rate


def changes(run: Table) -> dict[str, Estimate]:
    """By variant: `score`, `change` (Holm-adjusted over the probes), `lost` and `gained`.

    Repeats of the plain question count together as `repeat`.
    """
    plain = run.of(PLAIN)
    card: dict[str, Estimate] = {}
    changed: dict[str, Estimate] = {}
    for name, columns in _ways(run).items():
        under = np.column_stack([run.of(each) for each in columns])
        card[f"score/{name}"] = rate(run.sample(_mean(under)))
        changed[f"change/{name}"] = difference(run.sample(_mean(under - plain[:, None])))
        card[f"lost/{name}"] = rate(run.sample(_mean(np.maximum(plain[:, None] - under, 0))))
        card[f"gained/{name}"] = rate(run.sample(_mean(np.maximum(under - plain[:, None], 0))))
    again = {name: each for name, each in changed.items() if name == "change/repeat"}
    probed = {name: each for name, each in changed.items() if name not in again}
    return again | holm_adjusted(probed) | card


def fragile(run: Table) -> Estimate:
    """The share of the plain score that probes lose beyond what asking again loses.

    Per item that is asked plain, again, and under a probe at least: the mean over its probes of
    what is lost, less the mean over its repeats, weighted by the plain score. Without a probe or a
    repeat there is none.
    """
    if not run.probes or not run.repeats:
        return NOTHING
    plain = run.of(PLAIN)
    probed, again = (
        _mean(np.column_stack([run.of(each) for each in columns]))
        for columns in (run.probes, run.repeats)
    )
    weights = np.where(np.isnan(plain), 0.0, plain)
    return difference(run.sample(again - probed, weights))


def _ways(run: Table) -> dict[str, tuple[str, ...]]:
    """The variants beside the plain one by the name of their figures."""
    again = {"repeat": run.repeats} if run.repeats else {}
    return again | {probe: (probe,) for probe in run.probes}


def _mean(values: Floats) -> Floats:
    """The mean of each row over its numbers; nan where it has none."""
    known = ~np.isnan(values)
    total = np.where(known, values, 0.0).sum(axis=1)
    count = known.sum(axis=1)
    found: Floats = np.divide(total, count, out=np.full(total.size, np.nan), where=count > 0)
    return found
