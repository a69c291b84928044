"""What a reader of answers returns."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Stop = Literal["stop", "cut", "refused"]
"""Why a model's text ended: by itself, at a token limit, or because a filter refused it."""
INVALID_FORMAT = "invalid_response_format"
"""The host's word for an answer that can't be read."""
ASKED_FOR = ("the form asked for", "the fields asked for")
"""Why a value was read that stands as it was asked for: alone, or in the fields of an object."""
TIE = "tie"
"""The verdict that neither of two responses is better."""


class ReportedFlaw(NamedTuple):
    """A flaw that a judge reports."""

    dimension: str
    """As the rubric names it."""
    severity: float
    quote: str


class Value(NamedTuple):
    """A value as it stands in a text."""

    said: Any
    """What is said, of a kind that the form knows; it can be compared and hashed."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer, read."""

    label: str | None
    """What it says, in a word: `True`, `single`, `Yes`, `A`, `7`; None where it can't be read."""
    value: Any = None
    """What it says: a label, a number, scores by criterion, flaws, or positions of options."""
    options: tuple[int, ...] = ()
    """Of a choice, the options named, counted from 0 among those shown; sorted."""
    why: str = ""
    """The rule by which it was read, or why it could not be."""
    span: tuple[int, int] | None = None
    """Characters of the text (start, end) that the reading rests on."""
    reason: str | None = None
    """Why it is abnormal, in the host's words: no_response, refusal, invalid_response_format."""

    @property
    def unread(self) -> bool:
        return self.label is None


def not_read(why: str, reason: str = INVALID_FORMAT) -> Reading:
    """The reading of an answer in which nothing can be read."""
    return Reading(None, why=why, reason=reason)
