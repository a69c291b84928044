"""The runs of a report with their answers, and what could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bias_tasks.family import Family
from bias_tasks.results.answers import RunAnswers, answers_of
from bias_tasks.results.find import read_runs, worth_naming
from bias_tasks.results.run import Problem, Run, UnusableRunError, apart
from bias_tasks.results.tables import in_order
from bias_tasks.results.text import brief, cut, values_listed


@dataclass(frozen=True, slots=True)
class ReportedRun:
    """A run as the report has it."""

    run: Run
    answers: RunAnswers | None
    """None where its log kept none."""
    missing: str | None = None
    """Why there are no answers."""

    @property
    def unread(self) -> float | None:
        """The share of its answers in which none was found; None without its answers."""
        if self.answers is None:
            return None
        found = [answer.outcome.answer is None for answer in self.answers.answers]
        return sum(found) / len(found)


@dataclass(frozen=True, slots=True)
class Column:
    """The runs that asked the same task with the same parameters, the best first."""

    family: Family
    task: str
    changed: str
    """The parameters that are not the default."""
    runs: tuple[ReportedRun, ...]

    @property
    def title(self) -> str:
        """The task, with what is not its default."""
        return f"{self.task} ({self.changed})" if self.changed else self.task

    def of_model(self, model: str) -> list[ReportedRun]:
        """A model's runs: mostly one, two where both hosts ran it."""
        return [each for each in self.runs if each.run.model == model]


@dataclass(frozen=True, slots=True)
class Collected:
    """Everything that a report tells of."""

    columns: tuple[Column, ...]
    problems: tuple[Problem, ...]
    """Files of ours that have no figures, and those that were given by their names."""

    @property
    def runs(self) -> tuple[ReportedRun, ...]:
        """All runs, by column."""
        return tuple(each for column in self.columns for each in column.runs)

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in the order in which they first stand in a column."""
        return tuple(dict.fromkeys(each.run.model for each in self.runs))


def collect(paths: Sequence[Path]) -> Collected:
    """The runs in the paths: Inspect logs, results files of lm-eval, or folders of them."""
    runs, problems = apart(read_runs(paths))
    columns: dict[tuple[str, str, str], list[ReportedRun]] = {}
    for run in in_order(runs):
        asked = run.record["family"], run.record["task"], changed(run)
        columns.setdefault(asked, []).append(_with_answers(run))
    return Collected(
        tuple(
            Column(each[0].run.family, task, parameters, tuple(each))
            for (_, task, parameters), each in columns.items()
        ),
        tuple(worth_naming(problems, paths)),
    )


def changed(run: Run) -> str:
    """The run's parameters that are not the default, in a line."""
    return brief(values_listed(run.changed))


def _with_answers(run: Run) -> ReportedRun:
    try:
        return ReportedRun(run, answers_of(run, cut))
    except UnusableRunError as error:
        return ReportedRun(run, None, brief(str(error).removeprefix(f"{run.path}: ")))
