"""The rows of a JSONL or CSV file, and what bounds the rows of every kind of file."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from bias_tasks.data.files import decoded, parsed_json

MOST_ROWS = 1_000_000
MOST_COLUMNS = 1_000

Cells = Mapping[str, Any]


class RowError(ValueError):
    """A row that cannot be read, told without its place."""


Row = tuple[int, Cells | RowError]
"""Where a row stands, its line (JSONL, CSV) or number (Parquet) from 1, and its cells."""


class Table(NamedTuple):
    """The rows of a file, and the names of the columns that they are without."""

    rows: Iterator[Row]
    left_out: tuple[str, ...] = ()
    """Columns that nobody asks about, whose values no log can hold."""
    header: tuple[str, ...] = ()
    """The names of all columns, where the file says them before its rows."""


def filled(cells: Cells) -> dict[str, Any]:
    """The cells that are not empty: a column that only other rows use is."""
    return {column: value for column, value in cells.items() if not _empty(value)}


def bounded(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, so long as there are not too many.

    Raises:
        ValueError: there are more than `MOST_ROWS`.
    """
    for count, row in enumerate(rows, start=1):
        if count > MOST_ROWS:
            raise ValueError(too_many(f"more than {MOST_ROWS:,} rows", "split the file"))
        yield row


def check_width(columns: int) -> None:
    """Refuses more columns than anybody asks about.

    Raises:
        ValueError: there are more than `MOST_COLUMNS`.
    """
    if columns > MOST_COLUMNS:
        found = f"{columns:,} columns, of which at most {MOST_COLUMNS:,} are read"
        raise ValueError(too_many(found, "leave out those that are not needed"))


def too_many(found: str, remedy: str) -> str:
    """What to say of a file that holds more than is read."""
    return f"it has {found}: {remedy}"


def _empty(value: object) -> bool:
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def read_jsonl(content: bytes, known: Collection[str]) -> Table:
    """The rows; lines of blanks are passed over.

    Raises:
        ValueError: the content is not UTF-8, or has too many rows.
    """
    return Table(bounded(_jsonl_rows(decoded(content))))


def _jsonl_rows(text: str) -> Iterator[Row]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            cells = parsed_json(line)
        except ValueError as error:
            yield number, RowError(f"expected one JSON object, but {error}")
            continue
        if isinstance(cells, dict):
            yield number, _bounded_cells(filled(cells))
        else:
            yield number, RowError(f"expected a JSON object, found {type(cells).__name__}")


def _bounded_cells(cells: dict[str, object]) -> dict[str, object] | RowError:
    try:
        check_width(len(cells))
    except ValueError as error:
        return RowError(str(error))
    return cells


LONGEST_CELL = 10_000_000
"""Characters of the longest cell that is read."""
SEPARATORS = (",", ";", "\t")
_SEP_LINE = re.compile(r"sep=([,;\t])\r?\n", re.IGNORECASE)
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
    told = _SEP_LINE.match(text)
    separator = told[1] if told else separator_of(text, known)
    lines = csv_lines(text, separator)
    if told:
        next(lines)
    header = _checked_header(next(lines, (0, []))[1])
    return Table(bounded(_csv_rows(header, lines)), ("",) if "" in header else (), tuple(header))


def separator_of(text: str, names: Collection[str]) -> str:
    """What separates the cells of a CSV text, by the names that its header should have."""
    found = {each: len({*_header(text, each)} & {*names}) for each in SEPARATORS}
    return max(found, key=lambda each: found[each])  # the first of several, which is the comma


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
        raise ValueError(f"line {line}: {_csv_reason(error)}") from error
    finally:
        csv.field_size_limit(before)


def _csv_rows(header: list[str], lines: Iterator[tuple[int, list[str]]]) -> Iterator[Row]:
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


def _csv_reason(error: csv.Error) -> str:
    if "field larger than field limit" in str(error):
        return f"a cell has more than {LONGEST_CELL:,} characters, the most that are read"
    return str(error)
