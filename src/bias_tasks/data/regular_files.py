"""Opens files to read or to write, and nothing else that a path can lead to.

A FIFO blocks whoever opens it, a device may never end, and a folder fails late. What a path leads
to is looked at before it is opened and again once it is open, so that it cannot change in between.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Literal, cast

from bias_tasks.data.errors import DataError
from bias_tasks.names import is_encodable

MOST_BYTES = 256 * 2**20
"""The size of the largest file that is read at once."""

_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def stands_there(path: Path, to: Literal["read", "write"] = "read") -> bool:
    """Whether there is a file at the path; links are followed.

    `to` is what the path is for.

    Raises:
        DataError: something else is there, or it cannot be looked at.
    """
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as error:
        raise _cannot(to, path, error) from error
    _refuse_others(to, path, found.st_mode)
    return True


def open_to_read(path: Path) -> BinaryIO:
    """The file, opened for reading.

    Raises:
        DataError: there is no such file, or it cannot be opened, or something else is there.
    """
    try:
        _refuse_others("read", path, path.stat().st_mode)
        descriptor = os.open(path, os.O_RDONLY | _AT_ONCE | _BINARY)
    except (OSError, ValueError) as error:
        raise _cannot("read", path, error) from error
    return _checked("read", path, descriptor, "rb")


def read_whole(path: Path, most: int = MOST_BYTES) -> bytes:
    """The content of the file.

    Raises:
        DataError: as `open_to_read`; or it holds more than `most` bytes.
    """
    with open_to_read(path) as stream:
        try:
            size = os.fstat(stream.fileno()).st_size
            content = stream.read() if size <= most else b""
        except OSError as error:
            raise _cannot("read", path, error) from error
    if max(size, len(content)) > most:
        raise DataError(f"cannot read {path}: it holds more than {most:,} bytes, the most allowed")
    return content


def open_to_write(path: Path, *, append: bool = False) -> BinaryIO:
    """The file, made where it is not there, and opened for writing.

    Args:
        path: the file; links are followed.
        append: whether its content stays and is added to.

    Raises:
        DataError: it cannot be opened, or something else is there.
    """
    flags = os.O_WRONLY | os.O_CREAT | _AT_ONCE | _BINARY | (os.O_APPEND if append else 0)
    try:
        stands_there(path, "write")
        descriptor = os.open(path, flags, 0o666)
    except (OSError, ValueError) as error:
        raise _cannot("write", path, error) from error
    stream = _checked("write", path, descriptor, "ab" if append else "wb")
    if not append:
        stream.truncate(0)
    return stream


def real_path(path: Path) -> Path:
    """Where a path leads to, whether something is there or not."""
    return Path(os.path.realpath(path))  # Path.resolve() stumbles over links in a circle


def as_path(name: str | Path) -> Path:
    """The path of a file that a user names, `~` written out.

    Raises:
        DataError: the name is not UTF-8, so that no log can hold it, or nobody's home is meant.
    """
    if not is_encodable(str(name)):
        raise DataError(f"cannot read {str(name)!r}: the file's name is not UTF-8; rename it")
    try:
        return Path(name).expanduser()
    except RuntimeError as error:  # `~nobody`
        raise DataError(f"cannot read {name}: {error}") from error


def _checked(what: str, path: Path, descriptor: int, mode: str) -> BinaryIO:
    try:
        _refuse_others(what, path, os.fstat(descriptor).st_mode)
    except DataError:
        os.close(descriptor)
        raise
    return cast(BinaryIO, os.fdopen(descriptor, mode))


def _refuse_others(what: str, path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((name for is_one, name in _KINDS if is_one(mode)), "something else")
        raise DataError(f"cannot {what} {path}: it is {kind}, not a file")


def _cannot(what: str, path: Path, error: OSError | ValueError) -> DataError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return DataError(f"cannot {what} {path}: {reason}")
