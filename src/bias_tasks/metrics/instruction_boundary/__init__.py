"""Figures with their intervals from the outcomes of a run.

`scorecard` is loaded on first use: it needs numpy and scipy, which importing the package does not.
"""

from typing import TYPE_CHECKING, Any

from bias_tasks.metrics.estimate import Estimate
from bias_tasks.metrics.instruction_boundary.outcome import INVALID, UNREAD, SettingOutcome

if TYPE_CHECKING:
    from bias_tasks.metrics.instruction_boundary.card import scorecard

__all__ = ["INVALID", "UNREAD", "Estimate", "SettingOutcome", "scorecard"]


def __getattr__(name: str) -> Any:
    if name == "scorecard":
        from bias_tasks.metrics.instruction_boundary.card import scorecard

        return scorecard
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
