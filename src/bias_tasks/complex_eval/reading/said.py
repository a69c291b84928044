"""What a part of an answer says, and where."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Said(NamedTuple, Generic[T]):
    """A value that an answer gives, or why it gives none."""

    value: T | None
    why: str
    """What was read; where the value is None, why nothing was."""
    start: int
    end: int
    """The characters that say it."""
