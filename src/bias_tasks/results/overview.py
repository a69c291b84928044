"""Runs a line each: the model, the task, and the one figure that it is about."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bias_tasks.families import load_family
from bias_tasks.results.run import FigureValue, Run
from bias_tasks.results.shown import ARROWS, brief, shown, values_listed
from bias_tasks.results.table import interval, lost, number
from bias_tasks.results.unread import unread_in

Row = tuple[str, ...]
COLUMNS = ("task", "model", "changed", "n", "headline", "value", "95 % interval", "unread")
"""Of the table; `changed` are the parameters that are not the default."""


def print_overview(console: Console, runs: Sequence[Run]) -> None:
    """Print a line for each run, those of one task together and the best model first."""
    table = Table(
        *(Column(name, overflow="fold") for name in COLUMNS[:3]),
        Column(COLUMNS[3], justify="right", no_wrap=True),
        Column(COLUMNS[4], overflow="fold"),
        *(Column(name, justify="right", no_wrap=True) for name in COLUMNS[5:]),
        box=SIMPLE_HEAD,
        padding=0,
    )
    for run in in_order(runs):
        table.add_row(*map(Text, row(run)))
    console.print(table)
    for run in runs:
        for warning in filter(None, (lost(run.samples), run.note, unread_in(run))):
            console.print(Text(shown(f"{run.task}, {run.model}: {warning}"), style="yellow"))


def in_order(runs: Sequence[Run]) -> list[Run]:
    """The runs by task and by what differs from the defaults, the best headline first."""
    return sorted(runs, key=_place)


def _place(run: Run) -> tuple[str, str, str, float, str]:
    record = run.record
    return record["family"], record["task"], values_listed(run.changed), *_rank(run)


def row(run: Run) -> Row:
    """The texts of a run's line."""
    headline = run.headline
    task = brief(run.task.removeprefix("bias_tasks/"))
    named = task, brief(run.model), values_listed(run.changed)
    unread = next((each.value for each in run.metrics if each.name == "unread"), math.nan)
    if headline is None:
        return (*named, f"{run.n:,}", "-", "-", "-", number(unread))
    bounds = interval(headline)
    return (
        *named,
        f"{run.n:,}",
        f"{headline.name} {arrow(run, headline)}".strip(),
        number(headline.value),
        bounds,
        number(unread),
    )


def arrow(run: Run, figure: FigureValue) -> str:
    """Which way is better: up, down, or nothing where neither is."""
    declared = load_family(run.record["family"]).figure(figure.name)
    better = None if declared is None else declared.better
    return ARROWS[better]


def _rank(run: Run) -> tuple[float, str]:
    """The better comes first; runs without a headline come last."""
    headline = run.headline
    if headline is None or math.isnan(headline.value):
        return math.inf, run.model
    sign = 1 if arrow(run, headline) == "↓" else -1
    return sign * headline.value, run.model
