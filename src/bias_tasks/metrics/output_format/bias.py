"""BiasF: the variance of a figure over formats, and what noise adds to it (equation 8)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from bias_tasks.metrics.binary_qa.magnitude import Magnitude, magnitude
from bias_tasks.metrics.design import QUANTILE, Floats
from bias_tasks.metrics.estimate import Estimate
from bias_tasks.metrics.intervals import wilson
from bias_tasks.metrics.output_format.covariance import correlation

PERCENT_SQUARED = 100.0**2
DRAWS = 4000
SEED = 20240816
_BELOW, _ABOVE = 0.025, 0.025
"""How often the variance may be below its interval, and above it."""


@dataclass(frozen=True, slots=True)
class FormatVariance:
    """The variance of a figure over k formats, in percent squared.

    `seen` estimates the same variance as `corrected` does, and has its interval, but is too large
    by `noise` on average.
    """

    seen: Estimate
    """Population variance of the k values."""
    noise: Estimate
    """What their sampling errors add to it on average; without bounds."""
    corrected: Estimate
    """`seen` less `noise`: right on average, and so below 0 as often as it must be."""


def format_variance(figures: Sequence[Estimate], covariance: Floats, items: int) -> FormatVariance:
    """The variance over the formats of a figure that each of them has.

    Args:
        figures: of k formats, each with n above 0; nan for k = 1, where nothing is compared.
        covariance: k by k, of the figures' errors (`ratio_covariance`).
        items: the items behind them, which the variance has as its n.
    """
    if len(figures) < 2:
        nothing = _unbounded(math.nan, 0)
        return FormatVariance(nothing, nothing, nothing)
    values = np.array([figure.value for figure in figures])
    noise = noise_variance(covariance)
    seen = float(np.var(values))
    low, high = variance_size(figures, covariance).limits(_BELOW, _ABOVE)
    bounds = low**2, high**2
    return FormatVariance(
        _bounded(seen, bounds, items),
        _unbounded(noise * PERCENT_SQUARED, items),
        _bounded(seen - noise, bounds, items),
    )


def noise_variance(covariance: Floats) -> float:
    """The expected population variance of k errors with this covariance."""
    k = covariance.shape[0]
    return float(np.trace(covariance) / k - covariance.sum() / k**2)


def variance_size(figures: Sequence[Estimate], covariance: Floats) -> Magnitude:
    """The standard deviation of the figures over the formats, with simulated errors of it."""
    values = np.array([figure.value for figure in figures])
    errors = joint_errors(figures, covariance)
    return magnitude(values - values.mean(), errors - errors.mean(axis=1, keepdims=True))


def joint_errors(figures: Sequence[Estimate], covariance: Floats) -> Floats:
    """Simulated errors, draws by k: as wide as the figures' own intervals, correlated as they are.

    This is the cluster bootstrap of the linearised figures with normal multipliers (a wild
    bootstrap), drawn from its covariance at once, however many items there are.
    """
    widths = np.array([_standard_error(figure) for figure in figures])
    strengths, axes = np.linalg.eigh(correlation(covariance))
    root = axes * np.sqrt(np.maximum(strengths, 0.0))
    normal = np.random.default_rng(SEED).standard_normal((DRAWS, len(figures)))
    drawn: Floats = normal @ root.T * widths
    return drawn


def _standard_error(figure: Estimate) -> float:
    low, high = figure.ci_low, figure.ci_high
    if math.isnan(low):
        # What a single cluster says counts for one answer.
        low, high = wilson(min(figure.value, 1.0), 1)
    return (high - low) / (2 * _Z)


def _unbounded(value: float, n: int) -> Estimate:
    return Estimate(value, math.nan, math.nan, n)


def _bounded(value: float, bounds: tuple[float, float], n: int) -> Estimate:
    low, high = (PERCENT_SQUARED * bound for bound in bounds)
    value *= PERCENT_SQUARED
    return Estimate(value, min(low, value), max(high, value), n)


_Z = float(ndtri(QUANTILE))
