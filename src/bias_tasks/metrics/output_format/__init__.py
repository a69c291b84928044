"""Figures of output formats, with their intervals.

What needs numpy and scipy is loaded on first use; importing the package does not.
"""

from typing import TYPE_CHECKING, Any

from bias_tasks.metrics.estimate import Estimate
from bias_tasks.metrics.output_format.outcome import FormatOutcome
from bias_tasks.metrics.output_format.task_scores import task_score

if TYPE_CHECKING:
    from bias_tasks.metrics.output_format.card import format_scorecard

__all__ = ["Estimate", "FormatOutcome", "format_scorecard", "task_score"]


def __getattr__(name: str) -> Any:
    if name == "format_scorecard":
        from bias_tasks.metrics.output_format.card import format_scorecard

        return format_scorecard
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
