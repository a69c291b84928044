"""The figures of a run as the harness wants them: one value a document, one function a metric."""

import math
from collections.abc import Callable, Mapping, Sequence

from bias_tasks.contract.family import Outcome
from bias_tasks.statistics.estimate import Estimate, flatten, standard_error

STDERR = "_stderr"
"""Ends the name of the standard error that the harness prints beside a metric."""


class OutcomeScore(float):
    """A score that carries its answer's outcome between processes; in files a plain number."""

    outcome: Outcome

    def __new__(cls, value: float, outcome: Outcome) -> "OutcomeScore":
        score = super().__new__(cls, value)
        score.outcome = outcome
        return score

    def __getnewargs__(self) -> tuple[float, Outcome]:  # type: ignore[override]
        return (float(self), self.outcome)


def figures_and_errors(card: Mapping[str, Estimate]) -> dict[str, float]:
    """Return the figures of a scorecard as the harness has them, with their standard errors."""
    errors = {f"{name}{STDERR}": standard_error(figure) for name, figure in card.items()}
    return errors | flatten(card)


class Figures:
    """Every figure of a task's documents, worked out once for all its metrics."""

    def __init__(self, scorecard: Callable[[Sequence[Outcome]], Mapping[str, Estimate]]) -> None:
        self._scorecard = scorecard
        self._scores: list[OutcomeScore] = []
        self._figures: dict[str, float] = {}

    def __call__(self, name: str, scores: Sequence[OutcomeScore]) -> float:
        """The figure `name` over `scores`, or the `<figure>_stderr` of one; nan where these
        documents do not have it."""
        if [*map(id, scores)] != [*map(id, self._scores)]:
            card = self._scorecard([score.outcome for score in scores])
            self._figures, self._scores = figures_and_errors(card), list(scores)
        return self._figures.get(name, 0.0 if name.endswith("_n") else math.nan)
