"""Reads a wide CSV of recorded answers, one column a format, as data rows and replay rows."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bias_tasks.data.columns import shown
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.files import RepeatedKeyError, decoded, parsed_json, read_whole
from bias_tasks.data.row_files import csv_lines, other_separator
from bias_tasks.output_format.data.files import as_item
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import AnswerType, FormatItem

_SHOWN_NAMES = 50
_LONGEST_CELL = 1_000_000
"""Characters of a cell that is read as a list or a mapping."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which column holds what: the name in the header, or `#7` for the seventh column."""

    outputs: Mapping[str, str]
    """The column of the recorded answers in each format, by the format's name."""
    answer: str | None = None
    """The right answer; lists and mappings are JSON or Python literals."""
    relevant: str | None = None
    """Instead of `answer`, for a binary list: the list of the relevant candidates."""
    others: str | None = None
    """With `relevant`: the list of the other candidates. One in both lists is not relevant."""
    input: str | None = None
    id: str | None = None
    options: str | None = None

    def names(self) -> list[str]:
        """Every column that is read."""
        single = (self.answer, self.relevant, self.others, self.input, self.id, self.options)
        return [*self.outputs.values(), *(name for name in single if name is not None)]


Row = dict[str, Any]


def read_wide(path: Path, columns: Columns, answer_type: AnswerType) -> tuple[list[Row], list[Row]]:
    """The rows of a user's data file, and those of a replay file with ids `<item>/<format>`.

    Without a column of ids, an item is known by its row: `row-1`, `row-2` and so on.

    Raises:
        DataError: the file can't be read, a column is not there, a row has more cells than the
            header has names while a column is named, or a cell is not what it should be; names
            the line and the column.
        ValueError: a format is unknown.
    """
    for name in columns.outputs:
        check_names("format", [name], FORMATS, error=ValueError)
    items: dict[str, Row] = {}
    outputs: list[Row] = []
    for number, (line, cells) in enumerate(_records(path, columns), start=1):
        try:
            row = _item_row(cells, columns, answer_type, f"row-{number}", path.name)
            item = as_item(row)
            if item.id in items:
                raise ValueError(f"the id {item.id!r} occurs a second time")
            _check_holds(item, columns)
        except ValueError as error:
            raise DataError(f"{path}: line {line}: {error}") from error
        items[item.id] = row
        outputs += [
            {"id": f"{item.id}/{name}", "output": cells[column]}
            for name, column in columns.outputs.items()
        ]
    if not items:
        raise DataError(f"{path}: it holds no row")
    return list(items.values()), outputs


def _check_holds(item: FormatItem, columns: Columns) -> None:
    for name in columns.outputs:
        if not FORMATS[name].holds(item):
            raise ValueError(f"the format {name} can't hold a {item.answer_type}")


def _item_row(
    cells: Mapping[str, str], columns: Columns, answer_type: AnswerType, default_id: str, file: str
) -> Row:
    row: Row = {
        "id": default_id if columns.id is None else cells[columns.id],
        "input": f"{default_id} of {file}, whose input was not given",
        "answer_type": answer_type,
    }
    if columns.input is not None:
        row["input"] = cells[columns.input]
    if columns.options is not None:
        row["options"] = _literal(cells, columns.options, list)
    if columns.answer is None:
        row["answer"] = _relevance(cells, columns)
    elif answer_type in ("mapping", "binary_list", "string_list"):
        row["answer"] = _literal(cells, columns.answer, dict if answer_type == "mapping" else list)
    else:
        row["answer"] = cells[columns.answer]
    return row


def _relevance(cells: Mapping[str, str], columns: Columns) -> list[int]:
    """1 for each relevant candidate, then 0 for each other one, as the paper lists them."""
    relevant = [str(candidate) for candidate in _literal(cells, str(columns.relevant), list)]
    others = [str(candidate) for candidate in _literal(cells, str(columns.others), list)]
    both = set(others)
    return [1 for candidate in relevant if candidate not in both] + [0] * len(others)


def _literal(cells: Mapping[str, str], column: str, kind: type) -> Any:
    """A cell's list or mapping, in JSON or Python notation; nothing in it is evaluated."""
    text = cells[column]
    try:
        value = _read_literal(text.strip()) if len(text) <= _LONGEST_CELL else None
    except RepeatedKeyError as error:
        raise ValueError(f"column {column}: {error}") from error
    if not isinstance(value, kind):
        name = "list" if kind is list else "mapping"
        raise ValueError(f"column {column}: expected a {name}, found {shown(text)}")
    return value


def _read_literal(text: str) -> Any:
    """The value of a text in either notation; None where it is in none.

    Raises:
        RepeatedKeyError: a mapping in it has a key twice.
    """
    try:
        return parsed_json(text)
    except RepeatedKeyError:
        raise
    except ValueError:
        pass  # in the other notation, perhaps
    try:
        with warnings.catch_warnings(action="ignore"):  # of escapes that are none
            tree = ast.parse(text, mode="eval")
        _check_keys(tree)
        return ast.literal_eval(tree)
    except RepeatedKeyError:
        raise
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None  # a key that is a list is a TypeError


def _check_keys(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            keys = Counter(key.value for key in node.keys if isinstance(key, ast.Constant))
            repeated = [key for key, count in keys.items() if count > 1]
            if repeated:
                raise RepeatedKeyError(f"the key {shown(repeated[0])} stands there twice")


def _records(path: Path, columns: Columns) -> Iterator[tuple[int, dict[str, str]]]:
    """Each row's first line, and its cells by what the columns are called."""
    text = _text(path)
    rows = _lines(text, path)
    _, header = next(rows, (0, []))
    positions = {name: _position(name, header, text, path) for name in columns.names()}
    named = [name for name in positions if not _is_number(name)]
    for line, cells in rows:
        if named and len(cells) > len(header):
            raise DataError(
                f"{path}: line {line} has {len(cells)} cells under {len(header)} headers, so that "
                f"{named[0]!r} may stand elsewhere: give every column by its number, such as #1"
            )
        missing = [name for name, position in positions.items() if position >= len(cells)]
        if missing:
            hint = _separator_hint(text)
            raise DataError(f"{path}: line {line} has no cell in the column {missing[0]}{hint}")
        yield line, {name: cells[position] for name, position in positions.items()}


def _is_number(column: str) -> bool:
    return column[:1] == "#" and column[1:].isdecimal() and int(column[1:]) > 0


def _position(column: str, header: list[str], text: str, path: Path) -> int:
    if _is_number(column):
        return int(column[1:]) - 1
    if header.count(column) != 1:
        found = "occurs more than once" if column in header else "is not there"
        raise DataError(
            f"{path}: the column {column!r} {found}; the header is {_shown_header(header)} (a "
            f"column can be given by its number too, such as #1){_separator_hint(text)}"
        )
    return header.index(column)


def _shown_header(header: list[str]) -> str:
    more = f" and {len(header) - _SHOWN_NAMES:,} more" if len(header) > _SHOWN_NAMES else ""
    return f"{', '.join(name[:100] for name in header[:_SHOWN_NAMES])}{more}"


def _separator_hint(text: str) -> str:
    """What to add to an error where the file looks separated by something else than commas."""
    separator = other_separator(text)
    return "" if separator is None else f"; it looks separated by {separator!r}: save it with ','"


def _lines(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not empty, each with the line it begins in."""
    try:
        yield from csv_lines(text)
    except ValueError as error:
        raise DataError(f"{path}: {error}") from error


def _text(path: Path) -> str:
    try:
        return decoded(read_whole(path))
    except ValueError as error:
        raise DataError(f"{path}: {error}") from error
