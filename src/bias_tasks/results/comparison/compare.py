"""Compares finished runs of either host: each figure's difference, its interval, and a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.comparison.compared import Comparison


def compare_runs(
    runs: Sequence[RunAnswers],
    *,
    baseline: str | None = None,
    pairs: bool = False,
    figures: str | None = None,
    every: bool = False,
    margins: Mapping[str, float] | None = None,
    overlap: bool = False,
) -> Comparison:
    """Every run against the baseline of its task, paired by item.

    Args:
        runs: the runs with their answers, in the order in which they are shown.
        baseline: the path of a log, or the name of a model; the first run of each task by default.
        pairs: whether all pairs of a task's runs are compared, instead of each with the baseline.
        figures: the pattern of the names of the figures; by default the headline and those beside.
        every: every figure instead.
        margins: within how much two values are the same, by the pattern of a figure's name; the
            empty pattern is for all shares and differences of shares.
        overlap: whether runs of which one has other items are compared in those that both have.

    Raises:
        UnusableRunError: there is nothing to compare, or two runs can't be.
    """
    raise NotImplementedError
