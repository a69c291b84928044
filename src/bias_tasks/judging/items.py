"""What a judge is asked to judge: a prompt and the responses to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """A prompt with responses, of which one may be known to be the better."""

    id: str
    prompt: str
    """What the user asked."""
    responses: tuple[str, ...]
    """At least one; two or more where they are judged in pairs."""
    right: tuple[int, ...]
    """The places of the preferred responses; empty where no label is known."""
    cluster: str | None = None
    """Items of one cluster share something, such as the prompt; None where each stands alone."""
    domain: str | None = None
    human: tuple[float, ...] = ()
    """People's labels, one a response: its share of votes, or its mean score. Empty for none."""
    further: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Columns of a user's file that nobody asks about (see `data/further.py`)."""
