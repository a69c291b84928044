"""One finished run and its figures, whichever host made it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

Host = Literal["inspect", "lm-eval"]
RECORD = "bias_tasks"
"""The name under which a task of ours writes down what it asked, in either host's log."""


@dataclass(frozen=True, slots=True)
class FigureValue:
    """A figure's value with its 95 % interval; nan where there was nothing to measure."""

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
    """Items asked and scored; a paired item counts once."""
    metrics: tuple[FigureValue, ...]
    note: str | None = None
    """What must be said wherever the run is shown, such as domains that it leaves out."""
    record: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """What the run wrote down of itself (`bias_tasks.family.run_record`)."""

    def to_dict(self) -> dict[str, Any]:
        """The run as plain JSON values, null for nan."""
        row = asdict(self)
        del row["record"]
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


def run_of(
    task: str, host: Host, model: str, record: Mapping[str, Any], values: Mapping[str, float]
) -> Run | None:
    """The run that wrote down `record`, with its host's metrics; None where it has no figures.

    Args:
        task: its name in the host.
        host: which of the two.
        model: the model's name.
        record: what the run wrote down of itself.
        values: the host's flat metrics: figures, their bounds and their numbers of items.
    """
    metrics = _figures(values)
    if not metrics:
        return None
    return Run(
        task=task,
        host=host,
        model=model,
        protocol=record["protocol"],
        data=record["data"],
        n=int(values["items"]),
        metrics=metrics,
        note="; ".join(record["notes"]) or None,
        record=record,
    )


def _figures(values: Mapping[str, float]) -> tuple[FigureValue, ...]:
    """The figures among a host's flat metrics: each name that comes with a `<name>_n`."""
    return tuple(
        FigureValue(
            name,
            float(value),
            float(values.get(f"{name}_ci_low", math.nan)),
            float(values.get(f"{name}_ci_high", math.nan)),
            int(values[f"{name}_n"]),
        )
        for name, value in values.items()
        if f"{name}_n" in values
    )


def _or_null(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value
