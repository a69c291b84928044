"""The error of a task that can't be built."""

from __future__ import annotations

from inspect_ai._util.error import (
    PrerequisiteError,  # inspect-evals-lint: ignore[IECQ001] -- no public name; shown bare
)
from rich.markup import escape


class TaskError(PrerequisiteError, ValueError):
    """A task that can't be built from its parameters or data: one message, and no traceback."""

    def __init__(self, message: str) -> None:
        ValueError.__init__(self, message)
        PrerequisiteError.__init__(self, escape(message))
