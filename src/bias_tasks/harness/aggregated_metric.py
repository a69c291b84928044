"""The functions by which lm-eval computes the metrics of a task and their standard errors."""

from collections.abc import Sequence
from typing import Any

from lm_eval import evaluator_utils

from bias_tasks.harness.metrics import MetricCache, OutcomeScore
from bias_tasks.statistics.estimate import STDERR


class AggregatedMetric:
    """One metric of a task: a function of the scores of all documents, as lm-eval calls it.

    Args:
        cache: The values of the metrics of all documents.
        name: The metric, as `result_name` has it.
    """

    def __init__(self, cache: MetricCache, name: str) -> None:
        self._cache = cache
        self._name = name

    def __call__(self, scores: Sequence[OutcomeScore]) -> float | str:
        """Return the metric's value, as `MetricCache` does."""
        return self._cache(self._name, scores)

    def standard_error(self, scores: Sequence[OutcomeScore]) -> float | str:
        """Return the metric's standard error, as `MetricCache` does."""
        return self._cache(f"{self._name}{STDERR}", scores)


_find_own_stderr = evaluator_utils.stderr_for_metric


def _find_stderr(metric: Any, bootstrap_iters: int) -> Any:
    """Return what computes a metric's standard error; None if nothing does."""
    if isinstance(metric, AggregatedMetric):
        return metric.standard_error
    return _find_own_stderr(metric, bootstrap_iters)


# lm-eval knows the standard errors of its own functions alone. A standard error that is a metric of
# its own would have a standard error in turn.
evaluator_utils.stderr_for_metric = _find_stderr
