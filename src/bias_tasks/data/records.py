"""Reads the records of the data sets' own files, and says which column is not as it should be."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from bias_tasks.data.errors import DataError

RawRecord = Mapping[str, Any]
ValueT = TypeVar("ValueT")


def read_json(path: Path) -> Any:
    """What a JSON file holds."""
    return json.loads(path.read_text(encoding="utf-8"))


def jsonl(paths: Sequence[Path]) -> Iterator[RawRecord]:
    """The records of files with one JSON object a line; empty lines are passed over."""
    for path in paths:
        with path.open(encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if line.strip())


def csv_rows(paths: Sequence[Path]) -> Iterator[Mapping[str, str]]:
    """The rows of CSV files, by the names in their headers."""
    for path in paths:
        with path.open(encoding="utf-8", newline="") as stream:
            yield from csv.DictReader(stream)


def cell(source: str, record: RawRecord, column: str, kind: type[ValueT]) -> ValueT:
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
