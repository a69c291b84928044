"""How far the figures of all domains may be off, jointly: a cluster bootstrap with fixed seed.

Figures are linearised: each is, up to a constant, the mean of one *influence* a question. The
bootstrap gives every cluster a random normal multiplier (a wild bootstrap; Cameron, Gelbach and
Miller 2008). The errors that come of it are normal with the cluster-robust covariance of the
influences, so that they are drawn from it at once, however many clusters there are. Gold labels
are strata: how many questions of each there are is designed, and only the spread within counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bias_tasks.binary_qa.metrics.classes import answer_counts, original_shares, slopes
from bias_tasks.binary_qa.metrics.confusion import FIGURES
from bias_tasks.binary_qa.metrics.consistency import consistency
from bias_tasks.binary_qa.metrics.score import SIGNED
from bias_tasks.binary_qa.metrics.table import Table, Values
from bias_tasks.names import PaperProtocol
from bias_tasks.statistics.effective_size import Floats

DRAWS = 2000
SEED = 20251227
_BORROWED = 4.0
"""Degrees of freedom that each domain's covariance borrows from all domains' mean."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Simulated errors of the figures, which are the last axis of both arrays."""

    run: Floats
    """Draws by figures: of the figures over all domains."""
    domain: Floats
    """Draws by domains by figures."""


def sampling_errors(
    run: Table,
    parts: Sequence[Table],
    names: Sequence[str],
    widths: Floats,
    protocol: PaperProtocol,
) -> Errors:
    """Errors of the figures `names`, each defined in every domain.

    Domains are taken for independent of each other: a cluster that spans two counts once in each.

    `parts` are the questions of each domain, two clusters at least, and `widths` (domains by
    figures) the least standard errors within the domains.
    """
    whole = _influences(run, names, protocol)
    spreads, freedoms = [], []
    for code, part in enumerate(parts):
        own = _influences(part, names, protocol)
        spread, freedom = _covariance(part, np.hstack([whole[run.domain == code], own]))
        spreads.append(spread)
        freedoms.append(freedom)
    sizes = np.array([part.gold.size for part in parts])
    shared = _borrow(np.array(spreads), np.array(freedoms), names) / sizes[:, None, None]
    shared = _widened(shared, np.hstack([np.zeros_like(widths), widths]))
    rng = np.random.default_rng(SEED)
    normal = rng.standard_normal((DRAWS, len(parts), shared.shape[-1]))
    drawn = np.einsum("dij,bdj->bdi", np.linalg.cholesky(shared), normal)
    # The covariance is itself estimated, as in Student's t.
    freedom = sum(freedoms)
    drawn *= np.sqrt(freedom / rng.chisquare(freedom, DRAWS))[:, None, None]
    total, within = np.split(drawn, 2, axis=-1)
    return Errors(np.einsum("bdi,d->bi", total, sizes / sizes.sum()), within)


def _influences(table: Table, names: Sequence[str], protocol: PaperProtocol) -> Floats:
    """Questions by figures: what each question adds to the figure's mean."""
    shares, known = original_shares(table)
    counts, support = answer_counts(shares, known, table.gold)
    columns = []
    for name in names:
        if name in FIGURES:
            slope = slopes(name, counts, support) * table.gold.size
            columns.append((shares * slope[table.gold]).sum(axis=1))
        else:
            columns.append(_share_influence(consistency(table, name, protocol)))
    return np.column_stack(columns)


def _share_influence(values: Values) -> Floats:
    """Of a mean over the questions that have a value; the others neither raise nor lower it."""
    total = max(values.known.sum(), 1)
    share = values.mean[values.known].sum() / total
    deviation = np.where(values.known, values.mean - share, 0.0)
    influence: Floats = share + deviation * (values.known.size / total)
    return influence


def _covariance(part: Table, influences: Floats) -> tuple[Floats, int]:
    """Covariance of one question's influences, and its degrees of freedom.

    Each cluster's sum of deviations is scaled so that independent questions give it no bias.
    """
    clusters = np.unique(part.cluster, return_inverse=True)[1]
    golds = np.unique(part.gold, return_inverse=True)[1]
    cells = np.zeros((clusters.max() + 1, golds.max() + 1))
    np.add.at(cells, (clusters, golds), 1)
    means = np.array([influences[golds == code].mean(axis=0) for code in range(cells.shape[1])])
    sums = np.zeros((cells.shape[0], influences.shape[1]))
    np.add.at(sums, clusters, influences - means[golds])
    size = cells.sum(axis=1)
    left = size - (cells**2 / cells.sum(axis=0)).sum(axis=1)
    # A cluster that makes up its labels alone deviates from nothing, and says nothing.
    telling = left > size * 1e-9
    scale = np.divide(size, left, out=np.zeros_like(size), where=telling)
    spread: Floats = (sums * scale[:, None]).T @ sums / size.sum()
    return spread, max(size.size - 2, 1)


def _borrow(spreads: Floats, freedoms: Floats, names: Sequence[str]) -> Floats:
    """Each domain's covariance, drawn to the mean of all; the mean holds one more question.

    That question is as uncertain as can be, so that nothing passes for known exactly.
    """
    doubtful = np.diag([1.0 if name in SIGNED else 0.25 for name in names] * 2)
    weights = freedoms[:, None, None]
    mean = ((weights * spreads).sum(axis=0) + doubtful) / (freedoms.sum() + 1)
    borrowed: Floats = (weights * spreads + _BORROWED * mean) / (weights + _BORROWED)
    return borrowed


def _widened(covariances: Floats, least: Floats) -> Floats:
    """The covariances with no standard error below these (domains by coordinates)."""
    errors = np.sqrt(np.diagonal(covariances, axis1=1, axis2=2))
    factor = np.maximum(least / errors, 1.0)
    widened: Floats = covariances * factor[:, :, None] * factor[:, None, :]
    return widened
