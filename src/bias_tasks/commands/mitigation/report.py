"""The criteria of a mitigation in words, and as JSON for other tools (section 3.2)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from bias_tasks.commands.mitigation.compare import Compared, ComparedRuns, Row, named
from bias_tasks.output_format.metrics.mitigation import Comparison


def criteria(result: Comparison) -> dict[str, bool | None]:
    """Whether each of the paper's criteria is met on what was seen; None where that is unknown."""
    change = result.figures["delta_bias_f"].value
    return {
        "bias_f falls": None if math.isnan(change) else change < 0,
        "fi falls in no format": not result.falling,
    }


def verdict(result: Comparison, margin: float) -> str:
    """One or two sentences.

    `margin` is how far `fi` may fall in a format for the mitigation to be shown to hold.
    """
    change = result.figures["delta_bias_f"]
    if math.isnan(change.value):
        return "It can't be told: bias_f needs two formats that answers of both runs follow."
    if result.shown:
        return "The mitigation holds: both criteria are met, and their intervals bear it out."
    if result.holds:
        return (
            "Both criteria are met on these items, but it is not shown that the mitigation holds: "
            + "; ".join(_doubts(result, margin))
            + "."
        )
    failed = []
    if change.value >= 0:
        failed.append("bias_f does not fall")
    if result.falling:
        failed.append(f"fi falls in {', '.join(result.falling)}{_by_chance(result)}")
    return f"The mitigation does not hold: {', and '.join(failed)}."


def _doubts(result: Comparison, margin: float) -> list[str]:
    """What the intervals leave open."""
    doubts = []
    if not result.figures["delta_bias_f"].ci_high < 0:
        doubts.append("the interval of bias_f's difference does not lie below 0")
    unsure = [
        name.removeprefix("delta_fi/")
        for name, change in result.figures.items()
        if name.startswith("delta_fi/") and not change.ci_low > -margin
    ]
    if unsure:
        doubts.append(f"fi may fall by {margin:g} or more in {', '.join(unsure)}")
    return doubts


def _by_chance(result: Comparison) -> str:
    """What to add where no fall of `fi` lies beyond chance."""
    changes = [result.figures[f"delta_fi/{name}"] for name in result.falling]
    return "" if any(change.ci_high < 0 for change in changes) else " (by no more than chance may)"


_WORDS = {True: "yes", False: "no", None: "unknown"}


def comparison_lines(runs: ComparedRuns) -> Iterator[str]:
    """For each group the criteria and the verdict."""
    if runs.alone:
        yield f"left out of the criteria, as one run alone asked it: {named(runs.alone)}"
    for compared in runs.groups:
        group = named([compared.group])
        yield f"mitigation (FormatEval, section 3.2), {group}: {_coverage(compared)}"
        if compared.result.left_out:
            names = ", ".join(compared.result.left_out)
            yield f"  bias_f leaves out, for want of answers that follow: {names}"
        for criterion, met in criteria(compared.result).items():
            yield f"  {criterion}: {_WORDS[met]}"
        yield f"  {verdict(compared.result, runs.margin)}"


def comparison_to_dict(runs: ComparedRuns) -> dict[str, Any]:
    """The figures, criteria and verdicts as plain JSON values, null for nan."""
    return {
        "base": str(runs.base.path),
        "mitigated": str(runs.mitigated.path),
        "margin": runs.margin,
        "in_one_run_alone": [list(group) for group in runs.alone],
        "comparisons": [_group_to_dict(compared, runs.margin) for compared in runs.groups],
    }


def _group_to_dict(compared: Compared, margin: float) -> dict[str, Any]:
    result = compared.result
    return {
        "dataset": compared.group[0],
        "prompting": compared.group[1],
        "category": compared.group[2],
        "asked_in_both": compared.asked,
        "base_only": compared.base_only,
        "mitigated_only": compared.mitigated_only,
        "left_out": list(result.left_out),
        "figures": [_row_to_dict(row) for row in compared.rows],
        "criteria": criteria(result),
        "holds": result.holds,
        "shown": result.shown,
        "verdict": verdict(result, margin),
    }


def _row_to_dict(row: Row) -> dict[str, Any]:
    change = row.difference
    figures: dict[str, float | None] = {
        "base": row.base,
        "mitigated": row.mitigated,
        "difference": change.value,
    }
    figures |= {"ci_low": change.ci_low, "ci_high": change.ci_high, "p": change.p}
    named = {name: _or_null(value) for name, value in figures.items()}
    return {"name": row.name, **named, "n": change.n}


def _coverage(compared: Compared) -> str:
    """On how much of the runs the comparison rests."""
    if not compared.base_only and not compared.mitigated_only:
        return f"all {compared.asked:,} answers of each run"
    return (
        f"{compared.asked:,} answers of each run, to what both asked; left out are "
        f"{compared.base_only:,} of the base run and {compared.mitigated_only:,} of the mitigated"
    )


def _or_null(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
