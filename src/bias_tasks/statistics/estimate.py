"""The estimate that every metric is: a value with its 95 % interval."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

QUANTILE = 0.975
"""Upper quantile of two-sided 95 % intervals."""
Z = 1.959963984540054
"""The normal distribution's `QUANTILE`, as a number, so that listing tasks needs no scipy."""
STDERR = "_stderr"
"""End of the name of a metric's standard error in the frameworks' results."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The value of a metric with its 95 % interval; nan if nothing was measured."""

    value: float
    ci_low: float
    ci_high: float
    n: int
    """Items in the denominator; pairs of items for a paired metric."""
    p: float | None = None
    """p-value of no difference, Holm-adjusted if several differences are tested side by side; None
    if nothing is tested."""

    @property
    def count(self) -> int | None:
        """The share as a number of its n items; None if it is not a whole number of them."""
        count = self.value * self.n
        if not math.isclose(count, round(count) if math.isfinite(count) else 0, abs_tol=1e-6):
            return None
        return round(count)

    @classmethod
    def without_interval(cls, value: float, n: int, p: float | None = None) -> "Estimate":
        """Return a value whose 95 % interval does not exist or is not computed.

        Args:
            value: The value; nan if nothing was measured.
            n: Items in the denominator.
            p: As in the class.
        """
        return cls(value, math.nan, math.nan, n, p)


def standard_error(estimate: Estimate) -> float:
    """Return the standard error of a normal estimate with an interval of the same width.

    The interval itself may be asymmetric. nan if there is no interval.
    """
    return (estimate.ci_high - estimate.ci_low) / (2 * Z)


def with_standard_errors(metrics: Mapping[str, Estimate]) -> dict[str, float]:
    """Return metrics as plain numbers, each followed by its standard error.

    Args:
        metrics: Estimates by printed name.

    Returns:
        `<name>`, the value, and `<name>_stderr`, its standard error, for each metric; nan for what
        was not measured.
    """
    numbers: dict[str, float] = {}
    for name, estimate in metrics.items():
        numbers[name], numbers[f"{name}{STDERR}"] = estimate.value, standard_error(estimate)
    return numbers


def flatten(metrics: Mapping[str, Estimate]) -> dict[str, float]:
    """Return metrics as plain numbers, as both frameworks log them.

    Args:
        metrics: Estimates by printed name.

    Returns:
        All values by name, then `<name>_ci_low`, `<name>_ci_high`, `<name>_n` and, for tested
        differences, `<name>_p` for each.
    """
    bounds = {}
    for name, estimate in metrics.items():
        bounds[f"{name}_ci_low"] = estimate.ci_low
        bounds[f"{name}_ci_high"] = estimate.ci_high
        bounds[f"{name}_n"] = float(estimate.n)
        if estimate.p is not None:
            bounds[f"{name}_p"] = estimate.p
    return {name: estimate.value for name, estimate in metrics.items()} | bounds


def metrics_to_json(metrics: Mapping[str, Estimate]) -> dict[str, dict[str, float | None]]:
    """Return metrics as plain JSON values.

    Args:
        metrics: Estimates by printed name.

    Returns:
        The fields of each estimate by name. nan is null; a metric that is not tested has no `p`.
    """
    return {
        name: {
            field: value if math.isfinite(value) else None
            for field, value in asdict(estimate).items()
            if value is not None
        }
        for name, estimate in metrics.items()
    }


def count_items(items: Iterable[str]) -> dict[str, Estimate]:
    """Return the metric `items`, the number of different items; empty if there are none."""
    count = len(set(items))
    return {"items": Estimate.without_interval(float(count), count)} if count else {}
