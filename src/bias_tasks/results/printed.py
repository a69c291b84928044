"""Runs in the formats of other tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import click

from bias_tasks.results.run import Run
from bias_tasks.results.shown import shown

Format = Literal["table", "json", "csv", "markdown", "parquet"]
FORMATS: tuple[Format, ...] = get_args(Format)


def rows_of(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """One row a figure of a run, as plain values: what `results_df` and CSV have.

    Columns: task, model, host, figure, whether it is the headline, value, ci_low, ci_high, stderr,
    n, unread, protocol, data, changed (JSON), digest, date, log.
    """
    rows = []
    for run in runs:
        told = {"task": run.record["task"], "model": run.model, "host": run.host}
        record = {
            "family": run.record["family"],
            "protocol": run.protocol,
            "data": run.data,
            "changed": json.dumps(dict(run.changed), ensure_ascii=False, default=str),
            "digest": run.digest,
            "date": run.date,
            "log": str(run.path),
        }
        headline = run.headline
        for figure in run.metrics:
            first = {"figure": figure.name, "headline": figure == headline}
            value = {**figure.to_dict(), "stderr": figure.stderr}
            value.pop("name")
            rows.append(told | first | value | record)
    return rows


def write_rows(runs: Sequence[Run], form: Format, out: Path | None) -> None:
    """Write the runs to a file, or to standard output.

    Raises:
        UsageError: Parquet has nowhere to go.
    """
    if form == "json":
        write_text(json.dumps([run.to_dict() for run in runs], indent=2), out)
        return
    import pandas as pd

    frame = pd.DataFrame(rows_of(runs))
    if form == "parquet":
        if out is None:
            raise click.UsageError("Parquet is no text: say where to with --out FILE")
        frame.to_parquet(out, index=False)
    elif form == "csv":
        write_text(frame.to_csv(index=False).rstrip("\n"), out)
    else:
        write_text(_markdown(frame.to_dict("records")), out)


def write_text(text: str, out: Path | None) -> None:
    """Write a text to a file, or to standard output."""
    if out is None:
        click.echo(text)
    else:
        out.write_text(text + "\n", encoding="utf-8")


_IN_MARKDOWN = ("task", "model", "changed", "figure", "value", "ci_low", "ci_high", "n")


def _markdown(rows: Sequence[dict[Any, Any]]) -> str:
    lines = [markdown_line(_IN_MARKDOWN), markdown_line(["---"] * len(_IN_MARKDOWN))]
    return "\n".join(
        [*lines, *(markdown_line([row[name] for name in _IN_MARKDOWN]) for row in rows)]
    )


def markdown_line(cells: Sequence[Any]) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(value: Any) -> str:
    """A cell's text, in which nothing ends the cell or is taken for markup."""
    if isinstance(value, float):
        return "-" if value != value else f"{value:.4g}"
    text = shown(value)
    return "".join(f"\\{each}" if each in "\\|`*_<>[]" else each for each in text)
