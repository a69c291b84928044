"""The Model Binary Score (paper, section 2.4)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bias_tasks.binary_qa.items import COMPARED
from bias_tasks.binary_qa.metrics_classes import FIGURES, answer_counts, original_shares, slopes
from bias_tasks.binary_qa.metrics_table import Table, agreement
from bias_tasks.names import PaperProtocol
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import QUANTILE, Estimate
from bias_tasks.statistics.magnitude import Magnitude, magnitude

DEFAULT_WEIGHTS: Mapping[str, float] = {
    **{"f1": 0.4, "delta_recall": 0.1, "delta_precision": 0.1},
    **{"prc": 0.075, "nrc": 0.075, "arc": 0.075, "sc": 0.075},
}
"""The paper's weights of the core metrics."""
CORE = tuple(DEFAULT_WEIGHTS)
SIGNED = frozenset({"delta_recall", "delta_precision"})
"""Best at 0, from -1 to 1; the others are best at 1, from 0 to 1."""
STABILITY = 0.1
"""Share of the whole weight that falls to the standard deviations over the domains."""
DRAWS = 2000
SEED = 20251227
_BORROWED = 4.0
"""Degrees of freedom that each domain's covariance borrows from all domains' mean."""
_TAIL = 1 - QUANTILE
_CENTRE = 0.65
"""Share of what is seen that is at most what was seen, at the true size that bias is taken at.
Half would leave too large a size too often, and so correct too little near 0."""


def check_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights above 0, scaled to sum to 1: only their proportions count.

    The core metrics share 0.9 of the score in these proportions, and their standard deviations over
    the domains 0.1. A ValueError where a name is no core metric, a weight is negative or not
    finite, or all are 0."""
    unknown = sorted(set(weights) - set(CORE))
    if unknown:
        raise ValueError(f"unknown in weights: {', '.join(unknown)}; known are {', '.join(CORE)}")
    for name, weight in weights.items():
        if not (math.isfinite(weight) and weight >= 0):
            raise ValueError(f"weight of {name} is {weight}: it must be 0 or a number above")
    total = sum(weights.values())
    if not total:
        raise ValueError("weights are all 0: give at least one metric a weight above 0")
    return {name: weights[name] / total for name in CORE if weights.get(name)}


def mbs(core: Mapping[str, float], std: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The score, from 0 to 100 (best). A ValueError as `check_weights` has it.

    `core` are the core metrics over all domains, deltas in [-1, 1] and the others in [0, 1], `std`
    their population standard deviations over the domains; both must have what weighs above 0."""
    return sum(
        weight * (1 - STABILITY) * _core_scale(name, core[name])
        + weight * STABILITY * _std_scale(name, std[name])
        for name, weight in check_weights(weights).items()
    )


def score_slopes(weights: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """How the score moves with the absolute value of each core metric, and with its deviation."""
    return {
        name: (
            weight * (1 - STABILITY) * (_core_scale(name, 1) - _core_scale(name, 0)),
            weight * STABILITY * (_std_scale(name, 1) - _std_scale(name, 0)),
        )
        for name, weight in check_weights(weights).items()
    }


def _core_scale(name: str, value: float) -> float:
    return 100 * (1 - abs(value)) if name in SIGNED else 100 * value


def _std_scale(name: str, value: float) -> float:
    """Standard deviations of values in [-1, 1] are at most 1, those of values in [0, 1] 0.5."""
    return 100 * (1 - value) if name in SIGNED else 100 * (1 - 2 * value)


@dataclass(frozen=True, slots=True)
class _Term:
    """A part of the score: its centre and limits without bias, and simulated values of it."""

    centre: float
    low: float
    high: float
    draws: Floats


def score_estimate(
    score: Estimate,
    core: Mapping[str, Estimate],
    deviations: Mapping[str, Magnitude],
    errors: Mapping[str, Floats],
    weights: Mapping[str, float],
) -> Estimate:
    """The score with bounds, by the method of variance estimates recovery (Zou and Donner 2008).

    Every part lends the distances to its own limits, correlated as the simulated errors are, about
    a centre that is free of the bias of sizes.

    `score` is without bounds; `core`, `deviations` and `errors` are the figures that weigh over all
    domains, their standard deviations over the domains, and their simulated errors; `weights` as
    `check_weights` returns them."""
    terms: list[_Term] = []
    seen: list[float] = []
    pulls = score_slopes(weights)
    for name in pulls:
        terms += [_core_term(name, core[name], errors[name]), _size_term(deviations[name])]
        seen += [abs(core[name].value), deviations[name].seen]
    pull = np.array([*pulls.values()]).ravel()
    bias = float(pull @ (np.array(seen) - [term.centre for term in terms]))
    related = np.corrcoef(pull[:, None] * np.array([term.draws for term in terms]))
    down, up = np.array([(t.centre - t.low, t.high - t.centre) for t in terms]).T
    below, above = (
        math.sqrt(max(float(arms @ related @ arms), 0.0))
        for arms in np.abs(pull) * [np.where(pull > 0, down, up), np.where(pull > 0, up, down)]
    )
    low, high = max(score.value - bias - below, 0.0), min(score.value - bias + above, 100.0)
    return Estimate(score.value, min(low, score.value), max(high, score.value), score.n)


def _core_term(name: str, figure: Estimate, errors: Floats) -> _Term:
    if name in SIGNED:
        return _size_term(magnitude(np.array([figure.value]), errors[:, None]))
    return _Term(figure.value, figure.ci_low, figure.ci_high, figure.value + errors)


def _size_term(size: Magnitude) -> _Term:
    truth = size.truth(_CENTRE, size.seen)
    draws = size.sizes(truth)
    expected = float(draws.mean())
    centre = size.seen - (expected - truth)
    low, high = size.limits(_TAIL, _TAIL)
    # What was seen is off by at least what noise makes of the true size.
    least, most = np.quantile(draws, [_TAIL, QUANTILE])
    return _Term(
        centre,
        centre - max(centre - low, float(most) - expected),
        centre + max(high - centre, expected - float(least)),
        draws,
    )


def sampling_errors(
    run: Table,
    parts: Sequence[Table],
    names: Sequence[str],
    widths: Floats,
    protocol: PaperProtocol,
) -> tuple[Floats, Floats]:
    """Errors of the figures `names`, each defined in every domain: a cluster bootstrap, fixed seed.

    Of the figures over all domains, draws by figures; and draws by domains by figures.

    Figures are linearised: each is, up to a constant, the mean of one *influence* a question. The
    bootstrap gives every cluster a random normal multiplier (a wild bootstrap; Cameron, Gelbach and
    Miller 2008). The errors that come of it are normal with the cluster-robust covariance of the
    influences, so they are drawn from it at once, however many clusters there are. Gold labels are
    strata: how many questions of each there are is designed, and only the spread within counts.
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
    return np.einsum("bdi,d->bi", total, sizes / sizes.sum()), within


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
            # Of a share: questions that have no value neither raise nor lower it.
            values = agreement(table, COMPARED[name], protocol)
            total = max(values.known.sum(), 1)
            share = values.mean[values.known].sum() / total
            deviation = np.where(values.known, values.mean - share, 0.0)
            columns.append(share + deviation * (values.known.size / total))
    return np.column_stack(columns)


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
