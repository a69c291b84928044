"""The metrics of a run as lm-eval needs them: one value per document, one function per metric."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from bias_tasks.contract.outcomes import AnyOutcome
from bias_tasks.statistics.estimate import Estimate, flatten, standard_error

STDERR = "_stderr"
"""End of the name of the standard error that lm-eval prints next to a metric."""


class OutcomeScore(float):
    """An answer's own value of a metric, nan if it has none. Files hold a plain number.

    It carries the answer's outcome, from which the metric of all answers is computed, between
    processes.
    """

    outcome: AnyOutcome | None

    def __new__(cls, value: float, outcome: AnyOutcome | None) -> "OutcomeScore":
        score = super().__new__(cls, value)
        score.outcome = outcome
        return score

    def __getnewargs__(self) -> tuple[float, AnyOutcome | None]:  # type: ignore[override]
        return (float(self), self.outcome)


def score_outcome(
    names: Iterable[str], values: Mapping[str, float], outcome: AnyOutcome | None
) -> dict[str, OutcomeScore]:
    """Return what lm-eval logs of an answer: its value of each metric, nan if it has none.

    Args:
        names: The metrics of the task.
        values: The answer's own values by metric (`Family.answer_values`).
        outcome: The answer's outcome; None without an answer.
    """
    return {name: OutcomeScore(values.get(name, math.nan), outcome) for name in names}


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
        self._outcomes: list[AnyOutcome] = []
        self._values: dict[str, float] = {}

    def __call__(self, name: str, scores: Sequence[OutcomeScore]) -> float:
        """Return one metric of scores.

        Args:
            name: The metric, or `<metric>_stderr` for its standard error.
            scores: The scores of all documents.

        Returns:
            nan if these documents do not have the metric.
        """
        outcomes = [score.outcome for score in scores if score.outcome is not None]
        # The same objects come again for every metric.
        if [*map(id, outcomes)] != [*map(id, self._outcomes)]:
            self._values, self._outcomes = flatten_with_errors(self._compute(outcomes)), outcomes
        return self._values.get(name, 0.0 if name.endswith("_n") else math.nan)
