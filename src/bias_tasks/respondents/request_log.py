"""The log of a served respondent's requests: one JSON object a line."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from bias_tasks.data.errors import DataError
from bias_tasks.data.regular_files import open_to_write
from bias_tasks.respondents.faults import Fault


class LogError(Exception):
    """A request could not be logged."""


class RequestLog:
    """A file to which a line is added for each request. It may be written to from any thread."""

    def __init__(self, path: Path) -> None:
        """Opens the file, which is made where it is not there.

        Raises:
            DataError: it can't be written.
        """
        self._path = path
        self._lock = threading.Lock()
        open_to_write(path, append=True).close()

    def write(self, number: int, path: str, fault: Fault | None, body: bytes) -> None:
        """Adds a request: its running number, its path, its fault (or null) and its body.

        Raises:
            LogError: the file can no longer be written.
        """
        row = {
            "request": number,
            "path": path,
            "fault": fault,
            "body": body.decode("utf-8", "replace"),
        }
        line = json.dumps(row).encode() + b"\n"
        try:
            with self._lock, open_to_write(self._path, append=True) as stream:
                stream.write(line)
        except (OSError, DataError) as error:
            raise LogError(f"the request can't be logged: {error}") from error
