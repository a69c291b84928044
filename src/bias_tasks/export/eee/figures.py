"""A run's figures as results: each with its interval, its direction and its range."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from bias_tasks.families import load_family
from bias_tasks.figures import Figure
from bias_tasks.results.run import FigureValue, Run
from bias_tasks.statistics.level import QUANTILE

_LEVEL = round(2 * QUANTILE - 1, 9)
_UNITS: Mapping[str, str] = {"share": "proportion", "difference": "difference of proportions"}
"""What the units are called there, where it is not as here."""
_NO_DIRECTION = (
    "neither: the schema wants a truth value, and lower_is_better says nothing of this figure"
)
_INTERVAL = "by bias-tasks; respects clusters of items and pairs"
_STDERR = "of the normal estimate whose 95 % interval is as wide"


def results_of(
    run: Run, source_data: Mapping[str, Any], generation: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """One result a figure, the headline first.

    A figure of which there was nothing to measure has no number and is none (`without_value`).

    Args:
        run: with all of its figures.
        source_data: where the items come from, the same for each result.
        generation: how answers were drawn, the same for each result.
    """
    first = run.headline
    ordered = sorted(_measured(run), key=lambda figure: figure != first)  # stable
    return [
        {
            "evaluation_result_id": figure.name,
            "evaluation_name": run.record["task"],
            "source_data": source_data,
            "metric_config": _metric(run, figure),
            "score_details": _score(figure, is_headline=figure == first),
            **({"generation_config": generation} if generation else {}),
        }
        for figure in ordered
    ]


def without_value(run: Run) -> list[str]:
    """The names of the figures of which there was nothing to measure."""
    return [figure.name for figure in run.metrics if not math.isfinite(figure.value)]


def _measured(run: Run) -> list[FigureValue]:
    return [figure for figure in run.metrics if math.isfinite(figure.value)]


def _metric(run: Run, figure: FigureValue) -> dict[str, Any]:
    """What the figure is, as its family declares it."""
    family = load_family(run.record["family"])
    named = {"metric_id": f"bias_tasks.{family.name}.{figure.name}", "metric_name": figure.name}
    declared = family.figure(figure.name)
    if declared is None:
        return {**named, "lower_is_better": False, "additional_details": {"better": _NO_DIRECTION}}
    told = {
        "figure": declared.name,
        "better": declared.better or _NO_DIRECTION,
        "defined_in": declared.source,
    }
    return {
        **named,
        "evaluation_description": declared.meaning,
        "metric_unit": _UNITS.get(declared.unit, declared.unit),
        "lower_is_better": declared.better == "lower",
        **_range(declared),
        "additional_details": {name: value for name, value in told.items() if value},
    }


def _range(declared: Figure) -> dict[str, Any]:
    """The least and largest value that there can be."""
    kind = "binary" if declared.unit == "verdict" else "continuous"
    ends = {"min_score": declared.low, "max_score": declared.high}
    return {"score_type": kind, **{name: _bound(value) for name, value in ends.items()}}


def _bound(value: float) -> float | str:
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return float(value)


def _score(figure: FigureValue, *, is_headline: bool) -> dict[str, Any]:
    """The value with its uncertainty."""
    uncertainty: dict[str, Any] = {"num_samples": figure.n}
    details = {"headline": "true"} if is_headline else {}
    ends = {"lower": figure.ci_low, "upper": figure.ci_high}
    if all(map(math.isfinite, ends.values())):
        uncertainty["confidence_interval"] = ends | {
            "confidence_level": _LEVEL,
            "method": _INTERVAL,
        }
    else:  # one end alone, or one that is infinite, has no place there
        details |= {f"ci_{name}": str(end) for name, end in ends.items() if not math.isnan(end)}
    if figure.stderr is not None:
        uncertainty["standard_error"] = {"value": figure.stderr, "method": _STDERR}
    found: dict[str, Any] = {"score": figure.value, "uncertainty": uncertainty}
    return found | ({"details": details} if details else {})
