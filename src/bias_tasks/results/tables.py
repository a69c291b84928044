"""Tables for a terminal, a page or a spreadsheet, and files that are whole or not there."""

import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import chain
from math import isfinite, isnan
from pathlib import Path
from typing import Any, BinaryIO

import click
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import replacing
from bias_tasks.results.run import Run
from bias_tasks.results.text import brief, for_spreadsheet, visible
from bias_tasks.statistics.estimate import Estimate

ARROWS = {"higher": "↑", "lower": "↓", None: ""}
"""Which way of a figure is better, or nothing where neither is."""
_BREAKS = re.compile(r"(?<=[_/=,])(?=[^\s_/=,])")
"""Where a long name or a list may go on in the next line."""


def print_table(
    console: Console,
    columns: Sequence[str],
    groups: Mapping[str, Sequence[Sequence[object]]],
    *,
    numbers: Collection[str] = (),
    styles: Mapping[str, str] | None = None,
) -> None:
    """Print rows in `groups`, each below what stands above it; no word and no number is cut.

    The columns called `numbers` are set to the right and not wrapped; `styles` says how rich shows
    a row, by what it says. Names go on in the next line behind `_`, `/`, `=` and commas. Where the
    columns don't fit beside each other, they stand below each other.
    """
    if not groups:
        return
    shown = {
        above: [[visible(str(cell)) for cell in row] for row in rows]
        for above, rows in groups.items()
    }
    widths = _widths([columns, *chain(*shown.values())], numbers, console.width)
    for number, (above, rows) in enumerate(shown.items()):
        paragraph(console, above, "bold")
        if not widths:
            for row in rows:
                cells = (" ".join(cell.split()) for cell in row)
                told = map(": ".join, zip(columns, cells, strict=True))
                paragraph(console, "\n  ".join(told))
            continue
        table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 0, 0, 1), pad_edge=False)
        table.show_header = not number
        for name, width in zip(columns, widths, strict=True):
            table.add_column(
                wrapped(name, width), justify="right" if name in numbers else "left", width=width
            )
        for row in rows:
            said = " ".join(" ".join(row).split())
            style = next((each for words, each in (styles or {}).items() if words in said), "")
            table.add_row(*map(Text, map(wrapped, row, widths)), style=style)
        console.print(table)
    console.print()


def paragraph(console: Console, text: str, style: str = "") -> None:
    """Print a text in lines that fit, wrapped as a table's names are; nothing of an empty one."""
    if text:
        console.print(Text(wrapped(text, console.width), style), soft_wrap=True)


def wrapped(text: str, width: int) -> str:
    """The text in lines of this width, but for a part without a break that is longer.

    A line breaks between words, and within a word that is longer than a line.
    """
    lines = []
    for line in text.split("\n"):
        now = indent = " " * (len(line) - len(line.lstrip()))
        for word in re.findall(r"\S+\s*", line):
            whole = _length(indent + word) <= width
            for part in [word] if whole else _BREAKS.split(word):
                if now.strip() and _length(now + part) > width:
                    lines.append(now.rstrip())
                    now = indent
                now += part
        lines.append(now.rstrip())
    return "\n".join(lines)


def _widths(grid: Sequence[Sequence[str]], numbers: Collection[str], room: int) -> list[int]:
    """The columns' widths; none where they don't fit. What is left over goes first to those that
    lack least."""
    least, lacking = [], []
    for name, *cells in zip(*grid, strict=True):
        lines = [line for cell in cells for line in cell.split("\n")]
        parts = [*name.split(), *lines]
        if name not in numbers:
            lines.append(name)
            parts = [
                part for line in lines for word in line.split() for part in _BREAKS.split(word)
            ]
        least.append(max(map(_length, parts), default=0))
        lacking.append(max(0, *map(_length, lines)) - least[-1])
    room -= sum(least) + 2 * (len(least) - 1)
    if room < 0:
        return []
    for place in sorted(range(len(least)), key=lacking.__getitem__):
        more = max(0, min(lacking[place], room))
        least[place], room = least[place] + more, room - more
    return least


def _length(text: str) -> int:
    return cell_len(text.rstrip())


@contextmanager
def printing(out: Path | None) -> Iterator[Console]:
    """A console that prints to a file, which is there once it is whole, or to standard output."""
    text = io.StringIO()
    yield Console() if out is None else Console(file=text)
    if out is not None:
        write_text(text.getvalue().rstrip("\n"), out)


def write_text(text: str, out: Path | None) -> None:
    """Write a text to a file, or to standard output."""
    if out is None:
        return click.echo(text)
    with writing(out) as stream:
        stream.write(f"{text}\n".encode())


def writing(out: Path) -> AbstractContextManager[BinaryIO]:
    """A stream to a file, there once it is whole, in a folder that is made; or a DataError."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot write {out}: {error.strerror}") from error
    return replacing(out)


def write_csv(rows: Sequence[Mapping[str, Any]], out: Path | None) -> None:
    """Write rows as CSV of which a spreadsheet takes no text for a formula."""
    import pandas as pd

    frame = pd.DataFrame([{n: for_spreadsheet(v) for n, v in row.items()} for row in rows])
    write_text(frame.to_csv(index=False).rstrip("\n"), out)


def interval(figure: Estimate, sign: str = "") -> str:
    """A figure's bounds; a dash where it has none."""
    _, low, high = numbers_alike(figure.value, figure.ci_low, figure.ci_high, sign=sign)
    return "-" if "-" in (low, high) else f"{low} to {high}"


def number(value: float) -> str:
    """A value to three digits behind the point, of a large one to fewer; a dash for none."""
    return numbers_alike(value)[0]


def numbers_alike(*values: float, sign: str = "") -> list[str]:
    """Values with as many digits behind the point each; a dash for one that there is none of."""
    largest = max((abs(each) for each in values if isfinite(each)), default=0.0)
    digits = 3 if largest < 10 else 1 if largest < 1000 else 0
    # `z` makes -0.000 of a rounding error 0.000.
    return ["-" if isnan(each) else f"{each:{sign}z.{digits}f}" for each in values]


def probability(p: float | None) -> str:
    """A p-value to three digits; a dash where there is none."""
    return "-" if p is None or isnan(p) else "<0.001" if p < 0.001 else f"{p:.3f}"


def named(run: Run, figure: str) -> str:
    """A figure's name, and which way it is better."""
    return f"{brief(figure)} {ARROWS[run.figure(figure).better]}".strip()
