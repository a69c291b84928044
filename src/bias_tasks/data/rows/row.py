"""What the rows of every kind of file have in common, and how much of a file is read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

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


def decoded(content: bytes) -> str:
    """The text of a file.

    Raises:
        ValueError: it is not UTF-8; names the line.
    """
    try:
        return content.decode("utf-8-sig")  # spreadsheets write a byte order mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} is not UTF-8; save the file as UTF-8") from error


def _empty(value: object) -> bool:
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))
