"""Figures of judges under auxiliary information, with their intervals.

The scorecards are loaded on first use: they need numpy and scipy, which importing the package
does not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bias_tasks.metrics.complex_eval.outcome import IssueCount, Judgement
from bias_tasks.metrics.estimate import Estimate

if TYPE_CHECKING:
    from bias_tasks.metrics.complex_eval.advanced import advanced_scorecard
    from bias_tasks.metrics.complex_eval.attention import attention_scorecard
    from bias_tasks.metrics.complex_eval.basic import basic_scorecard

__all__ = [
    "Estimate",
    "IssueCount",
    "Judgement",
    "advanced_scorecard",
    "attention_scorecard",
    "basic_scorecard",
]
_LAZY = {f"{name}_scorecard": name for name in ("advanced", "attention", "basic")}
"""The modules of the names that are loaded on first use."""


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
