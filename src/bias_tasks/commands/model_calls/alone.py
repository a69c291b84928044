"""Keeps two processes from writing one file: each would ask what the other asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bias_tasks.data.errors import DataError
from bias_tasks.data.regular_files import open_to_write

try:
    import fcntl
except ImportError:  # not on Windows, where nothing keeps them apart
    fcntl = None  # type: ignore[assignment]


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """While it lasts no other process gets here with the same file; a kill ends it, too.

    Raises:
        DataError: another is at it already, or the file can't be written.
    """
    with open_to_write(path, append=True) as stream:
        if fcntl is not None:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise DataError(
                    f"another process writes {path}: wait for it to end, or give another --out"
                ) from error
        yield
