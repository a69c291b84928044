"""One finished run and its figures, whichever host made it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

Host = Literal["inspect", "lm-eval"]

_ACCURACIES = ("judging/acc", "choice/acc")
"""Ends of names that begin with a variant; the forms' items are different ones."""
_ACCURACY_OF = "acc/"
"""Beginning of names that end with a variant."""
_ITEMS = ("items", "attackable")
"""Figures over all that was asked."""
_COUNTED = "found@k="
"""Beginning of the figures of a number of planted flaws."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric's value with its 95 % interval; nan where there was nothing to measure."""

    name: str
    value: float
    ci_low: float
    ci_high: float
    n: int
    """Items, or pairs of items, in the denominator."""


@dataclass(frozen=True, slots=True)
class Run:
    """One task on one model."""

    task: str
    host: Host
    model: str
    protocol: str
    data: str
    n: int
    """Items asked; a paired item counts once."""
    metrics: tuple[Figure, ...]
    note: str | None = None
    """What must be said wherever the run is shown, such as domains that it leaves out."""

    def to_dict(self) -> dict[str, Any]:
        """The run as plain JSON values, null for nan."""
        row = asdict(self)
        row["metrics"] = [
            {name: _or_null(value) for name, value in asdict(figure).items()}
            for figure in self.metrics
        ]
        return row


@dataclass(frozen=True, slots=True)
class Problem:
    """A file, or a run in it, that has no figures to show."""

    path: Path
    reason: str
    failed: bool = False
    """Whether it is a run of ours that did not finish, rather than something else's file."""


def figures(values: Mapping[str, float]) -> tuple[Figure, ...]:
    """The figures among a host's flat metrics: each name that comes with a `<name>_n`."""
    return tuple(
        Figure(
            name,
            float(value),
            float(values.get(f"{name}_ci_low", math.nan)),
            float(values.get(f"{name}_ci_high", math.nan)),
            int(values[f"{name}_n"]),
        )
        for name, value in values.items()
        if f"{name}_n" in values
    )


def items_asked(metrics: tuple[Figure, ...]) -> int:
    """How many items a run asked: under the variant, and of all the forms, that has most."""
    counts: dict[str, int] = {}
    for figure in metrics:
        if figure.name in _ITEMS or figure.name.startswith((_ACCURACY_OF, _COUNTED)):
            counts[figure.name] = figure.n
        for accuracy in _ACCURACIES:
            if figure.name.endswith(accuracy):
                variant = figure.name.removesuffix(accuracy)
                counts[variant] = counts.get(variant, 0) + figure.n
    return max(counts.values(), default=0)


def _or_null(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value
