"""What the options of `bias-tasks compare` mean."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from bias_tasks.results.answers import RunAnswers, UnusableRunError, answers_of
from bias_tasks.results.comparison.compared import Comparison, Verdict
from bias_tasks.results.comparison.verdict import SHARES
from bias_tasks.results.find import apart, read_runs
from bias_tasks.results.run import Problem
from bias_tasks.results.shown import shown

FAILING: dict[str, tuple[Verdict, ...]] = {
    "worse": ("WORSE",),
    "inconclusive": ("WORSE", "INCONCLUSIVE", "UNREAD"),
    "different": ("WORSE", "BETTER", "HIGHER", "LOWER"),
}
"""Which verdicts make a gate fail, by what it fails on."""


class Margin(click.ParamType[tuple[str, float]]):
    """`0.05`, for all shares and differences of shares, or `PATTERN=VALUE` for named figures."""

    name = "margin"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, float]:
        """The pattern, empty for all shares, and the margin."""
        pattern, _, number = value.rpartition("=")
        try:
            margin = float(number)
        except ValueError:
            margin = -1.0
        if not 0 < margin < float("inf") or (not pattern and margin >= 1):
            self.fail(f"{value!r} is no margin: give 0.05, or NAME=VALUE such as mbs=2", param, ctx)
        return pattern or SHARES, margin


def read_all(paths: Iterable[Path]) -> list[RunAnswers]:
    """The runs with their answers in logs, results files or folders of them, in their order.

    Raises:
        UnusableRunError: a run did not finish, or its log is broken or kept no answers.
    """
    found: list[RunAnswers] = []
    for path in paths:
        runs, problems = apart(read_runs([path]))
        failed = [each for each in problems if each.failed]
        if failed:
            raise UnusableRunError(f"{failed[0].path}: {failed[0].reason}{_more(failed)}")
        if not runs:
            reasons = "; ".join(dict.fromkeys(each.reason for each in problems))
            raise UnusableRunError(f"{path}: {reasons or 'holds no finished run of bias-tasks'}")
        found += map(answers_of, runs)
    return found


def fail_where_asked(comparison: Comparison, on: str | None) -> None:
    """Leave with status 2 where a figure came to what the gate fails on; the reason is said."""
    if on is None:
        return
    failing = [
        f"{figure.name} of {pair.second.model} ({figure.verdict})"
        for pair in comparison.pairs
        for figure in pair.figures
        if figure.verdict in FAILING[on]
    ]
    if failing:
        click.echo(shown(f"--fail-on {on}: {', '.join(failing)}"), err=True)
        raise click.exceptions.Exit(2)


def _more(failed: list[Problem]) -> str:
    return f" (and {len(failed) - 1:,} more files)" if len(failed) > 1 else ""
