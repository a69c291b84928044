"""What a comparison comes to, in words (FormatEval, section 3.2)."""

from __future__ import annotations

import math

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

    Args:
        result: the comparison.
        margin: how far `fi` may fall in a format for the mitigation to be shown to hold.
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
