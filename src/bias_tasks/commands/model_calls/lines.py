"""Files of one JSON object a line, written while a run goes on.

A file that can't be written raises `DataError`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from bias_tasks.data.errors import DataError


def repair(path: Path) -> None:
    """Completes or takes away a last line without its end, as a kill leaves it."""
    try:
        with path.open("r+b") as stream:
            content = stream.read()
            complete = content.rfind(b"\n") + 1
            if complete == len(content):
                return
            if _is_object(content[complete:]):  # an editor that writes no last line end
                stream.write(b"\n")
            else:
                stream.truncate(complete)
    except OSError as error:
        raise _unwritable(path, error) from error


def append(path: Path, line: bytes = b"") -> None:
    """Adds to the end of the file, which is made where it is not there."""
    try:
        with path.open("ab") as stream:
            stream.write(line)
    except OSError as error:
        raise _unwritable(path, error) from error


def replace_with(path: Path, parts: Iterable[bytes]) -> None:
    """Writes the file anew: whoever reads it finds the old content or the new, never a part."""
    beside = path.with_name(path.name + ".tmp")
    try:
        with beside.open("wb") as stream:
            stream.writelines(parts)
        os.replace(beside, path)
    except OSError as error:
        raise _unwritable(beside, error) from error


def _unwritable(path: Path, error: OSError) -> DataError:
    return DataError(f"cannot write {path}: {error.strerror}")


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
