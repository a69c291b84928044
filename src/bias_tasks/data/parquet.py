"""Rows of a Parquet file, never unpacked beyond a limit: a few bytes can stand for gigabytes.

Rows and columns are counted from the file's own description, texts stay in the dictionaries that
they are packed with, and a batch is turned into Python values only once the size of its texts is
known. Of the columns that nobody asks about, those that JSON has no values for are not read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from bias_tasks.data.files import MOST_BYTES
from bias_tasks.data.row_files import (
    MOST_ROWS,
    Row,
    RowError,
    Table,
    bounded,
    check_width,
    filled,
    too_many,
)

_BATCH = 1000
"""Rows that are turned into Python values at once."""


def read_parquet(content: bytes, known: Collection[str]) -> Table:
    """The rows, numbered from 1, with the columns that are known and those that JSON can hold.

    Decimal numbers come as texts, so that no digit is lost.

    Raises:
        ValueError: it is no Parquet file, a known column is of a type that holds no texts, numbers,
            truth values, or lists and objects of these, a column occurs twice, or there is more in
            it than is read.
    """
    with _told():
        file, columns = _opened(content, known)
        left_out = tuple(name for name in file.schema_arrow.names if name not in columns)
    return Table(bounded(_rows(file, columns)), left_out)


@contextmanager
def _told() -> Iterator[None]:
    """Turns what the library raises of a damaged file into one error."""
    import pyarrow  # type: ignore[import-untyped]

    try:
        yield
    except (pyarrow.ArrowException, OSError, OverflowError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ValueError(f"not a readable Parquet file ({reason})") from error


def _opened(content: bytes, known: Collection[str]) -> tuple[Any, list[str]]:
    """The file, and the names of the columns that are read."""
    import pyarrow.parquet  # type: ignore[import-untyped]

    described = pyarrow.parquet.read_metadata(pyarrow.BufferReader(content))
    check_width(described.num_columns)
    if described.num_rows > MOST_ROWS:
        _refuse(f"{described.num_rows:,} rows, of which at most {MOST_ROWS:,} are read")
    groups = range(described.num_row_groups)
    size = sum(max(described.row_group(number).total_byte_size, 0) for number in groups)
    if size > MOST_BYTES:
        _refuse(f"{size:,} unpacked bytes, of which at most {MOST_BYTES:,} are read")
    leaves = [described.schema.column(place) for place in range(described.num_columns)]
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
    file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(content), read_dictionary=texts)
    return file, _readable_columns(file.schema_arrow, known)


def _rows(file: Any, columns: list[str]) -> Iterator[Row]:
    number = unpacked = 0
    with _told():
        for batch in file.iter_batches(batch_size=_BATCH, columns=columns):
            unpacked += sum(map(_unpacked, batch.columns))
            if unpacked > MOST_BYTES:
                _refuse(f"more than {MOST_BYTES:,} unpacked bytes")
            for row in _as_rows(batch):
                number += 1
                yield number, row


def _refuse(found: str) -> None:
    raise ValueError(too_many(found, "split the file"))


def _readable_columns(schema: Any, known: Collection[str]) -> list[str]:
    """The names of the columns that are read.

    Raises:
        ValueError: a name occurs twice, or a known column is of an unreadable type.
    """
    for name in schema.names:
        if schema.names.count(name) > 1:
            raise ValueError(f"the column {name} occurs more than once")
    for field in schema:
        if field.name in known and not _readable(field.type):
            raise ValueError(
                f"column {field.name}: expected texts, numbers, truth values, or lists and objects "
                f"of these, found the Parquet type {str(field.type)[:60]}"
            )
    return [field.name for field in schema if _readable(field.type)]


def _readable(kind: Any) -> bool:
    """Whether JSON has values for a type's."""
    from pyarrow import types

    if types.is_dictionary(kind):
        return _readable(kind.value_type)
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return _readable(kind.value_type)
    if types.is_struct(kind):
        names = [field.name for field in kind]
        return len(set(names)) == len(names) and all(_readable(field.type) for field in kind)
    plain = (types.is_null, types.is_boolean, types.is_integer, types.is_floating)
    texts = (types.is_string, types.is_large_string, types.is_decimal)
    return any(is_one(kind) for is_one in (*plain, *texts))


def _unpacked(array: Any) -> int:
    """Bytes of an array's values, each text counted as often as it occurs."""
    import pyarrow.compute  # type: ignore[import-untyped]
    from pyarrow import types

    kind = array.type
    if types.is_dictionary(kind):
        lengths = pyarrow.compute.binary_length(array.dictionary)
        return int(pyarrow.compute.sum(lengths.take(array.indices)).as_py() or 0)
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return int(array.nbytes) + _unpacked(array.flatten())
    if types.is_struct(kind):
        return sum(map(_unpacked, array.flatten()))
    return int(array.nbytes)


def _as_rows(batch: Any) -> Iterator[dict[str, Any] | RowError]:
    """The rows of a batch; those of one whose texts are damaged are told from the others'."""
    try:
        rows = batch.to_pylist()
    except UnicodeDecodeError:
        for place in range(batch.num_rows):
            yield _as_row(batch.slice(place, 1))
        return
    for row in rows:
        yield _plain_cells(row)


def _as_row(batch: Any) -> dict[str, Any] | RowError:
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            column.to_pylist()
        except UnicodeDecodeError:
            return RowError(f"column {name}: it is not UTF-8")
    return _plain_cells(batch.to_pylist()[0])


def _plain_cells(row: dict[str, Any]) -> dict[str, Any]:
    return filled({column: _plain(value) for column, value in row.items()})


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return value
