"""Reads the records of data files, and says which column is not as it should be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from bias_tasks.data.errors import DataError

Record = Mapping[str, Any]
ValueT = TypeVar("ValueT")


def jsonl(paths: Sequence[Path]) -> Iterator[Record]:
    """The records of files with one JSON object a line."""
    for path in paths:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)


def cell(source: str, record: Record, column: str, kind: type[ValueT]) -> ValueT:
    """The record's value in a column.

    Raises:
        DataError: the column is missing, or its value is of another kind.
    """
    value = record.get(column)
    if not isinstance(value, kind):
        raise DataError(
            f"{source}: expected {kind.__name__} in the column {column}, found "
            f"{type(value).__name__}; the record's columns are {', '.join(map(str, record))}"
        )
    return value
