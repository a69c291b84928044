"""A small file system in memory that can be full: writing fails there as on a full disk."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")


class Disk:
    """A mounted one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def leave(self, free: int) -> None:
        """Fills it until so many bytes are free, in whole pages."""
        self._ballast.unlink(missing_ok=True)
        found = os.statvfs(self.folder)
        blocks = max(found.f_bavail - free // _PAGE, 0)
        with self._ballast.open("wb") as stream:
            stream.write(b"\0" * (blocks * found.f_bsize))

    def make_room(self) -> None:
        """Frees what was filled."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def disk(folder: Path, size: str = "64m") -> Iterator[Disk]:
    """One that is there until it is left."""
    if os.geteuid() != 0:
        sys.exit("a full disk takes root, to mount one: leave these scenarios out with --only")
    folder.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
