"""The metrics of a run as lm-eval needs them: one value per document, one function per metric."""

import math
from collections.abc import Callable, Mapping, Sequence

from bias_tasks.contract.outcomes import AnyOutcome
from bias_tasks.statistics.estimate import Estimate, flatten, standard_error

STDERR = "_stderr"
"""End of the name of the standard error that lm-eval prints next to a metric."""


class OutcomeScore(float):
    """A score that carries the answer's outcome between processes. Files hold a plain number."""

    outcome: AnyOutcome

    def __new__(cls, value: float, outcome: AnyOutcome) -> "OutcomeScore":
        score = super().__new__(cls, value)
        score.outcome = outcome
        return score

    def __getnewargs__(self) -> tuple[float, AnyOutcome]:  # type: ignore[override]
        return (float(self), self.outcome)


def flatten_with_errors(metrics: Mapping[str, Estimate]) -> dict[str, float]:
    """Return metrics as plain numbers with their standard errors, by lm-eval's names."""
    errors = {f"{name}{STDERR}": standard_error(metric) for name, metric in metrics.items()}
    return errors | flatten(metrics)


class MetricCache:
    """Every metric of a task's documents, computed once for all functions of lm-eval.

    Args:
        compute: Returns the metrics of outcomes.
    """

    def __init__(self, compute: Callable[[Sequence[AnyOutcome]], Mapping[str, Estimate]]) -> None:
        self._compute = compute
        self._scores: list[OutcomeScore] = []
        self._values: dict[str, float] = {}

    def __call__(self, name: str, scores: Sequence[OutcomeScore]) -> float:
        """Return one metric of scores.

        Args:
            name: The metric, or `<metric>_stderr` for its standard error.
            scores: The scores of all documents.

        Returns:
            nan if these documents do not have the metric.
        """
        # The same objects come again for every metric; equal scores may have other outcomes.
        if [*map(id, scores)] != [*map(id, self._scores)]:
            metrics = self._compute([score.outcome for score in scores])
            self._values, self._scores = flatten_with_errors(metrics), list(scores)
        return self._values.get(name, 0.0 if name.endswith("_n") else math.nan)
