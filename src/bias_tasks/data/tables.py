"""Read the rows of a user's JSONL, CSV or Parquet file; messages name invalid rows by number.

Headers can be in any case and have other frameworks' names (`input` for `question`, `choices` for
`options`, `target` for `answer`, or one column per option, `A` to `J`). An empty cell counts as
missing. Unknown columns are kept and listed in one warning.
"""

import hashlib
import logging
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from bias_tasks.data.columns import drop_empty_cells
from bias_tasks.data.data_set_columns import rename_columns
from bias_tasks.data.errors import DataError, shorten
from bias_tasks.data.files import RawRecord, as_path, read_whole
from bias_tasks.data.readers import READERS
from bias_tasks.protocols import CORE, PAPER, SYNTHETIC
from bias_tasks.unicode_text import encodable
from bias_tasks.user_names import did_you_mean

_MAX_INVALID_ROWS = 5
"""Invalid rows that a message lists; of unknown columns it lists twice as many."""
_SYNONYMS = (("question", "input"), ("options", "choices"), ("answer", "target"))
"""Names of the same column in different frameworks."""
_LETTERS = "ABCDEFGHIJ"

T = TypeVar("T")
Cells = RawRecord
ExtraColumns = Mapping[str, object]
"""Cells of a row in unknown columns, as plain JSON values."""

logger = logging.getLogger(__name__)
_warn_once = cache(logger.warning)  # The tasks of a group read the same file.


class RowKey(NamedTuple):
    """What tells a row from the other rows of a file."""

    id: Hashable
    """Its id, which is a hash of its content if the file has none."""
    question: Hashable
    """Everything that is asked, with options in no order."""
    answer: Hashable = None
    """The correct answer by its text; None if the row has none."""
    asked: str = "question"
    """What `question` contains, for messages."""


def read_rows(
    path: str | Path,
    columns: Sequence[str],
    convert: Callable[[Cells, ExtraColumns], T],
    row_keys: Callable[[T], Iterable[RowKey]],
    *,
    keeps_extra_columns: bool = True,
) -> tuple[list[T], str]:
    """Read the rows of a file.

    Args:
        path: A file whose ending says its type.
        columns: Names of all known columns.
        convert: Makes a row from its non-empty cells and its extra columns. Its ValueError says
            what is wrong with them.
        row_keys: Returns what tells a row from others, which it may not repeat or contradict.
        keeps_extra_columns: Whether rows keep the cells of unknown columns.

    Returns:
        The converted rows in the file's order, and the sha256 of the file.

    Raises:
        DataError: The file is missing, too large, of another type, empty, not UTF-8, or has
            invalid rows. The message has number (from 1, without the header) and column of the
            first five.
    """
    path = as_path(path)
    read = READERS.get(path.suffix.lower())
    if read is None:
        hint = did_you_mean([path], (CORE, PAPER, SYNTHETIC))
        raise DataError(
            f"data={str(path)!r}{hint} is neither 'core' nor 'paper' nor 'synthetic' nor a file "
            f"that ends in {', '.join(READERS)}"
        )
    content = read_whole(path)
    converted: list[T] = []
    invalid: list[str] = []
    first_rows: dict[Hashable, Any] = {}
    unknown: dict[str, None] = {}
    try:
        for number, row in enumerate(read(content), start=1):
            try:
                if isinstance(row, ValueError):
                    raise row
                cells, extra_columns = split_columns(row, columns)
                unknown.update(dict.fromkeys(extra_columns))
                converted.append(convert(cells, extra_columns if keeps_extra_columns else {}))
                for key in row_keys(converted[-1]):
                    _check_key(key, number, first_rows)
            except ValueError as error:
                invalid.append(f"row {number}: {error}")
        _check_rows(converted, invalid, _list_columns(unknown, columns))
    except ValueError as error:
        raise DataError(f"{path}: {error}") from error
    if unknown:
        kept = "kept in the log of each sample, under 'columns'"
        effect = kept if keeps_extra_columns else "ignored"
        _warn_once(f"{path}: unknown columns are {effect}: {_list_columns(unknown, columns)}")
    return converted, hashlib.sha256(content).hexdigest()


def _check_rows(converted: Sequence[object], invalid: Sequence[str], unknown: str) -> None:
    """Check that there are rows, and that none is invalid."""
    if invalid:
        n_more = len(invalid) - _MAX_INVALID_ROWS
        more = [f"and {n_more} more"] if n_more > 0 else []
        heading = f"invalid rows (unknown columns: {unknown})" if unknown else "invalid rows"
        raise ValueError("\n  ".join([heading, *invalid[:_MAX_INVALID_ROWS], *more]))
    if not converted:
        raise ValueError("it has no row")


def _check_key(key: RowKey, number: int, first_rows: dict[Hashable, Any]) -> None:
    """Check that no earlier row has another answer to the question, the same content, or the id."""
    same, content = f"the same {key.asked}", (key.question, key.answer)
    first, answer = first_rows.setdefault((key.question, key.answer is None), (number, key.answer))
    if answer != key.answer:
        raise ValueError(f"it contradicts row {first}: {same}, another answer; correct one of them")
    first, first_content = first_rows.setdefault(("id", key.id), (number, content))
    if first != number and first_content == content:
        raise ValueError(f"it repeats row {first}: {same}; remove one of them")
    if first != number:
        raise ValueError(f"column id: {key.id!r} is already the id of row {first}: write another")


def to_json_value(value: object) -> Any:
    """Return a value that JSON and every log can hold: other types, nan and infinity as text."""
    if isinstance(value, list | tuple):
        return [to_json_value(part) for part in value]
    if isinstance(value, dict):
        return {encodable(str(key)): to_json_value(part) for key, part in value.items()}
    finite = isinstance(value, float) and math.isfinite(value)
    return value if finite or isinstance(value, int | None) else encodable(str(value))


def split_columns(row: Cells, columns: Sequence[str]) -> tuple[dict[str, Any], dict[str, object]]:
    """Return the cells of known columns, by the columns' names, and those of unknown ones.

    Args:
        row: The cells of a row by header.
        columns: Names of all known columns.

    Raises:
        ValueError: Columns contradict each other, or a cell is nested too deeply.
    """
    known: dict[str, Any] = {}
    extra: dict[str, object] = {}
    for header, value in rename_columns(drop_empty_cells(row), columns).items():
        column = _find_column(header, columns)
        if column is None or column in known:
            extra[header] = value
        else:
            known[column] = value
    if "options" in columns and "options" not in known and {"A", "B"} <= extra.keys():
        letters = [letter for letter in _LETTERS if letter in extra]
        if not _LETTERS.startswith("".join(letters)):
            raise ValueError(f"columns A, B, ...: {letters[-1]} exists, but not all before it")
        known["options"] = [extra.pop(letter) for letter in letters]
    try:
        return known, to_json_value(extra)
    except RecursionError as error:
        raise ValueError("an unknown column is nested too deeply") from error


def _find_column(header: str, columns: Sequence[str]) -> str | None:
    """Return the column that a header means; None if it is unknown."""
    if header in columns:
        return header
    folded = header.strip().casefold()
    synonyms = next((pair for pair in _SYNONYMS if folded in pair), (folded,))
    matches = [column for column in columns if column.casefold() in synonyms]
    return matches[0] if len(matches) == 1 else None


def _list_columns(names: Iterable[str], known: Sequence[str]) -> str:
    """Return the first unknown columns, each with a similar known one."""
    columns, maximum = list(names), 2 * _MAX_INVALID_ROWS
    listed = [shorten(name) + did_you_mean([name], known) for name in columns[:maximum]]
    more = f" and {len(columns) - maximum:,} more" if len(columns) > maximum else ""
    return f"{', '.join(listed)}{more}"
