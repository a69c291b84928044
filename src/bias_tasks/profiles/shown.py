"""Profiles as a table: a model a row, a task a column."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bias_tasks.profiles.chosen import profile_declared
from bias_tasks.results.overview import arrow
from bias_tasks.results.run import Run
from bias_tasks.results.shown import brief
from bias_tasks.results.table import interval, number


def print_profiles(console: Console, runs: Sequence[Run]) -> None:
    """Print the headline of each run with its interval, and the unread answers where there are."""
    tasks = [task for task in profile_declared().tasks if any(_task(run) == task for run in runs)]
    table = Table(
        Column("model", overflow="fold"),
        *(Column(_head(task, runs), justify="right", overflow="fold") for task in tasks),
        box=SIMPLE_HEAD,
        padding=(0, 1),
    )
    for model in dict.fromkeys(run.model for run in runs):
        own = {_task(run): run for run in runs if run.model == model}
        table.add_row(Text(brief(model)), *(_cell(own.get(task)) for task in tasks))
    console.print(table)


def _task(run: Run) -> str:
    return str(run.record["task"])


def _head(task: str, runs: Sequence[Run]) -> Text:
    """The task, and below it its figure with the direction that is better."""
    run = next(run for run in runs if _task(run) == task)
    headline = run.headline
    if headline is None:
        return Text(task)
    return Text(f"{task}\n{headline.name} {arrow(run, headline)}".strip())


def _cell(run: Run | None) -> Text:
    if run is None or run.headline is None:
        return Text("-")
    lines = [number(run.headline.value), interval(run.headline)]
    unread = next((each.value for each in run.metrics if each.name == "unread"), 0.0)
    if unread > 0:
        lines.append(f"{unread:.0%} unread")
    return Text("\n".join(lines))
