"""What is said of a run that may have stopped early."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from bias_tasks.parameters import VERDICT
from bias_tasks.stopping.until import Until

MANAGER = "bias_tasks until"
"""The name in a log of what stops our runs."""


def rule_told(until: Until) -> str:
    """When the run stops, as somebody gives it."""
    return f"until={until.rule}" if until.rule == VERDICT else f"until={until.rule:g}"


def construction(until: Until) -> str:
    """Which sequence the headline's interval is of."""
    return "asymptotic" if until.asymptotic else "betting"


def stopped_note(until: Mapping[str, Any], found: Mapping[str, Any], items: int) -> str:
    """One sentence on whether a run stopped early, why, and what its intervals are.

    Args:
        until: as `Until.to_dict` wrote it.
        found: what the log's early stopping says; empty where it says nothing.
        items: how many items the figures are over.
    """
    rule = Until.from_dict(until)
    why = found.get("reason")
    if found.get("stopped"):
        how = f"stopped early ({rule_told(rule)}) after {items:,} of {rule.items:,} items: {why}"
    else:
        how = f"{rule_told(rule)} left nothing out" + (f": {why}" if why else "")
    return (
        f"{how}; the interval of {rule.figure} is a 95 % confidence sequence "
        f"({construction(rule)}), valid whenever a run stops; the other figures have none"
    )


def reason_told(
    until: Until, clusters: int, value: float, low: float, high: float, word: str
) -> str:
    """What was known when a run stopped, or at its end.

    Args:
        until: when it stops.
        clusters: how many clusters were looked at.
        value, low, high: what was looked at, with its sequence.
        word: the verdict; empty where none is asked for.
    """
    shown = f"{value:.3f} ({_number(low)} to {_number(high)})"
    if until.rule == VERDICT:
        return f"{word}, a difference of {shown} from the baseline in {clusters:,} clusters"
    return f"{until.figure} is {shown} in {clusters:,} clusters"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"
