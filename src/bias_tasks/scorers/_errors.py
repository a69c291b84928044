"""The error of a scorer that can't be built."""

from __future__ import annotations

from inspect_ai._util.error import (
    PrerequisiteError,  # inspect-evals-lint: ignore[IECQ001] -- no public name; shown bare
)
from rich.markup import escape


class ScorerError(PrerequisiteError):
    """A scorer that can't be built from its parameters: one message, and no traceback.

    It is no ValueError, which `inspect score` takes for a scorer to be looked for elsewhere.
    """

    def __init__(self, message: str) -> None:
        super().__init__(escape(message))
