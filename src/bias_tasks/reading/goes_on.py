"""Whether a text goes on as models do that were never tuned to stop behind an answer."""

from __future__ import annotations

import re
from collections import Counter

_EXAMINED = 4_000
"""Characters examined at the beginning."""
_TURN = re.compile(
    r"(?im)^[ >*#]{0,5}(?P<label>questions?|answers?|context|facts?|options|q|a|user|assistant"
    r"|human|choose one of the following answers) ?\d{0,3} ?:"
)
_ASKING = re.compile(r"(?i)question|q\b|user|human")
_ANSWERING = re.compile(r"(?i)answer|a\b|assistant")
_SAME_TURNS, _SAME_LINES = 2, 3
_ITEM = re.compile(r"(?m)^ {0,4}\d{1,3}[.)] {1,4}(\S[^\n]{0,200})\n")
_ITEMS = 5
"""Whole items of a list from which on it is looked at."""


def goes_on(text: str) -> bool:
    """Whether the text has several turns of question and answer, or says the same over and over:
    one line, or the items of a numbered list.

    One turn behind other words is enough where it asks and answers. A heading alone is not: chat
    models repeat the facts or the question before they reason.
    """
    beginning = text[:_EXAMINED]
    turns = list(_TURN.finditer(beginning))
    labels = Counter(turn["label"].lower().rstrip("s") for turn in turns)
    if max(labels.values(), default=0) >= _SAME_TURNS:
        return True
    further = [turn["label"] for turn in turns if beginning[: turn.start()].strip()]
    asked = next((at for at, label in enumerate(further) if _ASKING.match(label)), len(further))
    if any(_ANSWERING.match(label) for label in further[asked:]):
        return True
    lines = [line.strip() for line in beginning.splitlines() if line.strip()]
    runs = zip(lines, lines[1:], lines[2:], strict=False)
    if any(len(set(run)) == 1 for run in runs) and len(lines) >= _SAME_LINES:
        return True
    items = _ITEM.findall(beginning)
    return len(items) >= _ITEMS and len(set(items)) < len(items) - 1
