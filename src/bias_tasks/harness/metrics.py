"""The metrics of a run as lm-eval needs them: one value per document, one function per metric."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from bias_tasks.contract.metrics import ITEMS
from bias_tasks.contract.outcomes import AnyOutcome
from bias_tasks.statistics.estimate import STDERR, Estimate, flatten, with_standard_errors

NO_STDERR = "N/A"
"""What lm-eval has in place of the standard error of a metric without one."""


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
    own = {result_name(name): value for name, value in values.items()}
    return {name: OutcomeScore(own.get(name, math.nan), outcome) for name in names}


def result_name(metric: str) -> str:
    """Return the name of a metric in lm-eval's results, whose keys have a comma after the name.

    Args:
        metric: The printed name. The name of a domain or a file may have a comma.
    """
    return metric.replace(",", ";")


def result_names(metrics: Iterable[str]) -> list[str]:
    """Return the names of a task's metrics in lm-eval's results, without lm-eval's filters.

    Args:
        metrics: The printed names of the reported metrics.

    Returns:
        Each metric, and `items`. lm-eval adds `<name>_stderr` for each.
    """
    return [*map(result_name, metrics), ITEMS.name]


def result_values(metrics: Mapping[str, Estimate]) -> dict[str, float | str]:
    """Return the values of metrics and of their standard errors by the names in lm-eval's results.

    A value that was not measured is nan, and a standard error that does not exist is `N/A`, as
    lm-eval has it.
    """
    numbers = flatten(metrics) | with_standard_errors(metrics)
    return {
        result_name(name): NO_STDERR if math.isnan(number) and name.endswith(STDERR) else number
        for name, number in numbers.items()
    }


class MetricCache:
    """Every metric of a task's documents, computed once for all functions of lm-eval.

    Args:
        compute: Returns the metrics of outcomes.
    """

    def __init__(self, compute: Callable[[Sequence[AnyOutcome]], Mapping[str, Estimate]]) -> None:
        self._compute = compute
        self._outcomes: list[AnyOutcome] = []
        self._values: dict[str, float | str] = {}

    def __call__(self, name: str, scores: Sequence[OutcomeScore]) -> float | str:
        """Return one metric of scores.

        Args:
            name: The metric, or `<metric>_stderr` for its standard error, as `result_name` has it.
            scores: The scores of all documents.

        Returns:
            nan if these documents do not have the metric, `N/A` without a standard error.
        """
        outcomes = [score.outcome for score in scores if score.outcome is not None]
        # The same outcomes come again for every metric; those of other processes as copies.
        if outcomes != self._outcomes:
            self._values, self._outcomes = result_values(self._compute(outcomes)), outcomes
        missing = 0.0 if name.endswith("_n") else math.nan
        return self._values.get(name, NO_STDERR if name.endswith(STDERR) else missing)
