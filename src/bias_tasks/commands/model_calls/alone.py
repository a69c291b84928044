"""Keeps two processes from writing one file: each would ask what the other asks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import open_to_write, stands_there

try:
    import fcntl
except ImportError:  # not on Windows, where nothing keeps them apart
    fcntl = None  # type: ignore[assignment]

_TRIES = 100
"""How often a file may be replaced while it is being locked; more is no process that ends."""


@contextmanager
def alone(out: Path, held: Path | None = None) -> Iterator[None]:
    """While it lasts no other process gets here with the same file.

    The lock is the system's own and no file: it ends with the process, however that ends, so that
    none is left over.

    Args:
        out: what is written, for the message.
        held: the file that is locked, `out` itself without it. It is made where it is not there,
            and taken away again where nobody wrote to it.

    Raises:
        DataError: another is at it already, or the file can't be written or locked.
    """
    path = held or out
    made = not stands_there(path, "write")
    stream = _locked(path, out)
    try:
        yield
    finally:
        if made and _is_at(stream, path) and os.fstat(stream.fileno()).st_size == 0:
            path.unlink()
        stream.close()


def _locked(path: Path, out: Path) -> BinaryIO:
    """The file, opened and locked.

    Whoever had it may have put another in its place meanwhile: a lock on a file that is no longer
    there keeps nobody out.
    """
    for _ in range(_TRIES):
        stream = open_to_write(path, append=True)
        try:
            _lock(stream, out)
        except DataError:
            stream.close()
            raise
        if _is_at(stream, path):
            return stream
        stream.close()
    raise DataError(f"{path} is replaced time and again by another process: give another --out")


def _lock(stream: BinaryIO, out: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise DataError(
            f"another process writes {out}: wait for it to end, or give another --out"
        ) from error
    except OSError as error:
        raise DataError(
            f"cannot lock {out} ({error.strerror}), so that two processes could write it at once: "
            "its file system keeps no locks; give an --out on another, such as a local disk"
        ) from error


def _is_at(stream: BinaryIO, path: Path) -> bool:
    """Whether an open file is still the one at its path."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except FileNotFoundError:
        return False
