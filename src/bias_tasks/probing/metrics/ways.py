"""The items that were answered in every way of asking: what spread and variance are over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bias_tasks.probing.items import PLAIN
from bias_tasks.probing.metrics.table import Table
from bias_tasks.statistics.effective_size import Floats, Ints


@dataclass(frozen=True, slots=True)
class Ways:
    """n items in v ways: plain and all probes."""

    scores: Floats
    """n by v, plain first; of several epochs the mean over those with a score in every way."""
    cluster: Ints
    """Of each item."""
    epochs: Floats
    """How many answers each score is the mean of."""
    noise: Floats
    """The variance of one plain answer, from the item's plain answers and repeats in all epochs;
    nan where there are fewer than two."""


def ways_of(run: Table) -> Ways:
    """The complete items of a run; no items where no item is complete."""
    scores = run.under((PLAIN, *run.probes))
    complete = ~np.isnan(scores).any(axis=1)
    size = run.cluster.size
    epochs = np.bincount(run.item[complete], minlength=size).astype(float)
    sums = np.zeros((size, scores.shape[1]))
    np.add.at(sums, run.item[complete], scores[complete])
    kept = epochs > 0
    return Ways(
        scores=sums[kept] / epochs[kept, None],
        cluster=run.cluster[kept],
        epochs=epochs[kept],
        noise=_noise(run)[kept],
    )


def _noise(run: Table) -> Floats:
    """Of each item, the variance among its plain answers and repeats."""
    again = run.under((PLAIN, *run.repeats))
    item = np.broadcast_to(run.item[:, None], again.shape)[~np.isnan(again)]
    values, size = again[~np.isnan(again)], run.cluster.size
    count = np.bincount(item, minlength=size)
    mean = np.bincount(item, values, size) / np.maximum(count, 1)
    squares = np.bincount(item, (values - mean[item]) ** 2, size)
    found: Floats = np.divide(squares, count - 1, out=np.full(size, np.nan), where=count > 1)
    return found
