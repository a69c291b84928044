"""Whether a text goes on as models do that were never tuned to stop behind an answer."""

from __future__ import annotations

import re

_EXAMINED = 4_000
"""Characters examined at the beginning."""
_TURN = re.compile(
    r"(?im)^[ >*#]{0,5}(?:questions?|answers?|context|facts?|options|q|a|user|assistant|human)"
    r" ?\d{0,3} ?:"
)
_TURNS, _SAME_LINES = 2, 3


def goes_on(text: str) -> bool:
    """Whether the text has several turns of question and answer, or says one line over and over."""
    beginning = text[:_EXAMINED]
    if len(_TURN.findall(beginning)) >= _TURNS:
        return True
    lines = [line.strip() for line in beginning.splitlines() if line.strip()]
    runs = zip(lines, lines[1:], lines[2:], strict=False)
    return any(len(set(run)) == 1 for run in runs) and len(lines) >= _SAME_LINES
