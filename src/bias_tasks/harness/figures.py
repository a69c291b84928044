"""The figures of a run as the harness wants them: one value a document, one function a metric."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from bias_tasks.metrics.estimate import flatten
from bias_tasks.metrics.instruction_boundary import Outcome, scorecard

_HIGHER_IS_BETTER = frozenset({"acc", "acc_balanced", "sr", "gr", "gr_none", "gr_multiple", "rs"})
_LOWER_IS_BETTER = frozenset({"rr", "unread", "judge_usage", "adopted", "abandoned"})


class OutcomeScore(float):
    """The score of one answer, 1.0 or 0.0, that carries its outcome.

    The harness gathers one value a document for every metric, across processes too, and writes it
    to the samples file; there it reads as a plain number.
    """

    outcome: Outcome

    def __new__(cls, outcome: Outcome) -> OutcomeScore:
        score = super().__new__(cls, outcome.ok)
        score.outcome = outcome
        return score

    def __getnewargs__(self) -> tuple[Outcome]:  # type: ignore[override]
        return (self.outcome,)


class Figures:
    """Every figure of a task's documents, worked out once for all its metrics."""

    def __init__(self) -> None:
        self._scores: list[OutcomeScore] = []
        self._figures: dict[str, float] = {}

    def __call__(self, name: str, scores: Sequence[OutcomeScore]) -> float:
        """The figure `name` over `scores`; nan where these documents do not have it."""
        if not _same(scores, self._scores):
            self._figures = flatten(scorecard([score.outcome for score in scores]))
            self._scores = list(scores)
        return self._figures.get(name, 0.0 if name.endswith("_n") else math.nan)


def better(names: Iterable[str]) -> dict[str, bool]:
    """Whether more is better, for the figures of which that can be said."""
    directions = {}
    for name in names:
        kind = name.removeprefix("vanilla/").rpartition("/")[2]
        if kind in _HIGHER_IS_BETTER or kind in _LOWER_IS_BETTER:
            directions[name] = kind in _HIGHER_IS_BETTER
    return directions


def _same(scores: Sequence[OutcomeScore], others: Sequence[OutcomeScore]) -> bool:
    return len(scores) == len(others) and all(
        one is other for one, other in zip(scores, others, strict=True)
    )
