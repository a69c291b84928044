"""Rows of a user's file, JSONL, CSV or Parquet, each told by its number where it is wrong.

Headers may be in any case and have the other host's words (`input` for `question`, `choices` for
`options`, `target` for `answer`, or a column an option, `A` to `J`). Empty cells count as not
there. Columns that nobody asks about are kept, and named in one warning.
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
from typing import Any, TypeVar

from bias_tasks.data.errors import DataError, shown
from bias_tasks.data.files import MOST_BYTES, as_path, decoded, parsed_json, read_whole
from bias_tasks.names import did_you_mean, encodable

FACT = "columns"
"""Under which name a sample's facts hold further columns, so that they clash with nothing."""
_SHOWN = 5
_LONGEST_LIST = 100_000
"""Characters of a list that is written as Python writes it."""
_SAME = (("question", "input"), ("options", "choices"), ("answer", "target"))
"""Names that hosts have for the same column."""
_LETTERS = "ABCDEFGHIJ"

T = TypeVar("T")
Cells = Mapping[str, Any]
Further = Mapping[str, Any]
"""A row's cells in columns that nobody asks about, as plain JSON values."""

logger = logging.getLogger(__name__)
_warn_once = cache(logger.warning)  # a group's tasks read the same file one after the other
Claim = tuple[Hashable, str]
"""What only one row of a file may have, and what a message says of a second one before it names the
first."""


def one_id(identifier: str) -> Claim:
    """A row's claim on its id; a row without one is known by its content."""
    return ("id", identifier), f"column id: {identifier!r} is the id of"


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns that a file may have, and whether others are handed on.

    Lists and objects of `json_columns` may be written as text; the whole numbers of `whole_columns`
    are text in CSV and floats in Parquet.
    """

    columns: tuple[str, ...]
    json_columns: tuple[str, ...]
    whole_columns: tuple[str, ...] = ()
    keeps_further: bool = True

    def known_name(self, name: str) -> str:
        """The column that a header means; the header itself where it is none of these."""
        folded = name.strip().casefold()
        same = next((pair for pair in _SAME if folded in pair), (folded,))
        found = [each for each in self.columns if each.casefold() in (folded, *same)]
        return found[0] if len(found) == 1 and name not in self.columns else name


def read_rows(
    path: str | Path,
    layout: Layout,
    convert: Callable[[Cells, Further], T],
    claims: Callable[[T], Iterable[Claim]],
) -> tuple[list[T], str]:
    """What `convert` makes of the file's rows, in their order, and the sha256 of its content.

    `convert` takes the cells that are not empty, and those of further columns; its ValueError says
    what is wrong with them. The file's ending says of which kind it is. A DataError where the file
    is missing, too large, of another kind, empty, not UTF-8, or has wrong rows; the first five are
    named by number (from 1, without the header) and column."""
    path = as_path(path)
    read = _READERS.get(path.suffix.lower())
    if read is None:
        near = did_you_mean([path], ("core", "paper", "synthetic"))
        raise DataError(
            f"data={str(path)!r}{near} is neither 'core' nor 'paper' nor 'synthetic' nor a file "
            f"that ends in {', '.join(_READERS)}"
        )
    content = read_whole(path)
    converted: list[T] = []
    wrong: list[str] = []
    places: dict[Hashable, int] = {}
    names: dict[str, None] = {}
    try:
        for number, row in enumerate(read(content), start=1):
            try:
                if isinstance(row, ValueError):
                    raise row
                known, further = _split(row, layout)
                names.update(dict.fromkeys(further))
                converted.append(convert(known, further if layout.keeps_further else {}))
                for key, taken in claims(converted[-1]):
                    if places.setdefault(key, number) != number:
                        raise ValueError(f"{taken} row {places[key]} already")
            except ValueError as error:
                wrong.append(f"row {number}: {error}")
        if wrong:
            beside = f" (beside columns that are not known: {_named(names, layout)})"
            more = [f"and {len(wrong) - _SHOWN} more"] if len(wrong) > _SHOWN else []
            head = f"wrong rows{beside if names else ''}"
            raise ValueError("\n  ".join([head, *wrong[:_SHOWN], *more]))
        if not converted:
            raise ValueError("it holds no row")
    except ValueError as error:
        raise DataError(f"{path}: {error}") from error
    if names:
        kept = f"kept in the log of each sample, under {FACT!r}"
        told = kept if layout.keeps_further else "left out"
        _warn_once(f"{path}: columns that are not known are {told}: {_named(names, layout)}")
    return converted, hashlib.sha256(content).hexdigest()


def filled(cells: Cells) -> dict[str, Any]:
    """The cells that are not empty, nor nan: so are those of a column that only other rows use."""
    return {column: value for column, value in cells.items() if value == value not in (None, "")}


def noted(further: Further) -> dict[str, Any]:
    """The further columns as a part of a sample's facts, which is empty where there are none."""
    return {FACT: dict(further)} if further else {}


def plain(value: Any) -> Any:
    """The value as JSON and every log can hold it: other types and infinite numbers as text."""
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {encodable(str(key)): plain(part) for key, part in value.items()}
    finite = isinstance(value, float) and math.isfinite(value)
    return value if finite or isinstance(value, int | None) else encodable(str(value))


def _split(row: Cells, layout: Layout) -> tuple[dict[str, Any], dict[str, Any]]:
    """The cells of known columns by these columns' names, and those of further ones."""
    known: dict[str, Any] = {}
    further: dict[str, Any] = {}
    for name, value in filled(row).items():
        column = layout.known_name(name)
        if column in layout.columns and column not in known:
            known[column] = value
        else:
            further[name] = value
    if "options" in layout.columns and "options" not in known and {"A", "B"} <= further.keys():
        letters = [letter for letter in _LETTERS if letter in further]
        if not _LETTERS.startswith("".join(letters)):
            raise ValueError(f"columns A, B, ...: {letters[-1]} is there, a letter before it not")
        known["options"] = [further.pop(letter) for letter in letters]
    for column in layout.json_columns:
        if isinstance(known.get(column), str):
            known[column] = _as_list(column, known[column])
    for column in layout.whole_columns:
        if re.fullmatch(r"\s*[+-]?[0-9]{1,9}(\.0)?\s*", str(known.get(column))):
            known[column] = int(float(known[column]))
    try:
        return known, plain(further)
    except RecursionError as error:
        raise ValueError("a column that is not known is nested too deeply") from error


def _as_list(column: str, text: str) -> Any:
    """The list or object that a text is written as: JSON, Python's way, or `a|b|c`."""
    if not text.lstrip().startswith(("[", "{")):
        parts = [part.strip() for part in text.split("|")]
        return parts if len(parts) > 1 else text
    try:
        return parsed_json(text)
    except json.JSONDecodeError as error:
        try:
            value = ast.literal_eval(text.strip()) if len(text) < _LONGEST_LIST else None
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            value = None
        if isinstance(value, list | dict):
            return value
        expected = 'list, such as ["a", "b"] or a|b' if text.lstrip()[0] == "[" else "JSON object"
        raise ValueError(f"column {column}: expected a {expected}, but {error}") from error
    except ValueError as error:
        raise ValueError(f"column {column}: {error}") from error


def _jsonl(content: bytes) -> Iterator[Cells | ValueError]:
    """One object a line. pandas would turn whole numbers beside empty cells into floats."""
    for line in filter(str.strip, decoded(content).split("\n")):
        try:
            row = parsed_json(line)
        except ValueError as error:
            yield ValueError(f"expected one JSON object, but {error}")
            continue
        known = isinstance(row, dict)
        yield row if known else ValueError(f"expected a JSON object, found {type(row).__name__}")


def _csv(content: bytes) -> Iterator[Cells | ValueError]:
    """The rows; the header, or a first line `sep=;`, says what separates the cells."""
    text = decoded(content)
    told = re.match(r"sep=([,;\t])\r?\n", text, re.IGNORECASE)
    text = text[told.end() :] if told else text
    count = text.partition("\n")[0].count
    separator = told[1] if told else max(",;\t", key=count)  # of several the first: a comma
    csv.field_size_limit(MOST_BYTES)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        header = [name.strip() for name in next(rows, [])]
        twice = [name for name, found in Counter(header).items() if found > 1 and name]
        if twice:
            raise ValueError(f"the column {twice[0]} occurs more than once")
        names = [name or f"column {place}" for place, name in enumerate(header, start=1)]
        for row in filter(None, rows):
            many = f"it has {len(row)} cells, the header has {len(names)}"
            beyond = any(row[len(names) :])
            yield ValueError(many) if beyond else dict(zip(names, row, strict=False))
    except csv.Error as error:
        raise ValueError(f"not a readable CSV file (line {rows.line_num}: {error})") from error


def _parquet(content: bytes) -> Iterator[Cells]:
    """The rows; decimal numbers, dates and bytes come as they are, and are told where asked for."""
    import pyarrow  # type: ignore[import-untyped]
    import pyarrow.parquet  # type: ignore[import-untyped]

    try:
        file = pyarrow.parquet.ParquetFile(io.BytesIO(content))
        groups = range(file.metadata.num_row_groups)
        size = sum(file.metadata.row_group(number).total_byte_size for number in groups)
        if size > MOST_BYTES:
            raise ValueError(f"it has more than {MOST_BYTES:,} bytes: split it")
        for batch in file.iter_batches(batch_size=1000):
            yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ValueError(f"not a readable Parquet file ({reason})") from error


_READERS: Mapping[str, Callable[[bytes], Iterable[Cells | ValueError]]] = {
    ".jsonl": _jsonl,
    ".csv": _csv,
    ".parquet": _parquet,
}
FILE_ENDINGS = tuple(_READERS)


def _named(names: Iterable[str], layout: Layout) -> str:
    """The first names, each with a known one that it is like."""
    found = list(names)
    told = [shown(name) + did_you_mean([name], layout.columns) for name in found[: 2 * _SHOWN]]
    more = f" and {len(found) - 2 * _SHOWN:,} more" if len(found) > 2 * _SHOWN else ""
    return f"{', '.join(told)}{more}"
