"""Rows of a user's file, JSONL, CSV or Parquet, each told with its place when it is wrong.

In CSV and Parquet, lists and objects may be written as JSON text. Cells that are empty count as not
there. Text is UTF-8.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from bias_tasks.data.columns import unknown_columns
from bias_tasks.data.errors import DataError, listed
from bias_tasks.names import did_you_mean

_SHOWN_ROWS = 5

T = TypeVar("T")
Cells = Mapping[str, Any]


class _RowError(ValueError):
    """A row that cannot be read, told without its place."""


Row = tuple[int, Cells | _RowError]
"""Where a row stands, its line (JSONL, CSV) or number (Parquet) from 1, and its cells."""


class Claim(NamedTuple):
    """Something that only one row of a file may have."""

    key: Hashable
    taken: str
    """What to say of a second row that has it; the place of the first one follows."""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns that a file may have."""

    columns: tuple[str, ...]
    json_columns: tuple[str, ...]
    """Those that hold a list or an object, which CSV and Parquet may write as JSON text."""


def read_rows(
    path: str | Path,
    layout: Layout,
    convert: Callable[[Cells], T],
    claims: Callable[[T], Iterable[Claim]],
) -> tuple[list[T], str]:
    """What `convert` makes of the file's rows, in their order, and the sha256 of its content.

    Args:
        path: the file; its ending says of which kind it is.
        layout: the columns that it may have. Unknown keys of a JSONL row are for `convert` to
            refuse.
        convert: takes the cells that are not empty; its ValueError says what is wrong with them.
        claims: what only one row may have.

    Raises:
        DataError: the file is missing, of another kind, empty, not UTF-8, or has wrong rows; the
            first five of these are named by line (Parquet: row) and column.
    """
    path = Path(path).expanduser()
    kind = path.suffix.lower()
    if kind not in _READERS:
        near = did_you_mean([path], ("paper", "synthetic"))
        raise DataError(
            f"data={str(path)!r}{near} is neither 'paper' nor 'synthetic' nor a file that ends in "
            f"{', '.join(_READERS)}"
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error
    place = "row" if kind == ".parquet" else "line"
    try:
        converted = _converted(_READERS[kind](content, layout), convert, claims, place)
    except ValueError as error:
        raise DataError(f"{path}: {error}") from error
    return converted, hashlib.sha256(content).hexdigest()


def _converted(
    rows: Iterable[Row],
    convert: Callable[[Cells], T],
    claims: Callable[[T], Iterable[Claim]],
    place: str,
) -> list[T]:
    converted: list[T] = []
    places: dict[Hashable, int] = {}
    wrong: list[str] = []
    for number, cells in rows:
        try:
            if isinstance(cells, _RowError):
                raise cells
            row = convert(cells)
            for key, taken, hint in claims(row):
                first = places.setdefault(key, number)
                if first != number:
                    raise _RowError(f"{taken} {place} {first} already{hint}")
        except ValueError as error:
            wrong.append(f"{place} {number}: {error}")
        else:
            converted.append(row)
    if wrong:
        raise ValueError(listed("wrong rows", wrong, _SHOWN_ROWS))
    if not converted:
        raise ValueError("it holds no row")
    return converted


def _jsonl(content: bytes, layout: Layout) -> Iterator[Row]:
    for number, line in enumerate(_decoded(content).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            cells = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, _RowError(f"expected one JSON object, but {error}")
            continue
        if isinstance(cells, dict):
            yield number, filled(cells)
        else:
            yield number, _RowError(f"expected a JSON object, found {type(cells).__name__}")


def _csv(content: bytes, layout: Layout) -> Iterator[Row]:
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
            header = _checked_header(cells, layout)
        elif len(cells) > len(header):
            yield number, _RowError(f"expected {len(header)} cells, found {len(cells)}")
        else:
            yield number, _json_decoded(filled(dict(zip(header, cells, strict=False))), layout)


def _parquet(content: bytes, layout: Layout) -> Iterator[Row]:
    import pyarrow  # type: ignore[import-untyped]
    import pyarrow.parquet  # type: ignore[import-untyped]

    try:
        table = pyarrow.parquet.read_table(io.BytesIO(content))
    except (pyarrow.ArrowException, OSError) as error:
        raise ValueError(f"not a readable Parquet file ({error})") from error
    _checked_header(table.column_names, layout)
    for number, cells in enumerate(table.to_pylist(), start=1):
        yield number, _json_decoded(filled(cells), layout)


_READERS: Mapping[str, Callable[[bytes, Layout], Iterator[Row]]] = {
    ".jsonl": _jsonl,
    ".csv": _csv,
    ".parquet": _parquet,
}
FILE_ENDINGS = tuple(_READERS)


def filled(cells: Cells) -> Cells:
    """The cells that are not empty: a column that only other rows use is."""
    return {column: value for column, value in cells.items() if not _empty(value)}


def _empty(value: object) -> bool:
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")  # spreadsheets write a byte order mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} is not UTF-8; save the file as UTF-8") from error


def _checked_header(columns: list[str], layout: Layout) -> list[str]:
    unknown = [column for column in columns if column not in layout.columns]
    if unknown:
        raise ValueError(unknown_columns(unknown, layout.columns))
    repeated = [column for column, n in Counter(columns).items() if n > 1]
    if repeated:
        raise ValueError(f"the column {repeated[0]} occurs more than once")
    return columns


def _json_decoded(cells: Cells, layout: Layout) -> Cells | _RowError:
    """The cells, with lists and objects that are written as JSON text decoded."""
    decoded = dict(cells)
    for column in layout.json_columns:
        value = cells.get(column)
        if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
            try:
                decoded[column] = json.loads(value)
            except (ValueError, RecursionError) as error:
                expected = "list" if value.lstrip().startswith("[") else "object"
                return _RowError(f"column {column}: expected a JSON {expected}, but {error}")
    return decoded


def one_id(identifier: str) -> Claim:
    """A row's claim on its id."""
    return Claim(
        key=("id", identifier),
        taken=f"column id: {identifier!r} is the id of",
        hint=" (a row without an id is known by its content)",
    )
