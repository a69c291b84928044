"""Profiles as a table: a task a row, a model a column."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bias_tasks.profiles.chosen import profile_declared
from bias_tasks.results.run import Run
from bias_tasks.results.tables import arrow, interval, number
from bias_tasks.results.text import brief


def print_profiles(console: Console, runs: Sequence[Run]) -> None:
    """Print the headline of each run with its interval, and the unread answers where there are."""
    models = list(dict.fromkeys(run.model for run in runs))
    table = Table(
        Column("task", no_wrap=True),
        Column("figure", no_wrap=True),
        *(Column(Text(brief(model)), justify="right", overflow="fold") for model in models),
        box=SIMPLE_HEAD,
        padding=(0, 1),
    )
    for task in profile_declared().tasks:
        own = {run.model: run for run in runs if run.record["task"] == task}
        if own:
            table.add_row(
                task, _figure(next(iter(own.values()))), *(_cell(own.get(each)) for each in models)
            )
    console.print(table)


def _figure(run: Run) -> Text:
    """What the task is about, with the direction that is better."""
    if run.headline is None:
        return Text("-")
    return Text(f"{run.headline.name} {arrow(run, run.headline)}".strip())


def _cell(run: Run | None) -> Text:
    if run is None or run.headline is None:
        return Text("-")
    lines = [number(run.headline.value), interval(run.headline)]
    unread = next((each.value for each in run.metrics if each.name == "unread"), 0.0)
    if unread > 0:
        lines.append(f"{unread:.0%} unread")
    return Text("\n".join(lines))
