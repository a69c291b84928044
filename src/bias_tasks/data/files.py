"""Files as the project reads and writes them: bounded, whole, one line of error where it fails."""

import csv
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import yaml

from bias_tasks.data.errors import DataError, shown
from bias_tasks.names import is_encodable

MOST_BYTES = 256 * 2**20
"""The size of the largest file that is read at once."""
RawRecord = Mapping[str, Any]
ValueT = TypeVar("ValueT")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def as_path(name: str | Path) -> Path:
    """The path of a file that a user names, `~` written out; a DataError where no log can hold it,
    because the name is not UTF-8."""
    if not is_encodable(str(name)):
        raise DataError(f"cannot read {str(name)!r}: the file's name is not UTF-8; rename it")
    return Path(os.path.expanduser(name))  # Path.expanduser() stumbles over `~nobody`


def open_to_read(path: Path) -> BufferedReader:
    """The file, opened for reading; a DataError where it is none, or cannot be opened."""
    stands_there(path)  # a FIFO would wait for ever
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"cannot read {path}: {reason}") from error


def stands_there(path: Path, to: str = "read") -> bool:
    """Whether there is a file at the path; a DataError where something else is there."""
    if path.exists() and not path.is_file():
        raise DataError(f"cannot {to} {path}: it is not a file")
    return path.exists()


def read_whole(path: Path, most: int = MOST_BYTES) -> bytes:
    """The content of the file; a DataError where that cannot be read, or has too many bytes."""
    with open_to_read(path) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise DataError(f"cannot read {path}: it holds more than {most:,} bytes, the most allowed")
    return content


def decoded(content: bytes) -> str:
    """The text of a file, without the byte order mark that spreadsheets write; a ValueError that
    names the line where it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} is not UTF-8; save the file as UTF-8") from error


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content takes the place of the file, or of the one that a link leads to, once
    it is whole. A DataError where it can't be written; the old content stays then."""
    stands_there(path, "write")
    target = Path(os.path.realpath(path))  # Path.resolve() stumbles over links in a circle
    beside = target.with_name(target.name + ".tmp")
    try:
        with beside.open("wb") as stream:
            yield stream
        os.replace(beside, target)
    except OSError as error:
        raise DataError(f"cannot write {beside}: {error}") from error
    finally:
        beside.unlink(missing_ok=True)


@cache
def read_yaml(package: str, name: str) -> Any:
    """The content of a package's file `<name>.yaml`. It is read when it is first asked for, and
    shared by all who ask: nobody may change it."""
    text = files(package).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, _LOADER)  # inspect-evals-lint: ignore[host_code_execution] -- our files


def parsed_json(text: str | bytes) -> Any:
    """The value of a JSON text. A ValueError where it is not JSON, nested too deeply, or has a key
    twice in an object: readers disagree on which value counts."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise ValueError(f"the key {shown(key)} stands there twice")
        values[key] = value
    return values


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
    """The record's value in a column; a DataError where there is none, or one of another kind."""
    value = record.get(column)
    if not isinstance(value, kind):
        raise DataError(
            f"{source}: expected {kind.__name__} in the column {column}, found "
            f"{type(value).__name__}; the record's columns are {', '.join(map(str, record))}"
        )
    return value
