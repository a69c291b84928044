"""BiasF: the variance of a figure over formats, and what noise adds to it (equation 8)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bias_tasks.statistics.covariance import joint_errors
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import wilson
from bias_tasks.statistics.magnitude import magnitude

PERCENT_SQUARED = 100.0**2
_BELOW, _ABOVE = 0.035, 0.015
"""How often the variance may be below its interval, and above it: where it is 0 only the first can
happen."""


@dataclass(frozen=True, slots=True)
class FormatVariance:
    """The variance of a figure over k formats, in percent squared.

    `seen` and `corrected` estimate the same variance and share its interval, which reaches out to
    the value itself where that lies outside.
    """

    seen: Estimate
    """Population variance of the k values; too large by `noise` on average."""
    noise: Estimate
    """What their sampling errors add to it on average; without bounds."""
    corrected: Estimate
    """`seen` less `noise`: right on average, and so below 0 as often as it must be."""


def format_variance(figures: Sequence[Estimate], covariance: Floats, items: int) -> FormatVariance:
    """The variance over the formats of a figure that each of them has.

    Args:
        figures: of k formats, each with n above 0; nan for k below 2, where nothing is compared.
        covariance: k by k, of the figures' errors (`ratio_covariance`).
        items: the items behind them, which the variance has as its n.
    """
    if len(figures) < 2:
        nothing = Estimate(math.nan, math.nan, math.nan, 0)
        return FormatVariance(nothing, nothing, nothing)
    seen = float(np.var([figure.value for figure in figures]))
    noise = noise_variance(covariance)
    limits = variance_limits(figures, covariance)
    return FormatVariance(
        _estimate(seen, limits, items),
        Estimate(noise * PERCENT_SQUARED, math.nan, math.nan, items),
        _estimate(seen - noise, limits, items),
    )


def noise_variance(covariance: Floats) -> float:
    """The expected population variance of k errors with this covariance."""
    k = covariance.shape[0]
    return float(np.trace(covariance) / k - covariance.sum() / k**2)


def variance_limits(figures: Sequence[Estimate], covariance: Floats) -> tuple[float, float]:
    """95 % limits of the true variance, which is at least 0; nan where no figure has bounds.

    Were it smaller, the figures would lie closer together and each would err by its interval's arm
    toward the others; for the upper limit the mean of both arms serves.
    """
    if all(math.isnan(figure.ci_low) for figure in figures):
        return math.nan, math.nan
    values = np.array([figure.value for figure in figures])
    deviations = values - values.mean()
    down, up = np.array([_arms(figure) for figure in figures]).T
    inward = np.select([deviations > 0, deviations < 0], [down, up], np.maximum(down, up))
    lower, upper = (
        magnitude(deviations, errors - errors.mean(axis=1, keepdims=True)).limits(_BELOW, _ABOVE)
        for errors in (joint_errors(inward, covariance), joint_errors((down + up) / 2, covariance))
    )
    return lower[0] ** 2, upper[1] ** 2


def _arms(figure: Estimate) -> tuple[float, float]:
    low, high = figure.ci_low, figure.ci_high
    if math.isnan(low):
        # What a single cluster says counts for one answer.
        low, high = wilson(min(figure.value, 1.0), 1)
    return figure.value - low, max(high - figure.value, 0.0)


def _estimate(value: float, limits: tuple[float, float], n: int) -> Estimate:
    # min and max keep a nan that comes first.
    low, high = min(limits[0], value), max(limits[1], value)
    return Estimate(PERCENT_SQUARED * value, PERCENT_SQUARED * low, PERCENT_SQUARED * high, n)
