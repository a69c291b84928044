"""Writes rows as text tables, JSON and CSV, and files that are complete or absent."""

import io
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from math import isfinite, isnan
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import click
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import open_to_replace
from bias_tasks.results.run import Run, none_if_not_finite
from bias_tasks.results.text import escape_formula, escape_lines, shorten, to_json
from bias_tasks.statistics.estimate import Estimate

Row: TypeAlias = Mapping[str, object]
"""One row of a table: its values by column."""
ARROWS = {"higher": "↑", "lower": "↓", None: ""}
"""Arrows that show which direction of a metric is better."""
_MAX_CELL = dict.fromkeys(("answer", "answer_label", "answer_text"), (2000,))
"""Maximum characters of the cells of some columns in CSV, besides the note."""
_BREAKS = re.compile(r"(?<=[_/=,])(?=[^\s_/=,])")
"""Positions at which a long name or a list may be wrapped."""
_NUMERIC_CELL = re.compile(r"[-+<$]?[\d.,]*( to [-+]?[\d.,]+)?")
"""A number, an interval, a dash or nothing."""


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options `--format` and `--out`, as the arguments that `write` takes."""
    out = click.option(
        "--out",
        type=click.Path(path_type=Path),
        show_default="standard output",
        help="File to write to.",
    )
    form = click.option(
        "--format",
        "form",
        type=click.Choice(("table", "json", "csv")),
        default="table",
        help="Output format: a table to read, or a form for other programs.",
    )
    return form(out(command))


def write(
    rows: Sequence[Row], form: str, out: Path | None, show: Callable[[Console], None]
) -> None:
    """Write rows for other programs, or what people read about them.

    Args:
        rows: Rows with the same columns, which `csv` and `json` have.
        form: The value of `--format`.
        out: File to write to; None for standard output.
        show: Function that prints the tables and sentences of the form `table`.
    """
    if form == "csv":
        write_csv(rows, out)
    elif form == "json":
        write_text(to_json(rows, 2, ascii_only=True), out)
    elif out is None:
        show(Console())
    else:
        buffer = io.StringIO()
        show(Console(file=buffer))
        write_text(buffer.getvalue().rstrip("\n"), out)


def print_table(
    console: Console,
    groups: Mapping[str, Sequence[Row]],
    *,
    numbers: Collection[str] = (),
    styles: Mapping[str, str] | None = None,
) -> None:
    """Print groups of rows without truncating any word or number.

    Columns of numbers are right-aligned and not wrapped. Long names are wrapped after `_`, `/`, `=`
    and commas. If the columns do not fit next to each other, each row is printed as a list of
    `column: value` lines.

    Args:
        console: The console to print to.
        groups: Rows with the same columns, by the heading that is printed above them.
        numbers: Columns that are printed like numbers although they have other texts.
        styles: Style of a row by a text that the row contains.
    """
    columns = list(next(chain(*groups.values()), ()))
    if not columns:
        return
    grid = {
        heading: [[_format_cell(row[name]) for name in columns] for row in rows]
        for heading, rows in groups.items()
    }
    cells_by_column = zip(columns, zip(*chain(*grid.values()), strict=True), strict=True)
    numbers = {name for name, cells in cells_by_column if name in numbers or _are_numbers(cells)}
    widths = _compute_widths([columns, *chain(*grid.values())], numbers, console.width)
    for index, (heading, rows) in enumerate(grid.items()):
        print_paragraph(console, heading, "bold")
        if not widths:
            for row in rows:
                cells = (" ".join(cell.split()) for cell in row)
                lines = map(": ".join, zip(columns, cells, strict=True))
                print_paragraph(console, "\n  ".join(lines))
            continue
        table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 0, 0, 1), pad_edge=False)
        table.show_header = index == 0
        for name, width in zip(columns, widths, strict=True):
            table.add_column(
                wrap_text(name, width), justify="right" if name in numbers else "left", width=width
            )
        for row in rows:
            row_text = " ".join(" ".join(row).split())
            style = next((s for text, s in (styles or {}).items() if text in row_text), "")
            table.add_row(*map(Text, map(wrap_text, row, widths)), style=style)
        console.print(table)
    console.print()


def print_rows(rows: Sequence[Row], notes: Iterable[str] = ()) -> None:
    """Print one table to standard output, with notes as paragraphs below it."""
    console = Console()
    print_table(console, {"": rows})
    for note in notes:
        print_paragraph(console, note)


def _format_cell(value: object) -> str:
    """Format a value of a table: estimates with their interval, missing values as a dash."""
    if value is None:
        return "-"
    if isinstance(value, Estimate):
        return f"{format_number(value.value)}\n{format_interval(value)}"
    if isinstance(value, int):
        return f"{value:,}"
    return format_number(value) if isinstance(value, float) else escape_lines(str(value))


def _are_numbers(cells: Iterable[str]) -> bool:
    """Return whether all lines of the cells of a column are numbers, intervals or dashes."""
    lines = [line for cell in cells for line in cell.split("\n")]
    return any(lines) and all(map(_NUMERIC_CELL.fullmatch, lines))


def print_paragraph(console: Console, text: str, style: str = "") -> None:
    """Print a text wrapped to the console's width; print nothing if it is empty."""
    if text:
        console.print(Text(wrap_text(text, console.width), style), soft_wrap=True)


def wrap_text(text: str, width: int) -> str:
    """Wrap a text between words, and within words that are longer than a line.

    A part without a possible break may be longer than `width`.
    """
    lines = []
    for line in text.split("\n"):
        current = indent = " " * (len(line) - len(line.lstrip()))
        for word in re.findall(r"\S+\s*", line):
            fits = _cell_length(indent + word) <= width
            for part in [word] if fits else _BREAKS.split(word):
                if current.strip() and _cell_length(current + part) > width:
                    lines.append(current.rstrip())
                    current = indent
                current += part
        lines.append(current.rstrip())
    return "\n".join(lines)


def _compute_widths(
    grid: Sequence[Sequence[str]], numbers: Collection[str], total_width: int
) -> list[int]:
    """Return the columns' widths; an empty list if they do not fit into `total_width`.

    Columns that need the least additional width to avoid wrapping get it first.
    """
    widths, missing = [], []
    for heading, *cells in zip(*grid, strict=True):
        lines = [line for cell in cells for line in cell.split("\n")]
        parts = [*heading.split(), *lines]
        if heading not in numbers:
            lines.append(heading)
            words = (word for line in lines for word in line.split())
            parts = [part for word in words for part in _BREAKS.split(word)]
        widths.append(max(map(_cell_length, parts), default=0))
        missing.append(max(0, *map(_cell_length, lines)) - widths[-1])
    remaining = total_width - sum(widths) - 2 * (len(widths) - 1)
    if remaining < 0:
        return []
    for index in sorted(range(len(widths)), key=missing.__getitem__):
        added = max(0, min(missing[index], remaining))
        widths[index] += added
        remaining -= added
    return widths


def _cell_length(text: str) -> int:
    return cell_len(text.rstrip())


def write_text(text: str, out: Path | None) -> None:
    """Write a text to a file, or to standard output."""
    if out is None:
        return click.echo(text)
    with open_output(out) as stream:
        stream.write(f"{text}\n".encode())


def open_output(out: Path) -> AbstractContextManager[BinaryIO]:
    """Return a stream to a file that appears only once it is complete; create its folder.

    Raises:
        DataError: The folder cannot be created.
    """
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot write {out}: {error.strerror}") from error
    return open_to_replace(out)


def write_csv(rows: Sequence[Row], out: Path | None) -> None:
    """Write rows as CSV in which a spreadsheet evaluates no text as a formula.

    Long texts are cut with a note, since spreadsheets and Python's reader refuse long cells.
    """
    import pandas as pd

    cells = [
        {n: escape_formula(none_if_not_finite(v), *_MAX_CELL.get(n, ())) for n, v in row.items()}
        for row in rows
    ]
    write_text(pd.DataFrame(cells).to_csv(index=False).rstrip("\n"), out)


def format_interval(estimate: Estimate, sign: str = "") -> str:
    """Format the confidence bounds; a dash if one is missing.

    Args:
        estimate: The estimate.
        sign: `+` if positive numbers have a sign.
    """
    _, low, high = format_numbers(estimate.value, estimate.ci_low, estimate.ci_high, sign=sign)
    return "-" if "-" in (low, high) else f"{low} to {high}"


def format_number(value: float) -> str:
    """Format a number with three decimals, a large one with fewer; nan as a dash."""
    return format_numbers(value)[0]


def format_numbers(*values: float, sign: str = "") -> list[str]:
    """Format numbers with the same number of decimals; nan as a dash."""
    largest = max((abs(value) for value in values if isfinite(value)), default=0.0)
    decimals = 3 if largest < 10 else 1 if largest < 1000 else 0
    # `z` turns the -0.000 of a rounding error into 0.000.
    return ["-" if isnan(value) else f"{value:{sign}z.{decimals}f}" for value in values]


def format_p_value(p: float | None) -> str:
    """Format a p-value with three decimals; None and nan as a dash."""
    if p is None or isnan(p):
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def format_metric_name(run: Run, name: str) -> str:
    """Return a metric's name with an arrow that shows which direction is better."""
    return f"{shorten(name)} {ARROWS[run.metric_spec(name).better]}".strip()
