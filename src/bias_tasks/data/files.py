"""The user's own items, from a JSONL, CSV or Parquet file.

A row is a choice item, `{id?, question, context?, options: [..], answer: [0-based positions]}`, or
a judging item, `{id?, context, question, answer: "True"|"False"|"Unknown"}`; one file may hold
both. In CSV and Parquet, lists may be written as JSON text, and cells that a row's kind does not
use stay empty. Text is UTF-8.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bias_tasks.data.errors import DataError
from bias_tasks.data.rows import COLUMNS, ChoiceRow, parse_row, unknown_columns
from bias_tasks.items import ChoiceItem, Item, JudgingItem, content_hash

_SHOWN_ROWS = 5
_LIST_COLUMNS = ("options", "answer")

Cells = Mapping[str, Any]


class _RowError(ValueError):
    """A row that cannot be read, told without its place."""


Row = tuple[int, Cells | _RowError]
"""Where a row stands, its line (JSONL, CSV) or number (Parquet) from 1, and its cells."""


def read_file(path: str | Path) -> tuple[list[Item], str]:
    """The items of the user's file, in its order, and the sha256 of its content.

    An item keeps its own id; without one its id is a hash of its content. Items with the same
    context share a cluster.

    Raises:
        DataError: the file is missing, of another kind, empty, not UTF-8, repeats an id, or has
            wrong rows; the first five of these are named by line (Parquet: row) and column.
    """
    path = Path(path).expanduser()
    kind = path.suffix.lower()
    if kind not in _READERS:
        raise DataError(
            f"data={str(path)!r} is neither 'paper' nor 'synthetic' nor a file that ends in "
            f"{', '.join(_READERS)}"
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error
    try:
        items = _items(_READERS[kind](content), "row" if kind == ".parquet" else "line")
    except ValueError as error:
        raise DataError(f"{path}: {error}") from error
    return items, hashlib.sha256(content).hexdigest()


def _items(rows: Iterable[Row], place: str) -> list[Item]:
    items: list[Item] = []
    places: dict[str, int] = {}
    wrong: list[str] = []
    for number, cells in rows:
        try:
            item = _item(cells)
            if item.id in places:
                raise _RowError(
                    f"column id: {item.id!r} is the id of {place} {places[item.id]} already "
                    "(a row without an id is known by its content)"
                )
        except ValueError as error:
            wrong.append(f"{place} {number}: {error}")
        else:
            places[item.id] = number
            items.append(item)
    if wrong:
        more = [f"and {len(wrong) - _SHOWN_ROWS} more"] if len(wrong) > _SHOWN_ROWS else []
        raise ValueError("\n  ".join(["wrong rows", *wrong[:_SHOWN_ROWS], *more]))
    if not items:
        raise ValueError("it holds no row")
    return items


def _item(cells: Cells | _RowError) -> Item:
    if isinstance(cells, _RowError):
        raise cells
    row = parse_row(cells)
    identifier = row.id or f"file-{content_hash(row.model_dump(exclude={'id'}))}"
    cluster = identifier if row.context is None else f"file-{content_hash(row.context)}"
    if isinstance(row, ChoiceRow):
        return ChoiceItem(
            id=identifier,
            question=row.question,
            options=tuple(row.options),
            answer=tuple(row.answer),
            source="file",
            cluster=cluster,
            context=row.context,
        )
    return JudgingItem(
        id=identifier,
        context=row.context,
        question=row.question,
        answer=row.answer,
        source="file",
        cluster=cluster,
    )


def _jsonl(content: bytes) -> Iterator[Row]:
    for number, line in enumerate(_decoded(content).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            cells = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, _RowError(f"expected one JSON object, but {error}")
            continue
        if isinstance(cells, dict):
            yield number, _filled(cells)
        else:
            yield number, _RowError(f"expected a JSON object, found {type(cells).__name__}")


def _csv(content: bytes) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(_decoded(content), newline=""), strict=True)
    header: list[str] = []
    while True:
        number = reader.line_num + 1  # a row can run over several lines: name its first
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise ValueError(f"line {number}: {error}") from error
        if cells is None:
            return
        if not cells:
            continue
        if not header:
            header = _checked_header(cells)
        elif len(cells) > len(header):
            yield number, _RowError(f"expected {len(header)} cells, found {len(cells)}")
        else:
            yield number, _lists_decoded(_filled(dict(zip(header, cells, strict=False))))


def _parquet(content: bytes) -> Iterator[Row]:
    import pyarrow  # type: ignore[import-untyped]
    import pyarrow.parquet  # type: ignore[import-untyped]

    try:
        table = pyarrow.parquet.read_table(io.BytesIO(content))
    except (pyarrow.ArrowException, OSError) as error:
        raise ValueError(f"not a readable Parquet file ({error})") from error
    _checked_header(table.column_names)
    for number, cells in enumerate(table.to_pylist(), start=1):
        yield number, _lists_decoded(_filled(cells))


_READERS: Mapping[str, Callable[[bytes], Iterator[Row]]] = {
    ".jsonl": _jsonl,
    ".csv": _csv,
    ".parquet": _parquet,
}


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")  # spreadsheets write a byte order mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} is not UTF-8; save the file as UTF-8") from error


def _checked_header(columns: list[str]) -> list[str]:
    unknown = [column for column in columns if column not in COLUMNS]
    if unknown:
        raise ValueError(unknown_columns(unknown))
    repeated = [column for column, n in Counter(columns).items() if n > 1]
    if repeated:
        raise ValueError(f"the column {repeated[0]} occurs more than once")
    return columns


def _filled(cells: Cells) -> Cells:
    """The cells that are not empty: a column that only the other kind of row uses is."""
    return {column: value for column, value in cells.items() if not _empty(value)}


def _empty(value: object) -> bool:
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def _lists_decoded(cells: Cells) -> Cells | _RowError:
    """The cells, with lists that are written as JSON text turned into lists."""
    decoded = dict(cells)
    for column in _LIST_COLUMNS:
        value = cells.get(column)
        if isinstance(value, str) and value.lstrip().startswith("["):
            try:
                decoded[column] = json.loads(value)
            except (ValueError, RecursionError) as error:
                return _RowError(f"column {column}: expected a JSON list, but {error}")
    return decoded
