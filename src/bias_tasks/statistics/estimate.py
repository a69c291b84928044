"""What every metric returns."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval; nan where there is nothing to measure."""

    value: float
    ci_low: float
    ci_high: float
    n: int
    """Items in the denominator (pairs, for a paired figure)."""
    p: float | None = None
    """p-value of no difference, Holm-adjusted where several settings stand side by side."""


def standard_error(estimate: Estimate) -> float:
    """The standard error of the normal estimate whose interval is as wide as the figure's, which
    may lie to one side of the value; nan where there is none."""
    return (estimate.ci_high - estimate.ci_low) / (2 * Z)


def flatten(card: Mapping[str, Estimate]) -> dict[str, float]:
    """Figures as plain numbers, as both hosts log them: all values under their names; then for each
    `<name>_ci_low`, `<name>_ci_high`, `<name>_n` and, where it has one, `<name>_p`."""
    bounds = {}
    for name, estimate in card.items():
        bounds[f"{name}_ci_low"] = estimate.ci_low
        bounds[f"{name}_ci_high"] = estimate.ci_high
        bounds[f"{name}_n"] = float(estimate.n)
        if estimate.p is not None:
            bounds[f"{name}_p"] = estimate.p
    return {name: estimate.value for name, estimate in card.items()} | bounds


def written(card: Mapping[str, Estimate]) -> dict[str, dict[str, float | None]]:
    """Figures as plain JSON values: null where there is nothing to measure. A figure that is not
    tested has no `p`; the one of a test that could not be made is null."""
    return {
        name: {
            part: value if math.isfinite(value) else None
            for part, value in asdict(figure).items()
            if value is not None
        }
        for name, figure in card.items()
    }


def read_written(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Estimate]:
    """The figures that `written` wrote. A KeyError, TypeError or ValueError where they are none."""

    def number(value: Any) -> float:
        return math.nan if value is None else float(value)

    found = {}
    for name, row in rows.items():
        value, low, high = (number(row[part]) for part in ("value", "ci_low", "ci_high"))
        p = number(row["p"]) if "p" in row else None
        found[name] = Estimate(value, low, high, int(row["n"]), p)
    return found


def items_counted(items: Iterable[str]) -> dict[str, Estimate]:
    """The figure `items`: how many different items these are; none where there are none."""
    count = len(set(items))
    return {"items": Estimate(float(count), math.nan, math.nan, count)} if count else {}


QUANTILE = 0.975
"""Of the two-sided 95 % intervals."""
Z = 1.959963984540054
"""The normal distribution's `QUANTILE`; a number, for the harness's tables need no scipy."""
