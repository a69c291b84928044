"""Rows of a user's file, JSONL, CSV or Parquet, each told with its place when it is wrong.

In CSV and Parquet, lists and objects may be written as JSON text. Cells that are empty count as not
there. Text is UTF-8. Columns that nobody asks about are handed on, so that users can group by them,
and named in one warning.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from bias_tasks.data.errors import DataError, listed
from bias_tasks.data.files import as_path, parsed_json, read_whole
from bias_tasks.data.further import FurtherColumns
from bias_tasks.data.parquet import read_parquet
from bias_tasks.data.row_files import Cells, RowError, Table, read_csv, read_jsonl
from bias_tasks.names import did_you_mean

_SHOWN_ROWS = 5
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")

T = TypeVar("T")
Further = Mapping[str, Any]
"""A row's cells in columns that nobody asks about, as plain JSON values."""

logger = logging.getLogger(__name__)


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
    whole_columns: tuple[str, ...] = ()
    """Those that hold a whole number, which CSV writes as text, and Parquet as a float where rows
    are without it."""
    keeps_further: bool = True
    """Whether further columns are handed on."""


def read_rows(
    path: str | Path,
    layout: Layout,
    convert: Callable[[Cells, Further], T],
    claims: Callable[[T], Iterable[Claim]],
) -> tuple[list[T], str]:
    """What `convert` makes of the file's rows, in their order, and the sha256 of its content.

    Args:
        path: the file; its ending says of which kind it is.
        layout: the columns that it may have. One warning names those that it has beside them.
        convert: takes the cells that are not empty, and those of further columns; its ValueError
            says what is wrong with them.
        claims: what only one row may have.

    Raises:
        DataError: the file is missing, too large, of another kind, empty, not UTF-8, or has wrong
            rows; the first five of these are named by line (Parquet: row) and column.
    """
    path = as_path(path)
    kind = path.suffix.lower()
    if kind not in _READERS:
        near = did_you_mean([path], ("paper", "synthetic"))
        raise DataError(
            f"data={str(path)!r}{near} is neither 'paper' nor 'synthetic' nor a file that ends in "
            f"{', '.join(_READERS)}"
        )
    content = read_whole(path)
    reading = _Reading(layout, convert, claims, "row" if kind == ".parquet" else "line")
    try:
        table = _READERS[kind](content, layout.columns)
        for number, cells in table.rows:
            reading.take(number, cells, as_text=kind != ".jsonl")
        converted = reading.finished(table.header)
    except ValueError as error:
        raise DataError(f"{path}: {error}") from error
    further = reading.further.told(table.left_out, keeps=layout.keeps_further)
    if further:
        _warn_once(f"{path}: {further}")
    return converted, hashlib.sha256(content).hexdigest()


@dataclass(slots=True)
class _Reading(Generic[T]):
    """What became of a file's rows so far."""

    layout: Layout
    convert: Callable[[Cells, Further], T]
    claims: Callable[[T], Iterable[Claim]]
    place: str
    """What a row's number counts."""
    converted: list[T] = field(default_factory=list)
    places: dict[Hashable, int] = field(default_factory=dict)
    """The first place of each claim."""
    wrong: list[str] = field(default_factory=list)
    """What to say of the first wrong rows."""
    wrong_count: int = 0
    further: FurtherColumns = field(init=False)

    def __post_init__(self) -> None:
        self.further = FurtherColumns(self.layout.columns)

    def take(self, number: int, cells: Cells | RowError, *, as_text: bool) -> None:
        """Converts one more row, or notes why it can't be.

        With `as_text` lists, objects and whole numbers may be written as text.
        """
        try:
            if isinstance(cells, RowError):
                raise cells
            known, further = self.further.split(cells)
            row = self.convert(_decoded(known, self.layout) if as_text else known, further)
            for key, taken, hint in self.claims(row):
                first = self.places.setdefault(key, number)
                if first != number:
                    raise RowError(f"{taken} {self.place} {first} already{hint}")
        except ValueError as error:
            self.wrong_count += 1
            if len(self.wrong) < _SHOWN_ROWS:
                self.wrong.append(f"{self.place} {number}: {error}")
        else:
            self.converted.append(row)

    def finished(self, header: Collection[str]) -> list[T]:
        """What the rows were converted to; `header` names the columns, as far as a file does.

        Raises:
            ValueError: there is none, or some are wrong.
        """
        if not self.converted and not self.wrong:
            raise ValueError("it holds no row")
        if self.wrong:
            self.further.check_some_known(header)
            head = f"wrong rows{self.further.hint()}"
            raise ValueError(listed(head, self.wrong, _SHOWN_ROWS, self.wrong_count))
        return self.converted


_READERS: Mapping[str, Callable[[bytes, Collection[str]], Table]] = {
    ".jsonl": read_jsonl,
    ".csv": read_csv,
    ".parquet": read_parquet,
}
FILE_ENDINGS = tuple(_READERS)


@cache
def _warn_once(told: str) -> None:
    """A group's tasks read the same file one after the other."""
    logger.warning(told)


def _decoded(cells: Cells, layout: Layout) -> Cells:
    """The cells, with lists, objects and whole numbers that are written as text decoded.

    Raises:
        RowError: one that begins as a list or an object is not JSON.
    """
    decoded = dict(cells)
    for column in layout.whole_columns:
        decoded |= {column: _whole(cells[column])} if column in cells else {}
    for column in layout.json_columns:
        value = cells.get(column)
        if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
            try:
                decoded[column] = parsed_json(value)
            except ValueError as error:
                expected = "list" if value.lstrip().startswith("[") else "object"
                raise RowError(
                    f"column {column}: expected a JSON {expected}, but {error}"
                ) from error
    return decoded


def _whole(value: object) -> object:
    """A whole number where that is what the value says, else the value."""
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def one_id(identifier: str) -> Claim:
    """A row's claim on its id."""
    return Claim(
        key=("id", identifier),
        taken=f"column id: {identifier!r} is the id of",
        hint=" (a row without an id is known by its content)",
    )
