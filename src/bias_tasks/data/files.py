"""The user's own items, from a JSONL, CSV or Parquet file.

A row is a choice item, `{id?, question, context?, options: [..], answer: [0-based positions]}`, or
a judging item, `{id?, context, question, answer: "True"|"False"|"Unknown"}`; one file may hold
both. In CSV and Parquet, lists may be written as JSON text, and cells that a row's kind does not
use stay empty. Files are UTF-8.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bias_tasks.data.errors import DataError
from bias_tasks.data.rows import CHOICE_COLUMNS, ChoiceRow, JudgingRow, is_choice
from bias_tasks.items import ChoiceItem, Item, JudgingItem, content_hash

_SHOWN_ERRORS = 5

Row = tuple[int, Mapping[str, Any]]
"""A row and where it stands: its line (JSONL, CSV) or its number (Parquet), from 1."""


class _RowError(ValueError):
    """One row that cannot be read, told without its place."""


def read_file(path: str | Path) -> tuple[list[Item], str]:
    """The items of the user's file, in its order, and the sha256 of its content.

    An item keeps its own id; without one its id is a hash of its content. Items with the same
    context share a cluster.

    Raises:
        DataError: the file is missing, of another kind, empty, not UTF-8, repeats an id, or has
            wrong rows; the first five of these are named by line (Parquet: row) and column.
    """
    path = Path(path).expanduser()
    rows = _READERS.get(path.suffix.lower())
    if rows is None:
        raise DataError(
            f"data={str(path)!r} is neither 'paper' nor 'synthetic' nor a file that ends in "
            f"{', '.join(_READERS)}"
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error
    place = "row" if path.suffix.lower() == ".parquet" else "line"
    items = _items(rows(path, content), path, place)
    if not items:
        raise DataError(f"{path} is empty: it holds no row")
    return items, hashlib.sha256(content).hexdigest()


def _items(rows: Iterator[Row], path: Path, place: str) -> list[Item]:
    items: list[Item] = []
    places: dict[str, int] = {}
    wrong: list[str] = []
    for number, row in rows:
        try:
            item = _item(row)
            if item.id in places:
                raise _RowError(f"id {item.id!r} is that of {place} {places[item.id]} already")
        except _RowError as error:
            wrong.append(f"{place} {number}: {error}")
        else:
            places[item.id] = number
            items.append(item)
    if wrong:
        more = [f"and {len(wrong) - _SHOWN_ERRORS} more"] if len(wrong) > _SHOWN_ERRORS else []
        raise DataError("\n  ".join([f"{path} has wrong rows:", *wrong[:_SHOWN_ERRORS], *more]))
    return items
