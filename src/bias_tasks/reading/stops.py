"""What may be read of an answer that ended at a token limit."""

from __future__ import annotations

from dataclasses import replace

from bias_tasks.reading.types import Reading

CUT = "cut at its token limit before a final answer"


def whole_answer(reading: Reading, text: str, *, cut: bool) -> Reading:
    """The reading, or an unread one where the text was cut before its final answer.

    A text that was cut may have gone on to something else, so that it is read only where it begins
    with its answer.

    Args:
        reading: of the whole text.
        text: the model's answer.
        cut: whether it ended at a token limit.
    """
    if not cut or reading.unread or reading.span is None:
        return reading
    if any(character.isalnum() for character in text[: reading.span[0]]):
        return replace(
            reading, label=None, via="unread", reason="invalid_response_format", detail=CUT
        )
    return reading
