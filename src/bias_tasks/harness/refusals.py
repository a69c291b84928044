"""What is refused on the harness's command line: its cause in place of a traceback."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager

from bias_tasks.data.errors import DataError


@contextmanager
def refused_bare(task: str) -> Iterator[None]:
    """Ends the harness's command with the cause alone where wrong input is refused.

    The command itself catches nothing: a mistyped parameter would print all that was under way.
    Called from Python, the error comes through as it is.

    Args:
        task: name of the task that refuses, which stands before the cause.

    Raises:
        SystemExit: on the harness's command line, with the cause for its message and status 1.
    """
    try:
        yield
    except (ValueError, DataError) as error:
        if not _on_command_line():
            raise
        raise SystemExit(f"{task}: {error}") from None


def _on_command_line() -> bool:
    """Whether the harness's own command runs, `lm_eval` or `python -m lm_eval`."""
    frame = inspect.currentframe()
    while frame is not None:
        if (frame.f_code.co_name, frame.f_globals.get("__package__")) == _COMMAND:
            return True
        frame = frame.f_back
    return False


_COMMAND = ("cli_evaluate", "lm_eval")
"""The function behind the command, and its package."""
