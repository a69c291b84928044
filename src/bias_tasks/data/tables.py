"""Read the rows of a user's JSONL, CSV or Parquet file; messages name invalid rows by number.

Headers can be in any case and have other frameworks' names (`input` for `question`, `choices` for
`options`, `target` for `answer`, or one column per option, `A` to `J`). An empty cell counts as
missing. Unknown columns are kept and listed in one warning.
"""

import ast
import csv
import hashlib
import io
import json
import logging
import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from bias_tasks.data.data_set_columns import rename_columns
from bias_tasks.data.errors import DataError, shorten
from bias_tasks.data.files import MAX_BYTES, RawRecord, as_path, decode_utf8, parse_json, read_whole
from bias_tasks.protocols import CORE, PAPER, SYNTHETIC
from bias_tasks.unicode_text import encodable
from bias_tasks.user_names import did_you_mean

_MAX_INVALID_ROWS = 5
"""Invalid rows that a message lists; of unknown columns it lists twice as many."""
_MAX_LIST_LENGTH = 100_000
"""Maximum characters of a list in Python syntax."""
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


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a file."""

    columns: tuple[str, ...]
    """Names of all known columns."""
    json_columns: tuple[str, ...]
    """Columns whose lists and objects can be written as text."""
    whole_columns: tuple[str, ...] = ()
    """Columns of whole numbers, which are text in CSV and floats in Parquet."""
    keeps_extra_columns: bool = True
    """Whether rows keep the cells of unknown columns."""

    def find_column(self, header: str) -> str:
        """Return the column that a header means; the header itself if it is unknown."""
        if header in self.columns:
            return header
        folded = header.strip().casefold()
        synonyms = next((pair for pair in _SYNONYMS if folded in pair), (folded,))
        matches = [column for column in self.columns if column.casefold() in synonyms]
        return matches[0] if len(matches) == 1 else header


def read_rows(
    path: str | Path,
    layout: Layout,
    convert: Callable[[Cells, ExtraColumns], T],
    row_keys: Callable[[T], Iterable[RowKey]],
) -> tuple[list[T], str]:
    """Read the rows of a file.

    Args:
        path: A file whose ending says its type.
        layout: Its columns.
        convert: Makes a row from its non-empty cells and its extra columns. Its ValueError says
            what is wrong with them.
        row_keys: Returns what tells a row from others, which it may not repeat or contradict.

    Returns:
        The converted rows in the file's order, and the sha256 of the file.

    Raises:
        DataError: The file is missing, too large, of another type, empty, not UTF-8, or has
            invalid rows. The message has number (from 1, without the header) and column of the
            first five.
    """
    path = as_path(path)
    read = _READERS.get(path.suffix.lower())
    if read is None:
        hint = did_you_mean([path], (CORE, PAPER, SYNTHETIC))
        raise DataError(
            f"data={str(path)!r}{hint} is neither 'core' nor 'paper' nor 'synthetic' nor a file "
            f"that ends in {', '.join(_READERS)}"
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
                cells, extra_columns = _split_columns(row, layout)
                unknown.update(dict.fromkeys(extra_columns))
                kept = extra_columns if layout.keeps_extra_columns else {}
                converted.append(convert(cells, kept))
                for key in row_keys(converted[-1]):
                    _check_key(key, number, first_rows)
            except ValueError as error:
                invalid.append(f"row {number}: {error}")
        if invalid:
            columns = f" (unknown columns: {_list_columns(unknown, layout)})" if unknown else ""
            n_more = len(invalid) - _MAX_INVALID_ROWS
            more = [f"and {n_more} more"] if n_more > 0 else []
            lines = [f"invalid rows{columns}", *invalid[:_MAX_INVALID_ROWS], *more]
            raise ValueError("\n  ".join(lines))
        if not converted:
            raise ValueError("it has no row")
    except ValueError as error:
        raise DataError(f"{path}: {error}") from error
    if unknown:
        effect = "ignored"
        if layout.keeps_extra_columns:
            effect = "kept in the log of each sample, under 'columns'"
        _warn_once(f"{path}: unknown columns are {effect}: {_list_columns(unknown, layout)}")
    return converted, hashlib.sha256(content).hexdigest()


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


def drop_empty_cells(cells: Cells) -> dict[str, object]:
    """Return the cells that are not empty, None or nan."""
    return {
        column: value
        for column, value in cells.items()
        if value not in (None, "") and value == value  # nan is not equal to itself
    }


def to_json_value(value: object) -> Any:
    """Return a value that JSON and every log can hold: other types, nan and infinity as text."""
    if isinstance(value, list | tuple):
        return [to_json_value(part) for part in value]
    if isinstance(value, dict):
        return {encodable(str(key)): to_json_value(part) for key, part in value.items()}
    finite = isinstance(value, float) and math.isfinite(value)
    return value if finite or isinstance(value, int | None) else encodable(str(value))


def _split_columns(row: Cells, layout: Layout) -> tuple[dict[str, object], dict[str, object]]:
    """Return the cells of known columns, by the columns' names, and those of unknown ones."""
    known: dict[str, Any] = {}
    extra: dict[str, object] = {}
    cells = rename_columns(drop_empty_cells(row), layout.columns, _parse_list)
    for header, value in cells.items():
        column = layout.find_column(header)
        if column in layout.columns and column not in known:
            known[column] = value
        else:
            extra[header] = value
    if "options" in layout.columns and "options" not in known and {"A", "B"} <= extra.keys():
        letters = [letter for letter in _LETTERS if letter in extra]
        if not _LETTERS.startswith("".join(letters)):
            raise ValueError(f"columns A, B, ...: {letters[-1]} exists, but not all before it")
        known["options"] = [extra.pop(letter) for letter in letters]
    for column in layout.json_columns:
        if isinstance(known.get(column), str):
            known[column] = _parse_list(column, known[column])
    for column in layout.whole_columns:
        if re.fullmatch(r"\s*[+-]?[0-9]{1,9}(\.0)?\s*", str(known.get(column))):
            known[column] = int(float(known[column]))
    try:
        return known, to_json_value(extra)
    except RecursionError as error:
        raise ValueError("an unknown column is nested too deeply") from error


def _parse_list(column: str, text: str) -> Any:
    """Return the list or object in a text, which is JSON, Python syntax, or `a|b|c`."""
    if not text.lstrip().startswith(("[", "{")):
        parts = [part.strip() for part in text.split("|")]
        return parts if len(parts) > 1 else text
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        try:
            value = ast.literal_eval(text.strip()) if len(text) < _MAX_LIST_LENGTH else None
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            value = None
        if isinstance(value, list | dict):
            return value
        expected = 'list, such as ["a", "b"] or a|b' if text.lstrip()[0] == "[" else "JSON object"
        raise ValueError(f"column {column}: expected a {expected}, but {error}") from error
    except ValueError as error:
        raise ValueError(f"column {column}: {error}") from error


def _parse_jsonl(content: bytes) -> Iterator[Cells | ValueError]:
    """Yield one object per line; pandas would turn whole numbers near empty cells into floats."""
    for line in filter(str.strip, decode_utf8(content).split("\n")):
        try:
            row = parse_json(line)
        except ValueError as error:
            yield ValueError(f"expected one JSON object, but {error}")
            continue
        if isinstance(row, dict):
            yield row
        else:
            yield ValueError(f"expected a JSON object, found {type(row).__name__}")


def _parse_csv(content: bytes) -> Iterator[Cells | ValueError]:
    """Yield the rows; the header, or a first line such as `sep=;`, decides the separator."""
    text = decode_utf8(content)
    declaration = re.match(r"sep=([,;\t])\r?\n", text, re.IGNORECASE)
    if declaration:
        separator, text = declaration[1], text[declaration.end() :]
    else:  # The most frequent one in the header; a comma if several are.
        separator = max(",;\t", key=text.partition("\n")[0].count)
    csv.field_size_limit(MAX_BYTES)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        header = [name.strip() for name in next(rows, [])]
        duplicates = [name for name, count in Counter(header).items() if count > 1 and name]
        if duplicates:
            raise ValueError(f"the column {duplicates[0]} occurs more than once")
        names = [name or f"column {number}" for number, name in enumerate(header, start=1)]
        for row in filter(None, rows):
            if any(row[len(names) :]):
                yield ValueError(f"it has {len(row)} cells, the header has {len(names)}")
            else:
                yield dict(zip(names, row, strict=False))
    except csv.Error as error:
        raise ValueError(f"not a readable CSV file (line {rows.line_num}: {error})") from error


def _parse_parquet(content: bytes) -> Iterator[Cells]:
    """Yield the rows; decimal numbers, dates and bytes are not converted."""
    import pyarrow  # type: ignore[import-untyped]
    import pyarrow.parquet  # type: ignore[import-untyped]

    try:
        metadata = pyarrow.parquet.read_metadata(io.BytesIO(content))
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        columns = [(n, metadata.schema.column(n)) for n in range(metadata.num_columns)]
        sizes = [g.column(n).num_values * max(c.length, 4) for g in groups for n, c in columns]
        n_bytes = max(sum(sizes), sum(group.total_byte_size for group in groups))
        # A text that is repeated is in the file once, and in a batch of dictionaries, too.
        texts = [column.path for _, column in columns if column.physical_type == "BYTE_ARRAY"]
        file = pyarrow.parquet.ParquetFile(io.BytesIO(content), read_dictionary=texts)
        if n_bytes <= MAX_BYTES:
            n_bytes = sum(_count_text_bytes(a) for batch in file.iter_batches() for a in batch)
        if n_bytes > MAX_BYTES:
            raise ValueError(f"its rows have more than {MAX_BYTES:,} bytes: split it")
        for batch in file.iter_batches(batch_size=1000):
            yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ValueError(f"not a readable Parquet file ({reason})") from error


def _count_text_bytes(array: Any) -> int:
    """Return the bytes of the texts in an Arrow array, each as often as it occurs."""
    from pyarrow import compute, types

    if types.is_dictionary(array.type):
        return compute.sum(compute.binary_length(array.dictionary).take(array.indices)).as_py() or 0
    if types.is_struct(array.type):
        return sum(map(_count_text_bytes, array.flatten()))
    return _count_text_bytes(array.flatten()) if types.is_nested(array.type) else 0


_READERS: Mapping[str, Callable[[bytes], Iterable[Cells | ValueError]]] = {
    ".jsonl": _parse_jsonl,
    ".csv": _parse_csv,
    ".parquet": _parse_parquet,
}
FILE_ENDINGS = tuple(_READERS)


def _list_columns(names: Iterable[str], layout: Layout) -> str:
    """Return the first unknown columns, each with a similar known one."""
    columns, maximum = list(names), 2 * _MAX_INVALID_ROWS
    listed = [shorten(name) + did_you_mean([name], layout.columns) for name in columns[:maximum]]
    more = f" and {len(columns) - maximum:,} more" if len(columns) > maximum else ""
    return f"{', '.join(listed)}{more}"
