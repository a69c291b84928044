"""What a probe does to the score of the items that it applies to, each against its plain answer."""

from __future__ import annotations

import numpy as np

from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics.table import Table, row_means
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.extremes import least_of
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.intervals import NOTHING, difference, pairs_of, rate


def changes(run: Table) -> dict[str, Estimate]:
    """By variant: `score`, `change` (Holm-adjusted over the probes), `lost` and `gained`.

    Repeats of the plain question count together as `repeat`.
    """
    card: dict[str, Estimate] = {}
    changed: dict[str, Estimate] = {}
    for name, variants in _ways(run).items():
        change = _change(run, variants)
        card[f"score/{name}"] = rate(run.sample(row_means(run.under(variants))[0]))
        changed[name] = difference(run.sample(row_means(change)[0]))
        card[f"lost/{name}"] = rate(run.sample(row_means(np.maximum(-change, 0))[0]))
        card[f"gained/{name}"] = rate(run.sample(row_means(np.maximum(change, 0))[0]))
    probed = {name: changed[name] for name in run.probes}
    return {
        f"change/{name}": each for name, each in (changed | holm_adjusted(probed)).items()
    } | card


def fragile(run: Table) -> Estimate:
    """The share of the plain score that probes lose beyond what asking again loses.

    Over all that is asked plain, again, and under a probe at least: what falls from a plain score
    on average over an item's probes, less what falls on average over its other plain scores, as a
    share of the plain score. Rises are not counted. Answers to the plain question and its repeats
    are draws alike, so that each of them is the plain one in turn: that is the same figure with
    less noise. Where nothing depends on the asking, answers under probes are such draws, too, and
    the one plain answer stands beside both: whichever items it happens to get right, they then lose
    as much again as under a probe: 0 is expected. Without a probe or a repeat there is none.
    """
    if not run.probes or not run.repeats:
        return NOTHING
    draws, probed = run.under((PLAIN, *run.repeats)), run.under(run.probes)
    lost, plain = np.zeros(draws.shape[0]), np.zeros(draws.shape[0])
    for place, score in enumerate(draws.T):
        others = np.delete(draws, place, axis=1)
        beyond = _mean_fall(score, probed) - _mean_fall(score, others)
        told = ~np.isnan(beyond)
        lost[told] += beyond[told]
        plain[told] += score[told]
    right = plain > 0
    share = np.divide(lost, plain, out=np.full(plain.size, np.nan), where=right)
    return difference(run.sample(share, plain / draws.shape[1]))


def _mean_fall(score: Floats, others: Floats) -> Floats:
    """How far a score lies above others on average, those above it counting as equal; by row."""
    return row_means(np.maximum(score[:, None] - others, 0))[0]


def worst(run: Table) -> Estimate:
    """The least of the probes' changes, with limits of the least true one."""
    samples = [run.sample(_change(run, [probe])[:, 0]).used() for probe in run.probes]
    found = [pairs_of(sample) for sample in samples if sample.values.size]
    return least_of(found) if found else NOTHING


def _change(run: Table, variants: tuple[str, ...] | list[str]) -> Floats:
    """What the score under each variant is above the plain one, a column each."""
    found: Floats = run.under(variants) - run.of(PLAIN)[:, None]
    return found


def _ways(run: Table) -> dict[str, tuple[str, ...]]:
    """The variants beside the plain one by the name of their figures."""
    again = {"repeat": run.repeats} if run.repeats else {}
    return again | {probe: (probe,) for probe in run.probes}
