"""Evaluates mitigations (FormatEval, section 3.2), and sizes fine-tuning data (section 6)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.metrics import (
    PERCENT_SQUARED,
    FormatOutcome,
    FormatTable,
    Metrics,
    build_sample,
    build_table,
    error_covariance,
    estimate_variance,
    find_comparable,
    find_estimate,
    to_percent_squared,
)
from bias_tasks.statistics.delta_method import ratio_covariance
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.mover import CI, mover_between_runs
from bias_tasks.statistics.outcomes import Mask
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, difference

_VARIANCES = ("bias_f", "bias_f_corrected")
_Values = dict[str, float]


@dataclass(frozen=True, slots=True)
class MitigationComparison:
    """A mitigated run against its baseline run, on the questions that both answered."""

    metrics: Mapping[str, Estimate]
    """Mitigated minus baseline: `delta_bias_f` and `delta_bias_f_corrected` in percent squared, and
    `delta_fi/<format>` with Holm-adjusted p-values."""
    holds: bool
    """Whether both of the paper's criteria are met: `bias_f` falls, and `fi` of no format does."""
    significant: bool
    """Whether it holds and the intervals confirm it: that of `delta_bias_f` is below 0, and that of
    each `delta_fi` above minus the margin."""
    lower_fi_formats: tuple[str, ...]
    """The formats whose `fi` falls."""
    excluded_formats: tuple[str, ...]
    """The formats that `bias_f` excludes, because too few answers of one run follow them."""
    baseline: Mapping[str, float]
    """`bias_f`, `bias_f_corrected` and `fi/<format>` of the baseline run, on shared questions."""
    mitigated: Mapping[str, float]
    """The same metrics of the mitigated run."""


def compare_mitigation(
    baseline: Sequence[FormatOutcome],
    mitigated: Sequence[FormatOutcome],
    *,
    margin: float = 0.05,
    protocol: PaperProtocol = "corrected",
) -> MitigationComparison:
    """Compare a mitigated run with its baseline run, on the questions that both answered.

    If a mitigation makes more answers follow, `bias_f` falls because there is less noise.
    `delta_bias_f_corrected` does not depend on noise.

    Args:
        baseline: Outcomes of the baseline run in one category.
        mitigated: Outcomes of the mitigated run in the same category.
        margin: How far `fi` may fall, as a share, for the mitigation to be `significant`.
        protocol: Protocol of the runs, on which depends what `bias_f` excludes (`find_comparable`).

    Raises:
        ValueError: The runs have different formats, or share no item in a format.
    """
    before, after = _pair_runs(baseline, mitigated)
    gains, weights = after.follows - before.follows, before.answered.astype(float)
    changes = holm_adjusted(
        {
            name: difference(build_sample(before, gains[:, column], weights[:, column]))
            for column, name in enumerate(before.formats)
        }
    )
    compared: Mask = find_comparable(before, protocol) & find_comparable(after, protocol)
    deltas, *values = _compare_variances(
        before.select_formats(compared), after.select_formats(compared)
    )
    lower = tuple(name for name, change in changes.items() if change.value < 0)
    delta = deltas["delta_bias_f"]
    holds = delta.value < 0 and not lower
    fi_kept = all(change.ci_low > -margin for change in changes.values())
    for run, run_values in zip((before, after), values, strict=True):
        for column, name in enumerate(run.formats):
            run_values[f"fi/{name}"] = find_estimate(run, "fi", column).value
    return MitigationComparison(
        metrics=deltas | {f"delta_fi/{name}": change for name, change in changes.items()},
        holds=holds,
        significant=holds and fi_kept and delta.ci_high < 0,
        lower_fi_formats=lower,
        excluded_formats=tuple(np.array(before.formats)[~compared].tolist()),
        baseline=values[0],
        mitigated=values[1],
    )


def _pair_runs(
    baseline: Sequence[FormatOutcome], mitigated: Sequence[FormatOutcome]
) -> tuple[FormatTable, FormatTable]:
    """Return both tables with the same formats, and the same items in each of them."""
    baseline_keys = {(outcome.item, outcome.format) for outcome in baseline}
    mitigated_keys = {(outcome.item, outcome.format) for outcome in mitigated}
    formats = {name for _, name in baseline_keys}
    if unpaired := formats ^ {name for _, name in mitigated_keys}:
        raise ValueError(
            f"only one of the two runs has {', '.join(sorted(unpaired))}: compare runs of the same "
            "formats"
        )
    shared = baseline_keys & mitigated_keys
    if missing := formats - {name for _, name in shared}:
        raise ValueError(
            f"the runs share no item in {', '.join(sorted(missing))}; give runs of the same items"
        )
    before, after = (
        build_table(outcome for outcome in run if (outcome.item, outcome.format) in shared)
        for run in (baseline, mitigated)
    )
    return before, after


def _compare_variances(before: FormatTable, after: FormatTable) -> tuple[Metrics, _Values, _Values]:
    """Compute `delta_bias_f` and `delta_bias_f_corrected`, and their values before and after.

    Both changes have one interval, made of the bounds of the two variances (MOVER). All are nan for
    fewer than two formats.
    """
    k = len(before.formats)
    if k < 2:
        undefined = dict.fromkeys(_VARIANCES, math.nan)
        return {f"delta_{name}": NO_ESTIMATE for name in _VARIANCES}, undefined, undefined.copy()
    covariance = ratio_covariance(
        np.hstack([before.score, after.score]),
        np.hstack([before.follows, after.follows]),
        before.cluster,
    )
    first = _describe_variance(before, covariance[:k, :k])
    second = _describe_variance(after, covariance[k:, k:])
    bounds = mover_between_runs(second.ci, first.ci, _correlate(first, second, covariance))
    n = int((before.follows.any(axis=1) | after.follows.any(axis=1)).sum())
    changes: Metrics = {}
    values: tuple[_Values, _Values] = ({}, {})
    for name, old, new in zip(_VARIANCES, first.values, second.values, strict=True):
        changes[f"delta_{name}"] = to_percent_squared(new - old, bounds, n)
        values[0][name], values[1][name] = old * PERCENT_SQUARED, new * PERCENT_SQUARED
    return changes, *values


class _Variance(NamedTuple):
    """The variance of EstTrue over k formats in one run."""

    values: tuple[float, float]
    """Observed and corrected."""
    ci: CI
    gradient: Floats
    """Derivative of the variance by each EstTrue, at its corrected size."""


def _describe_variance(run: FormatTable, covariance: Floats) -> _Variance:
    columns = range(len(run.formats))
    estimates = [find_estimate(run, "est_true", column) for column in columns]
    values = np.array([estimate.value for estimate in estimates])
    n_clusters = error_covariance(run, "est_true")[1]
    observed, noise, low, high = estimate_variance(estimates, covariance, n_clusters)
    corrected = observed - noise
    size = math.sqrt(max(corrected, 0.0) / observed) if observed > 0 else 0.0
    gradient = 2 * size * (values - values.mean()) / values.size
    # The bounds are of a variance that is at least 0, and so is their centre.
    centre = min(max(corrected, low), high)
    return _Variance((observed, corrected), (low, centre, high), gradient)


def _correlate(first: _Variance, second: _Variance, covariance: Floats) -> float:
    """Return the correlation of the two variances, for normal errors of EstTrue."""
    k = first.gradient.size
    centring = np.eye(k) - 1 / k
    gradients = first.gradient, second.gradient
    blocks = [[covariance[:k, :k], covariance[:k, k:]], [covariance[k:, :k], covariance[k:, k:]]]

    def moment(i: int, j: int) -> float:
        quadratic = float(((centring @ blocks[i][j] @ centring) ** 2).sum())
        return float(gradients[i] @ blocks[i][j] @ gradients[j]) + 2 * quadratic / k**2

    scale = math.sqrt(moment(0, 0) * moment(1, 1))
    # Rounded, so that two runs with the same answers have a difference of exactly 0.
    return min(round(moment(0, 1) / scale, 12), 1.0) if scale > 0 else 0.0


def allocate_training_rows(
    sys_by_format: Mapping[str, float], total: int, floor: float = 0.1
) -> dict[str, int]:
    """Return the number of training rows per format, in inverse proportion to its Sys (section 6).

    The paper rounds the ratios. Here the numbers of rows sum to the total, by largest remainder.

    Args:
        sys_by_format: Sys of each format, from 0 to 1.
        total: Number of rows in all.
        floor: Smallest Sys that is used: a format with a Sys of 0 would get every row.
    """
    inverse = {name: 1 / max(value, floor) for name, value in sys_by_format.items()}
    exact = {name: value / math.fsum(inverse.values()) * total for name, value in inverse.items()}
    rows = {name: math.floor(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: rows[name] - exact[name])
    for name in by_remainder[: total - sum(rows.values())]:
        rows[name] += 1
    return rows
