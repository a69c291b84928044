"""What a reader of answers returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Via = Literal["explicit", "keyword", "judge", "unread"]
"""How an answer was read: stated outright, by keywords, by a judge model, or not at all."""
Stop = Literal["stop", "cut", "refused"]
"""Why a model's text ended: by itself, at a token limit, or because a filter refused it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer, read.

    `label` is a judging label (True, False, Unknown), a choice label (single, multiple, none),
    `"invalid"` when the answer clearly names an option that was not offered, or None when the
    answer could not be read.
    """

    label: str | None
    via: Via
    options: tuple[int, ...] = ()
    """Choice form: 0-based positions, among the options shown, that the answer names; sorted."""
    span: tuple[int, int] | None = None
    """Characters of the text (start, end) that the reading rests on."""
    reason: str | None = None
    """Why it is abnormal: no_response, refusal, invalid_response_format or grader_failed."""
    detail: str | None = None
    """One line for a person: which rule matched, or why none did."""

    @property
    def unread(self) -> bool:
        return self.label is None


@dataclass(frozen=True, slots=True)
class Answered:
    """What the engine found: a value of the form, or why there is none."""

    value: Any
    """The form's `Value`; None where nothing can be read."""
    why: str
    span: tuple[int, int] | None = None
    reason: str | None = None
