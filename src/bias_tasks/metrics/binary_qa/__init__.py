"""Figures of binary question answering, with their intervals.

`binary_scorecard` is loaded on first use: it needs numpy and scipy, which importing the package
does not.
"""

from typing import TYPE_CHECKING, Any

from bias_tasks.metrics.binary_qa.outcome import BinaryOutcome
from bias_tasks.metrics.binary_qa.score import DEFAULT_WEIGHTS
from bias_tasks.metrics.estimate import Estimate

if TYPE_CHECKING:
    from bias_tasks.metrics.binary_qa.card import binary_scorecard

__all__ = ["DEFAULT_WEIGHTS", "BinaryOutcome", "Estimate", "binary_scorecard"]


def __getattr__(name: str) -> Any:
    if name == "binary_scorecard":
        from bias_tasks.metrics.binary_qa.card import binary_scorecard

        return binary_scorecard
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
