"""What a model replied to the request for one question, read strictly."""

from __future__ import annotations

from bias_tasks.commands.model_calls.attempts import UnusableReplyError

MOST_CHARACTERS = 2000
"""A longer reply is refused: no question is that long."""

_LABELS = ("reworded question:", "yes/no question:", "question:")  # the last line of the request
_QUOTES = (('"', '"'), ("“", "”"))


def read_reply(text: str) -> str:
    """The question that the reply consists of.

    Only the request's own label in front and quotation marks around it are taken off: what a longer
    reply means by which line is not guessed.

    Raises:
        UnusableReplyError: it is empty, too long, of several lines, or holds control characters.
    """
    if len(text) > MOST_CHARACTERS:
        raise UnusableReplyError(f"it has {len(text):,} characters")
    reply = text.strip()
    if not reply:
        raise UnusableReplyError("it is empty")
    if len(reply.splitlines()) > 1:
        raise UnusableReplyError("it has several lines")
    reply = " ".join(reply.split())
    if not reply.isprintable():
        raise UnusableReplyError("it holds control characters")
    question = _unquoted(_without_label(reply))
    if not question:
        raise UnusableReplyError("it is empty")
    return question


def _without_label(reply: str) -> str:
    for label in _LABELS:
        if reply[: len(label)].lower() == label:
            return reply[len(label) :].strip()
    return reply


def _unquoted(reply: str) -> str:
    inside = reply[1:-1]
    for opening, closing in _QUOTES:
        around = len(reply) > 1 and reply[0] == opening and reply[-1] == closing
        if around and opening not in inside and closing not in inside:
            return inside.strip()
    return reply
