"""Runs as tables for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bias_tasks.results.differences import sources
from bias_tasks.results.noise import without_noise
from bias_tasks.results.run import FigureValue, Run, Samples
from bias_tasks.results.shown import shown, values_listed
from bias_tasks.results.unread import unread_in

_DIGITS = 8
"""How much of a hash is shown."""
_HASHES = ("revision", "sha256")


def print_run(console: Console, run: Run, figures: Sequence[FigureValue]) -> None:
    """Print what was run, and a line for each of the figures."""
    console.print(Text(shown(f"{run.task} ({run.host}), {run.model}"), style="bold"))
    for line in header(run):
        console.print(Text(line))
    for warning in filter(None, (lost(run.samples), run.note, unread_in(run), *without_noise(run))):
        console.print(Text(shown(warning), style="yellow"))
    table = Table(
        Column("metric", overflow="fold"),
        Column("value", justify="right", no_wrap=True),
        Column("95 % interval", justify="right", no_wrap=True),
        Column("n", justify="right", no_wrap=True),
    )
    for figure in figures:
        name = Text(shown(figure.name))
        table.add_row(name, number(figure.value), interval(figure), f"{figure.n:,}")
    console.print(table)


def header(run: Run) -> Iterator[str]:
    """What was run, as far as it is not the default; a line each."""
    yield shown(f"protocol {run.protocol}, data {run.data}, {run.n} items")
    named = (
        ("parameters", run.changed),
        ("settings", run.settings),
        ("from", {name: _source(found) for name, found in sources(run.record).items()}),
    )
    for what, values in named:
        if values:
            yield f"{what}: {values_listed(values)}"
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    yield shown(f"{run.date or 'no date'}, digest {run.digest or 'unknown'}, {versions}")
    yield shown(f"log {run.path}")


def lost(samples: Samples) -> str | None:
    """How many samples the figures lack; None where they lack none."""
    kinds = (("failed", samples.failed), ("unscored", samples.unscored))
    found = [f"{count:,} {kind}" for kind, count in kinds if count]
    if not found:
        return None
    missing = samples.failed + samples.unscored
    return f"{missing:,} of {samples.asked:,} samples are in no figure: {', '.join(found)}"


def _source(found: Mapping[str, Any]) -> Any:
    """A source's identity in short: hashes cut, a source's files by their number."""
    short = {
        name: str(value)[:_DIGITS] if name in _HASHES else value
        for name, value in found.items()
        if name != "files"
    }
    return next(iter(short.values())) if len(short) == 1 else short


def interval(figure: FigureValue) -> str:
    """A figure's bounds; a dash where it has none."""
    if math.isnan(figure.ci_low) or math.isnan(figure.ci_high):
        return "-"
    return f"{number(figure.ci_low)} to {number(figure.ci_high)}"


def number(value: float) -> str:
    """A value to three digits; a dash where there is none."""
    return "-" if math.isnan(value) else f"{value:.3f}"
