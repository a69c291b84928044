"""Runs as tables for people."""

from __future__ import annotations

import math

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bias_tasks.results.run import FigureValue, Run


def print_run(console: Console, run: Run) -> None:
    """Print what was run, and a line for each figure."""
    console.print(Text(f"{run.task} ({run.host}), {run.model}", style="bold"))
    console.print(Text(f"protocol {run.protocol}, data {run.data}, {run.n} items"))
    if run.note is not None:
        console.print(Text(run.note, style="yellow"))
    table = Table(
        Column("metric", overflow="fold"),
        Column("value", justify="right", no_wrap=True),
        Column("95 % interval", justify="right", no_wrap=True),
        Column("n", justify="right", no_wrap=True),
    )
    for figure in run.metrics:
        table.add_row(Text(figure.name), _number(figure.value), _interval(figure), f"{figure.n:,}")
    console.print(table)


def _interval(figure: FigureValue) -> str:
    if math.isnan(figure.ci_low) or math.isnan(figure.ci_high):
        return "-"
    return f"{_number(figure.ci_low)} to {_number(figure.ci_high)}"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"
