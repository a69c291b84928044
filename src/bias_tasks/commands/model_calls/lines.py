"""Files of one JSON object a line, written while a run goes on.

A file that can't be written raises `DataError`; so does anything that is no file, such as a FIFO or
a device, and a link to one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import open_to_read, open_to_write, parsed_json, replacing


def repair(path: Path) -> None:
    """Completes or takes away a last line without its end, as a kill leaves it."""
    with open_to_read(path) as stream:
        content = stream.read()
    complete = content.rfind(b"\n") + 1
    if complete == len(content):
        return
    if _is_object(content[complete:]):  # an editor that writes no last line end
        append(path, b"\n")
        return
    with open_to_write(path, append=True) as stream:
        try:
            stream.truncate(complete)
        except OSError as error:
            raise _unwritable(path, error) from error


def append(path: Path, line: bytes = b"") -> None:
    """Adds to the end of the file, which is made where it is not there.

    Where the disk is full, what fitted of the line is taken away again: the next would be glued to
    it.
    """
    try:
        with open_to_write(path, append=True) as stream:
            descriptor = stream.fileno()  # a buffer would write its rest once more when closed
            whole = os.fstat(descriptor).st_size
            try:
                _write(descriptor, line)
            except OSError:
                os.ftruncate(descriptor, whole)
                raise
    except OSError as error:
        raise _unwritable(path, error) from error


def replace_with(path: Path, parts: Iterable[bytes]) -> None:
    """Writes the file anew: whoever reads it finds the old content or the new, never a part.

    Where the path is a link, the file that it leads to is written.
    """
    with replacing(path) as stream:
        stream.writelines(parts)


def put_in_order(path: Path, parts: Iterable[bytes]) -> None:
    """Writes a file anew that was added to; where that fails, it says that nothing is lost."""
    try:
        replace_with(path, parts)
    except DataError as error:
        raise DataError(
            f"{error}. What was made stands in {path}, not in order yet: make room and run the "
            "same again"
        ) from error


def _write(descriptor: int, line: bytes) -> None:
    left = memoryview(line)
    while left:
        left = left[os.write(descriptor, left) :]


def _unwritable(path: Path, error: OSError) -> DataError:
    return DataError(f"cannot write {path}: {error.strerror}")


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(parsed_json(line), dict)
    except ValueError:
        return False
