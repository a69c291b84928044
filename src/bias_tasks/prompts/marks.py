"""Marks around texts of others in a prompt, which none of the texts can close."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from bias_tasks.names import content_hash


def unused_mark(texts: Iterable[str]) -> str:
    """Ten hex digits that occur in none of the texts, whatever the case; the same each time."""
    folded = [text.casefold() for text in texts]
    marks = (content_hash(attempt, *folded) for attempt in itertools.count())
    return next(mark for mark in marks if not any(mark in text for text in folded))
