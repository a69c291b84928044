"""Rows of a JSONL file: one object a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bias_tasks.data.json_text import parsed_json
from bias_tasks.data.rows.row import (
    Row,
    RowError,
    Table,
    bounded,
    check_width,
    decoded,
    filled,
)


def read_jsonl(content: bytes, known: Collection[str]) -> Table:
    """The rows; lines of blanks are passed over.

    Raises:
        ValueError: the content is not UTF-8, or has too many rows.
    """
    return Table(bounded(_rows(decoded(content))))


def _rows(text: str) -> Iterator[Row]:
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
