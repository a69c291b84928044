"""The runs of a report with their answers, and what could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bias_tasks.families import load_family
from bias_tasks.family import Family
from bias_tasks.report.texts import keep
from bias_tasks.results.answers import RunAnswers, UnusableRunError, answers_of
from bias_tasks.results.find import apart, read_runs, worth_naming
from bias_tasks.results.overview import in_order
from bias_tasks.results.run import Problem, Run
from bias_tasks.results.shown import brief, values_listed


@dataclass(frozen=True, slots=True)
class Told:
    """A run as the report has it."""

    run: Run
    answers: RunAnswers | None
    """None where its log kept none."""
    missing: str | None = None
    """Why there are no answers."""

    @property
    def family(self) -> Family:
        """The family of its task."""
        return load_family(self.run.record["family"])

    @property
    def asked(self) -> tuple[str, str, str]:
        """What runs have in common that stand in one column: family, task, changed parameters."""
        return self.run.record["family"], self.run.record["task"], changed(self.run)


@dataclass(frozen=True, slots=True)
class Column:
    """The runs that asked the same task with the same parameters, the best first."""

    family: Family
    task: str
    changed: str
    """The parameters that are not the default."""
    runs: tuple[Told, ...]

    @property
    def title(self) -> str:
        """The task, with what is not its default."""
        return f"{self.task} ({self.changed})" if self.changed else self.task


@dataclass(frozen=True, slots=True)
class Gathered:
    """Everything that a report tells of."""

    columns: tuple[Column, ...]
    problems: tuple[Problem, ...]
    """Files of ours that have no figures, and those that were given by their names."""

    @property
    def runs(self) -> tuple[Told, ...]:
        """All runs, by column."""
        return tuple(told for column in self.columns for told in column.runs)

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in the order in which they first stand in a column."""
        return tuple(dict.fromkeys(told.run.model for told in self.runs))


def gather(paths: Sequence[Path]) -> Gathered:
    """The runs in the paths: Inspect logs, results files of lm-eval, or folders of them."""
    runs, problems = apart(read_runs(paths))
    told = [_told(run) for run in in_order(runs)]
    return Gathered(tuple(_columns(told)), tuple(worth_naming(problems, paths)))


def changed(run: Run) -> str:
    """The run's parameters that are not the default, in a line."""
    return brief(values_listed(run.changed))


def share_unread(told: Told) -> float | None:
    """The share of a run's answers in which none was found; None without its answers."""
    if told.answers is None:
        return None
    outcomes = told.answers.outcomes()
    return sum(each.answer is None for each in outcomes) / len(outcomes)


def _told(run: Run) -> Told:
    try:
        return Told(run, answers_of(run, keep))
    except UnusableRunError as error:
        return Told(run, None, brief(str(error).removeprefix(f"{run.path}: ")))


def _columns(told: Sequence[Told]) -> list[Column]:
    grouped: dict[Any, list[Told]] = {}
    for each in told:
        grouped.setdefault(each.asked, []).append(each)
    return [
        Column(runs[0].family, asked[1], asked[2], tuple(runs)) for asked, runs in grouped.items()
    ]
