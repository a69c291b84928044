"""Answers that ended at a token limit: what they would have come to is not known."""

from __future__ import annotations

import re
from dataclasses import replace

from bias_tasks.instruction_boundary.reading.own_words import asks_another
from bias_tasks.reading.types import Reading
from bias_tasks.reading.unread import CUT

# What may stand before an answer that a text begins with: a heading, and the words of its sentence.
_BEGINS = re.compile(
    r"\W*(?:[^\n.!?]{0,40}\b(?:answer|conclusion|verdict)\b\W*\n\W*)?[^\n.!?]{0,200}", re.IGNORECASE
)


def unless_cut(reading: Reading, text: str, *, several: bool) -> Reading:
    """The reading of a text that was cut, or an unread one where the text might have gone on to
    another answer.

    It is read where its first sentence says the answer, and where another question follows, behind
    which no answer to this one is looked for.

    Args:
        reading: of the whole text.
        text: the model's answer, which ended at a token limit.
        several: whether several options may be right, so that "2" at the very end may be the
            beginning of "2, 3".
    """
    if reading.unread or reading.span is None:
        return reading
    before, behind = text[: reading.span[0]], text[reading.span[1] :]
    ended = not several or any(map(str.isalnum, behind))
    if ended and (_BEGINS.fullmatch(before) is not None or asks_another(behind)):
        return reading
    return replace(
        reading,
        label=None,
        via="unread",
        options=(),
        span=None,
        reason="invalid_response_format",
        detail=CUT,
    )
