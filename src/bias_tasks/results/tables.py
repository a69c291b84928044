"""Runs as tables for people, and in the formats of other tools."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bias_tasks.figures import needs_noise
from bias_tasks.record import MOST, unread_notice
from bias_tasks.results.answers import answers_of
from bias_tasks.results.differences import sources
from bias_tasks.results.frames import figure_rows
from bias_tasks.results.run import FigureValue, Run, UnusableRunError
from bias_tasks.results.text import brief, printable, values_listed
from bias_tasks.statistics.estimate import Estimate

ARROWS = {"higher": "↑", "lower": "↓", None: ""}
"""Which way of a figure is better, or nothing where neither is."""
_COLUMNS = ("task", "model", "changed", "n", "headline", "value", "95 % interval", "unread")
_HASHES = ("revision", "sha256")
_IN_MARKDOWN = ("task", "model", "changed", "figure", "value", "ci_low", "ci_high", "n")


def print_overview(console: Console, runs: Sequence[Run]) -> None:
    """Print a line for each run, those of one task together and the best model first."""
    table = Table(
        *(Column(name, overflow="fold") for name in _COLUMNS[:3]),
        Column(_COLUMNS[3], justify="right", no_wrap=True),
        Column(_COLUMNS[4], overflow="fold"),
        *(Column(name, justify="right", no_wrap=True) for name in _COLUMNS[5:]),
        box=SIMPLE_HEAD,
        padding=0,
    )
    for run in in_order(runs):
        table.add_row(*map(Text, _row(run)))
    console.print(table)
    for run in runs:
        for warning in filter(None, (lost(run), run.note, _unread(run))):
            line = printable(f"{run.task}, {run.model}: {warning}")
            console.print(Text(line, style="yellow"))


def print_run(console: Console, run: Run) -> None:
    """Print what was run, and a line for each of its figures."""
    console.print(Text(printable(f"{run.task} ({run.host}), {run.model}"), style="bold"))
    for line in _header(run):
        console.print(Text(line))
    for warning in filter(None, (lost(run), run.note, _unread(run), *without_noise(run))):
        console.print(Text(printable(warning), style="yellow"))
    table = Table(
        Column("metric", overflow="fold"),
        Column("value", justify="right", no_wrap=True),
        Column("95 % interval", justify="right", no_wrap=True),
        Column("n", justify="right", no_wrap=True),
    )
    for each in run.metrics:
        name = Text(printable(each.name))
        table.add_row(name, number(each.value), interval(each), f"{each.n:,}")
    console.print(table)


def write_rows(runs: Sequence[Run], form: str, out: Path | None) -> None:
    """Write the runs to a file, or to standard output.

    Raises:
        UsageError: Parquet has nowhere to go.
    """
    if form == "json":
        write_text(json.dumps([run.to_dict() for run in runs], indent=2), out)
        return
    rows = figure_rows(runs)
    if form == "markdown":
        write_text(
            markdown(_IN_MARKDOWN, ([row[name] for name in _IN_MARKDOWN] for row in rows)), out
        )
        return
    import pandas as pd

    frame = pd.DataFrame(rows)
    if form == "csv":
        write_text(frame.to_csv(index=False).rstrip("\n"), out)
    elif out is None:
        raise click.UsageError("Parquet is no text: say where to with --out FILE")
    else:
        frame.to_parquet(out, index=False)


def write_text(text: str, out: Path | None) -> None:
    """Write a text to a file, or to standard output."""
    if out is None:
        click.echo(text)
    else:
        out.write_text(text + "\n", encoding="utf-8")


def markdown(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table in Markdown, in whose cells nothing ends the cell or is taken for markup."""
    lines = [[_cell(each) for each in line] for line in (columns, *rows)]
    lines.insert(1, ["---"] * len(columns))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def in_order(runs: Sequence[Run]) -> list[Run]:
    """The runs by task and by what differs from the defaults, the best headline first."""

    def place(run: Run) -> tuple[str, str, str, float, str]:
        family, task = run.record["family"], run.record["task"]
        return family, task, values_listed(run.changed), _rank(run), run.model

    return sorted(runs, key=place)


def lost(run: Run) -> str | None:
    """How many samples a run's figures lack; None where they lack none."""
    samples = run.samples
    kinds = (("failed", samples.failed), ("unscored", samples.unscored))
    found = [f"{count:,} {kind}" for kind, count in kinds if count]
    missing = samples.failed + samples.unscored
    told = f"{missing:,} of {samples.asked:,} samples are in no figure: {', '.join(found)}"
    return told if found else None


def without_noise(run: Run) -> Iterator[str]:
    """What to say beside the figures of a run at temperature 0 that measure noise; a line each."""
    if run.settings.get("temperature") != 0:
        return
    settled = needs_noise((figure.name for figure in run.metrics), run.family.figures)
    for value in sorted(set(settled.values())):
        names = ", ".join(name for name, fixed in settled.items() if fixed == value)
        yield (
            f"at temperature 0 a deterministic model has {value:g} by construction: {names}; to "
            "measure noise, ask at the temperature in use"
        )


def arrow(run: Run, figure: FigureValue) -> str:
    """Which way is better: up, down, or nothing where neither is."""
    declared = run.declared(figure.name)
    return ARROWS[None if declared is None else declared.better]


def interval(figure: FigureValue | Estimate) -> str:
    """A figure's bounds; a dash where it has none."""
    if math.isnan(figure.ci_low) or math.isnan(figure.ci_high):
        return "-"
    return f"{number(figure.ci_low)} to {number(figure.ci_high)}"


def number(value: float) -> str:
    """A value to three digits; a dash where there is none."""
    return "-" if math.isnan(value) else f"{value:.3f}"


def _row(run: Run) -> tuple[str, ...]:
    """The texts of a run's line."""
    headline = run.headline
    shown = ("-", "-", "-")
    if headline is not None:
        name = f"{headline.name} {arrow(run, headline)}".strip()
        shown = (name, number(headline.value), interval(headline))
    task = brief(run.task.removeprefix("bias_tasks/"))
    unread = number(math.nan if run.unread is None else run.unread)
    return (task, brief(run.model), values_listed(run.changed), f"{run.n:,}", *shown, unread)


def _rank(run: Run) -> float:
    """The better comes first; runs without a headline come last."""
    headline = run.headline
    if headline is None or math.isnan(headline.value):
        return math.inf
    return headline.value if arrow(run, headline) == "↓" else -headline.value


def _header(run: Run) -> Iterator[str]:
    """What was run, as far as it is not the default; a line each."""
    yield printable(f"protocol {run.protocol}, data {run.data}, {run.n} items")
    named = (
        ("parameters", run.changed),
        ("settings", run.settings),
        ("from", {name: _source(found) for name, found in sources(run.record).items()}),
    )
    for what, values in named:
        if values:
            yield f"{what}: {values_listed(values)}"
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    yield printable(f"{run.date or 'no date'}, digest {run.digest}, {versions}")
    more = f" and {len(run.parts) - 1:,} other parts" if run.parts else ""
    yield printable(f"log {run.path}{more}")


def _source(found: Mapping[str, Any]) -> Any:
    """A source's identity in short: hashes cut, a source's files by their number."""
    short = {
        name: str(value)[:8] if name in _HASHES else value
        for name, value in found.items()
        if name != "files"
    }
    return next(iter(short.values())) if len(short) == 1 else short


def _unread(run: Run) -> str | None:
    """What to say beside the figures; the samples are read only where many answers are unread."""
    if run.unread is None or not run.unread > MOST:
        return None
    try:
        outcomes = answers_of(run).outcomes()
    except UnusableRunError:
        return f"{run.unread:.0%} of the answers could not be read; their samples are not here"
    return unread_notice(run.family, outcomes)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "-" if value != value else f"{value:.4g}"
    text = printable("-" if value is None else value)
    return "".join(f"\\{each}" if each in "\\|`*_<>[]" else each for each in text)
