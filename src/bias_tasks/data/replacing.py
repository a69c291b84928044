"""Writes a file anew such that whoever reads it finds the old content or the new, never a part."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from bias_tasks.data.errors import DataError
from bias_tasks.data.regular_files import open_to_write, real_path, stands_there


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content takes the file's place once it is whole.

    Where the path is a link, the file that it leads to is written. Where writing fails, or whoever
    writes does, nothing is changed.

    Raises:
        DataError: the file can't be written, or something else than a file is there.
    """
    stands_there(path, "write")  # what is no file is refused, and not replaced
    target = real_path(path)
    beside = target.with_name(target.name + ".tmp")
    stream = open_to_write(beside)
    try:
        with stream:
            yield stream
        os.replace(beside, target)
    except OSError as error:
        raise DataError(f"cannot write {beside}: {error.strerror}") from error
    finally:
        beside.unlink(missing_ok=True)
