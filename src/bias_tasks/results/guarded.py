"""The one place where whatever a broken file raises becomes one line about that file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bias_tasks.results.run import Problem, Run
from bias_tasks.results.shown import brief

Found = list[Run | Problem]


def guarded(path: Path, what: str, read: Callable[[], Found]) -> Found:
    """What `read` finds in a file; where it fails, the problem that the file can't be read.

    A log is somebody else's file, cut short, edited, or made to hurt: what its readers (JSON, zip,
    compression, the host's own models) raise then is no closed list, and none of it may hide the
    other files.

    Args:
        path: the file.
        what: what it should have been: `an Inspect log`.
        read: reads it.
    """
    try:
        return read()
    except OSError as error:
        return [Problem(path, f"cannot be read ({brief(error.strerror or error)})", failed=True)]
    except Exception as error:  # noqa: BLE001 - said above; nothing is swallowed
        reason = f"cannot be read as {what} ({type(error).__name__}: {brief(error)})"
        return [Problem(path, reason, failed=True)]
