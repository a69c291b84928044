"""Rows of a CSV file, separated by commas, semicolons or tabs."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator

from bias_tasks.data.rows.row import (
    Row,
    RowError,
    Table,
    bounded,
    check_width,
    decoded,
    filled,
)

LONGEST_CELL = 10_000_000
"""Characters of the longest cell that is read."""
SEPARATORS = (",", ";", "\t")
_TOLD = re.compile(r"sep=([,;\t])\r?\n", re.IGNORECASE)
"""A first line by which some spreadsheets say what separates the cells."""


def read_csv(content: bytes, known: Collection[str]) -> Table:
    """The rows, each with its first line; empty lines are passed over.

    The header says what separates the cells: that by which most of its names are `known`, and a
    comma where none is better. Columns without a name are left out.

    Raises:
        ValueError: the content is not UTF-8, a quote is open, a column occurs twice, or there are
            too many rows or columns.
    """
    text = decoded(content)
    told = _TOLD.match(text)
    separator = told[1] if told else separator_of(text, known)
    lines = csv_lines(text, separator)
    if told:
        next(lines)
    header = _checked_header(next(lines, (0, []))[1])
    return Table(bounded(_rows(header, lines)), ("",) if "" in header else (), tuple(header))


def separator_of(text: str, names: Collection[str]) -> str:
    """What separates the cells of a CSV text, by the names that its header should have."""
    found = {each: len({*_header(text, each)} & {*names}) for each in SEPARATORS}
    return max(found, key=lambda each: found[each])  # the first of several, which is the comma


def other_separator(text: str) -> str | None:
    """What seems to separate the cells where commas leave the header whole; None otherwise."""
    widths = {each: len(_header(text, each)) for each in SEPARATORS}
    widest = max(widths, key=lambda each: widths[each])
    return widest if widths[","] < 2 <= widths[widest] else None


def csv_lines(text: str, separator: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is not empty, and the number of the line in which they begin.

    Raises:
        ValueError: a quote is open, or a cell is too long; names the line.
    """
    before = csv.field_size_limit(LONGEST_CELL)  # the limit is everybody's: it is put back
    line = 1
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1  # a row can run over several lines: name its first
    except csv.Error as error:
        raise ValueError(f"line {line}: {_told(error)}") from error
    finally:
        csv.field_size_limit(before)


def _rows(header: list[str], lines: Iterator[tuple[int, list[str]]]) -> Iterator[Row]:
    for line, cells in lines:
        if len(cells) > len(header):
            yield line, RowError(f"expected {len(header)} cells, found {len(cells)}")
        else:
            named = dict(zip(header, cells, strict=False))
            named.pop("", None)
            yield line, filled(named)


def _header(text: str, separator: str) -> list[str]:
    """The names in the header; none where it cannot be read so."""
    lines = csv_lines(text, separator)
    try:
        return [name.strip() for name in next(lines, (0, []))[1]]
    except ValueError:
        return []


def _checked_header(names: list[str]) -> list[str]:
    check_width(len(names))
    header = [name.strip() for name in names]
    repeated = [name for name, n in Counter(header).items() if n > 1 and name]
    if repeated:
        raise ValueError(f"the column {repeated[0]} occurs more than once")
    return header


def _told(error: csv.Error) -> str:
    if "field larger than field limit" in str(error):
        return f"a cell has more than {LONGEST_CELL:,} characters, the most that are read"
    return str(error)
