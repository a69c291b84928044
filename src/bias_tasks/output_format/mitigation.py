"""Whether a mitigation holds (FormatEval, section 3.2), and what to fine-tune with (section 6)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bias_tasks.output_format import metrics
from bias_tasks.output_format.metrics import FormatOutcome, Table
from bias_tasks.statistics.covariance import ratio_covariance
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.intervals import NOTHING, difference
from bias_tasks.statistics.mover import Limits, mover_of_alike
from bias_tasks.statistics.outcomes import Mask

_VARIANCES = ("bias_f", "bias_f_corrected")
_Values = dict[str, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A mitigation against its base, on the items that both were asked."""

    figures: Mapping[str, Estimate]
    """Mitigated less base: `delta_bias_f` and `delta_bias_f_corrected` in percent squared, and
    `delta_fi/<format>`, with p-values that are Holm-adjusted."""
    holds: bool
    """The paper's two criteria, on what was seen: `bias_f` falls, and `fi` of no format does."""
    shown: bool
    """It holds, and the intervals bear it out: that of `delta_bias_f` lies below 0, and that of
    every `delta_fi` above minus the margin."""
    falling: tuple[str, ...]
    """The formats whose `fi` falls."""
    left_out: tuple[str, ...]
    """The formats that `bias_f` leaves out: no answer follows them in one run or the other."""
    base: Mapping[str, float]
    """What each run comes to on the items of both: `bias_f`, `bias_f_corrected`, `fi/<format>`."""
    mitigated: Mapping[str, float]


def compare(
    base: Sequence[FormatOutcome], mitigated: Sequence[FormatOutcome], *, margin: float = 0.05
) -> Comparison:
    """Compares a mitigated run with its base, on what both were asked. `margin` is how far `fi` may
    fall, a share, for the mitigation to be `shown` still. A ValueError where the runs have
    different formats, or a format without an item in common.

    Where a mitigation makes more answers follow, `bias_f` falls for lack of noise alone;
    `delta_bias_f_corrected` is free of that.
    """
    before, after = runs = _paired(base, mitigated)
    gains, asked = after.follows - before.follows, before.asked.astype(float)
    samples = (metrics.sample(before, *each) for each in zip(gains.T, asked.T, strict=True))
    follow = holm_adjusted(dict(zip(before.formats, map(difference, samples), strict=True)))
    followed: Mask = (before.follows.sum(axis=0) > 0) & (after.follows.sum(axis=0) > 0)
    bias, *sides = _bias_change(before.with_formats(followed), after.with_formats(followed))
    falling = tuple(name for name, change in follow.items() if change.value < 0)
    delta = bias["delta_bias_f"]
    holds = delta.value < 0 and not falling
    kept = all(change.ci_low > -margin for change in follow.values())
    for run, side in zip(runs, sides, strict=True):
        for column, name in enumerate(run.formats):
            side[f"fi/{name}"] = metrics.figure_of(run, "fi", column).value
    return Comparison(
        figures=bias | {f"delta_fi/{name}": change for name, change in follow.items()},
        holds=holds,
        shown=holds and kept and delta.ci_high < 0,
        falling=falling,
        left_out=tuple(np.array(before.formats)[~followed].tolist()),
        base=sides[0],
        mitigated=sides[1],
    )


def _paired(
    base: Sequence[FormatOutcome], mitigated: Sequence[FormatOutcome]
) -> tuple[Table, Table]:
    """Both tables with the same formats, and the same items under each of them."""
    keys = [{(outcome.item, outcome.format) for outcome in run} for run in (base, mitigated)]
    formats = [{name for _, name in asked} for asked in keys]
    if alone := formats[0] ^ formats[1]:
        named = ", ".join(sorted(alone))
        raise ValueError(
            f"only one of the two runs has {named}: compare runs of one set of formats"
        )
    common = keys[0] & keys[1]
    if lacking := formats[0] - {name for _, name in common}:
        raise ValueError(f"the runs have no item in common under {', '.join(sorted(lacking))}")
    before, after = (
        metrics.table([outcome for outcome in run if (outcome.item, outcome.format) in common])
        for run in (base, mitigated)
    )
    return before, after


def _bias_change(before: Table, after: Table) -> tuple[metrics.Card, _Values, _Values]:
    """`delta_bias_f` and `delta_bias_f_corrected`: after less before, in percent squared, with one
    interval, made of the two variances' own limits (MOVER); and what they are of, before and after.
    nan for fewer than two formats."""
    k = len(before.formats)
    if k < 2:
        nothing = dict.fromkeys(_VARIANCES, math.nan)
        return {f"delta_{name}": NOTHING for name in _VARIANCES}, nothing, nothing.copy()
    covariance = ratio_covariance(
        np.hstack([before.score, after.score]),
        np.hstack([before.follows, after.follows]),
        before.cluster,
    )
    first, second = _side(before, covariance[:k, :k]), _side(after, covariance[k:, k:])
    limits = mover_of_alike(second.limits, first.limits, _related(first, second, covariance))
    n = int((before.follows.any(axis=1) | after.follows.any(axis=1)).sum())
    changes: metrics.Card = {}
    values: tuple[_Values, _Values] = ({}, {})
    for name, one, other in zip(_VARIANCES, first.values, second.values, strict=True):
        changes[f"delta_{name}"] = metrics.in_percent_squared(other - one, limits, n)
        values[0][name], values[1][name] = (each * metrics.PERCENT_SQUARED for each in (one, other))
    return changes, *values


class _Side(NamedTuple):
    """The variance over k formats in one run."""

    values: tuple[float, float]  # as seen, and corrected
    limits: Limits
    slopes: Floats  # how much the variance gains with each figure, at its corrected size


def _side(run: Table, covariance: Floats) -> _Side:
    figures = [metrics.figure_of(run, "est_true", column) for column in range(len(run.formats))]
    values = np.array([figure.value for figure in figures])
    seen, noise, (low, high) = metrics.variance_over(
        figures, covariance, metrics.errors(run, "est_true")[1]
    )
    corrected = seen - noise
    size = math.sqrt(max(corrected, 0.0) / seen) if seen > 0 else 0.0
    slopes = 2 * size * (values - values.mean()) / values.size
    # The limits hold a variance of at least 0, and so does what they are the limits of.
    centre = min(max(corrected, low), high)
    return _Side((seen, corrected), (low, centre, high), slopes)


def _related(first: _Side, second: _Side, covariance: Floats) -> float:
    """The correlation of the two variances, for normal errors of their figures."""
    k = first.slopes.size
    centred = np.eye(k) - 1 / k
    slopes = first.slopes, second.slopes
    blocks = [[covariance[:k, :k], covariance[:k, k:]], [covariance[k:, :k], covariance[k:, k:]]]

    def moment(a: int, b: int) -> float:
        spread = float(((centred @ blocks[a][b] @ centred) ** 2).sum())
        return float(slopes[a] @ blocks[a][b] @ slopes[b]) + 2 * spread / k**2

    scale = math.sqrt(moment(0, 0) * moment(1, 1))
    # Rounded, so that two runs with the same answers are not a little apart.
    return min(round(moment(0, 1) / scale, 12), 1.0) if scale > 0 else 0.0


def training_rows(
    sys_by_format: Mapping[str, float], total: int, floor: float = 0.1
) -> dict[str, int]:
    """How many of `total` training rows each format gets: in inverse proportion to its Sys.

    Section 6; the paper rounds the ratios, here rows are whole numbers by largest remainder. A Sys
    below `floor` counts as this much: a format that the model can't do at all would take every row.
    """
    inverse = {name: 1 / max(value, floor) for name, value in sys_by_format.items()}
    exact = {name: each / math.fsum(inverse.values()) * total for name, each in inverse.items()}
    rows = {name: math.floor(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: rows[name] - exact[name])
    for name in by_remainder[: total - sum(rows.values())]:
        rows[name] += 1
    return rows
