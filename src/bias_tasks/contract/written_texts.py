"""Texts that models write about an item: what is requested, and what was written.

A family's `Writing` yields the requests about one item, and gets for each what was written. A
framework sends them, and repeats a request with the reason while its reply is invalid.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bias_tasks.contract.json_data import JsonObject

CHECKER = "checker"
"""Role of the model that checks texts, if a run has one."""


@dataclass(frozen=True, slots=True)
class TextRequest:
    """The request for one text."""

    prompt: str
    parse: Callable[[str], str]
    """Returns the text of a reply, or raises an `InvalidReplyError` with the reason."""
    build_check: Callable[[str], str] | None = None
    """Returns the question about the text that a model answers with Yes if the text is right."""
    checks_itself: bool = False
    """Whether the model that writes also checks. Otherwise the role `checker` does, if a run has
    it."""
    existing: str | None = None
    """A text in the data that the role `checker` has to check; no model writes one."""


@dataclass(slots=True)
class WrittenText:
    """What models replied to one request."""

    text: str | None = None
    """The text of the last reply; None if that is invalid."""
    invalid: str | None = None
    """Why the last reply is invalid; None if it is valid."""
    objection: str | None = None
    """Why the checker rejects the text; None if it does not, or was not asked."""
    steps: list[JsonObject] = field(default_factory=list)
    """A record of each prompt: `role`, `model`, `prompt`, and `replies`: for each its `output`, and
    why it was `refused`, or None."""

    @property
    def reason(self) -> str | None:
        """Why there is no text that can be used; None if there is one."""
        return self.invalid or self.objection

    @property
    def last_reply(self) -> str:
        """The last reply of the model that writes."""
        reply: str = self.steps[0]["replies"][-1]["output"]
        return reply


class CollectedTexts(NamedTuple):
    """The texts about one item, as tasks read them."""

    rows: list[JsonObject]
    """Rows of a data file."""
    reasons: Mapping[str, str | None]
    """Why a text is missing, by the name of the text; None for a valid one. A reason begins with
    words that are the same for all items, up to a colon."""


Writing = Generator[TextRequest, WrittenText, CollectedTexts]
"""The requests about an item, which get what was written, and then the collected texts."""


class ItemToWrite(NamedTuple):
    """An item about which models write texts."""

    id: str
    write: Callable[[], Writing]
