"""The size up to which logs are read: a small file can inflate to more than the memory holds."""

import os
from pathlib import Path
from zipfile import ZipFile, is_zipfile

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import file_exists

SIZE_VARIABLE = "BIAS_TASKS_MAX_LOG_MB"
"""Environment variable with the maximum size of a log in MB, after inflation."""
_DEFAULT_MB = "2048"
_PER_SAMPLE, _OTHER_PARTS = 8, 32
"""A member with a row per sample may have this fraction of the size, and any other this one."""
_CHUNK = 4096
"""Compressed bytes per step. At the highest ratio of Zstandard they inflate to 128 MB."""


def check_log_size(path: Path) -> None:
    """Check that a log, and each of its members, has at most the maximum size.

    The members of an archive are inflated step by step, because the sizes that it declares, and
    their checksums, can be wrong.

    Raises:
        DataError: The path is not a file, the log or a member is larger, or the variable
            `BIAS_TASKS_MAX_LOG_MB` is not a number.
    """
    text = os.environ.get(SIZE_VARIABLE) or _DEFAULT_MB
    if not text.isdecimal():
        raise DataError(f"{SIZE_VARIABLE} is {text!r}: give a number of MB")
    file_exists(path)  # Opening a FIFO would block forever.
    log_limit = int(text) * 2**20
    _check("it", path.stat().st_size, log_limit)
    if not is_zipfile(path):
        return
    total = 0
    with ZipFile(path) as archive:
        for member in archive.infolist():
            name = f"its part {member.filename}"
            has_rows = "summaries" in name or "reductions" in name
            member_limit = log_limit // (_PER_SAMPLE if has_rows else _OTHER_PARTS)
            member.file_size = 2**63  # else the stream ends at the declared size
            with archive.open(member) as stream:
                size = 0
                while chunk := stream.read(_CHUNK):
                    size += len(chunk)
                    _check(name, size, member_limit)
            total += size
            _check("it", total, log_limit)


def _check(what: str, size: int, limit: int) -> None:
    if size > limit:
        maximum = f"{limit / 2**20:,g} MB, the maximum"
        raise DataError(f"{what} has more than {maximum}; set {SIZE_VARIABLE} to allow more")
