"""Figures of output formats, with their intervals.

What needs numpy and scipy is loaded on first use; importing the package does not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bias_tasks.metrics.estimate import Estimate
from bias_tasks.metrics.output_format.finetune import counts, finetune_shares
from bias_tasks.metrics.output_format.outcome import FormatOutcome
from bias_tasks.metrics.output_format.task_scores import task_score

if TYPE_CHECKING:
    from bias_tasks.metrics.output_format.card import format_scorecard
    from bias_tasks.metrics.output_format.mitigation import Comparison, compare

__all__ = [
    "Comparison",
    "Estimate",
    "FormatOutcome",
    "compare",
    "counts",
    "finetune_shares",
    "format_scorecard",
    "task_score",
]
_LAZY = {"Comparison": "mitigation", "compare": "mitigation", "format_scorecard": "card"}
"""The modules of the names that are loaded on first use."""


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
