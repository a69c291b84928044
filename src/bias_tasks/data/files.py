"""Read and write files: bounded in size, as a whole, with errors of one line."""

import csv
import errno
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from io import BufferedReader
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO, TypeVar

import yaml

from bias_tasks.data.errors import DataError, shorten
from bias_tasks.unicode_text import is_encodable

MAX_BYTES = 256 * 2**20
"""Maximum size of a file that is read as a whole."""
RawRecord = Mapping[str, Any]
"""A record as a file, a log or a framework holds it: nothing has checked its values."""
ValueT = TypeVar("ValueT")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def as_path(name: str | Path) -> Path:
    """Return the path of a file that a user names, with `~` expanded.

    Raises:
        DataError: The name is a URL, or not UTF-8, so that no log can store it.
    """
    if "://" in str(name):
        raise DataError(f"cannot read the URL {name}: download the file and give its path")
    if not is_encodable(str(name)):
        raise DataError(f"cannot read {str(name)!r}: the file's name is not UTF-8; rename it")
    return Path(os.path.expanduser(name))  # Path.expanduser() fails for an unknown `~user`.


def open_to_read(path: Path) -> BufferedReader:
    """Open a file for reading.

    Raises:
        DataError: The path is not a file, or cannot be opened.
    """
    file_exists(path)  # Opening a FIFO would block forever.
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"cannot read {path}: {reason}") from error


def file_exists(path: Path, action: str = "read") -> bool:
    """Return whether the path is an existing file.

    Args:
        path: The path.
        action: The verb of the message.

    Raises:
        DataError: The path exists and is not a file.
    """
    if path.exists() and not path.is_file():
        raise DataError(f"cannot {action} {path}: it is not a file")
    return path.exists()


def read_whole(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the content of a file.

    Raises:
        DataError: The file cannot be read, or has more than `max_bytes` bytes.
    """
    with open_to_read(path) as stream:
        content = stream.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise DataError(f"cannot read {path}: it has more than {max_bytes:,} bytes; shorten it")
    return content


def decode_utf8(content: bytes) -> str:
    """Return the text of a file without the byte order mark that spreadsheets write.

    Raises:
        ValueError: The content is not UTF-8; the message has the line.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} is not UTF-8; save the file as UTF-8") from error


@contextmanager
def output_errors() -> Iterator[None]:
    """Turn an error of standard output, such as that of a full disk, into one of one line.

    Raises:
        DataError: The output cannot be written.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left would fail at Python's exit
        raise DataError(f"cannot write the output: {error.strerror}") from error


@contextmanager
def open_to_replace(path: Path) -> Iterator[BinaryIO]:
    """Open a stream whose content replaces the file, or a link's target, once it is complete.

    Raises:
        DataError: The content cannot be written; the old content is kept.
    """
    file_exists(path, "write")
    target = Path(os.path.realpath(path))  # Path.resolve() fails for circular links.
    temporary = target.with_name(f"{target.name}.{token_hex(4)}.tmp")  # several may write
    try:
        with temporary.open("wb") as stream:
            yield stream
        os.replace(temporary, target)
    except OSError as error:
        raise DataError(f"cannot write {temporary}: {error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def write_jsonl(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Replace a file by JSON objects, one per line.

    Lone halves of surrogate pairs, which answers in a log may have, are written as JSON's escapes.

    Args:
        path: The file.
        rows: The objects.

    Raises:
        DataError: The file cannot be written. It is complete or unchanged.
    """
    with open_to_replace(path) as stream:
        for row in rows:
            line = json.dumps(row, ensure_ascii=False) + "\n"
            stream.write(line.encode(errors="backslashreplace"))


@cache
def read_yaml(package: str, name: str) -> Any:
    """Return the content of a package's file `<name>.yaml`.

    It is read on first use and shared by all callers, which must not change it.
    """
    text = files(package).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, _LOADER)  # inspect-evals-lint: ignore[host_code_execution] -- our files


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: The text is not JSON, is nested too deeply, or an object repeats a key. JSON
            parsers disagree on which value of a repeated key counts.
    """
    try:
        return json.loads(text, object_pairs_hook=_build_object)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise ValueError(f"the key {shorten(key)} occurs twice")
        values[key] = value
    return values


def read_jsonl(paths: Sequence[Path]) -> Iterator[RawRecord]:
    """Yield the records of files with one JSON object per line; empty lines are skipped."""
    for path in paths:
        with path.open(encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines if line.strip())


def read_json_lists(paths: Sequence[Path]) -> Iterator[RawRecord]:
    """Yield the records of files that hold one JSON list each."""
    for path in paths:
        yield from parse_json(path.read_bytes())


def read_csv(paths: Sequence[Path]) -> Iterator[Mapping[str, str]]:
    """Yield the rows of CSV files by the column names in their headers."""
    for path in paths:
        with path.open(encoding="utf-8", newline="") as stream:
            yield from csv.DictReader(stream)


def get_cell(record: RawRecord, column: str, kind: type[ValueT]) -> ValueT:
    """Return the value of a data set's record in a column.

    Raises:
        ValueError: The record has no value of this type in the column.
    """
    value = record.get(column)
    if not isinstance(value, kind):
        raise ValueError(
            f"expected {kind.__name__} in the column {column}, found {type(value).__name__}; its "
            f"columns are {', '.join(map(str, record))}"
        )
    return value
