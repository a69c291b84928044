"""A reply that shall be one text and nothing else, and the request for another."""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.commands.model_calls.attempts import UnusableReplyError

MOST_CHARACTERS = 2000
"""A longer reply to a request for a question is refused: no question is that long."""

_LABELS = ("reworded question:", "yes/no question:", "question:")  # the last line of the request
_QUOTES = (('"', '"'), ("“", "”"))
_AGAIN = """\
To the request below you replied "{reply}", which can't be used: {reason}.

{request}"""


def read_reply(
    text: str,
    *,
    most: int = MOST_CHARACTERS,
    labels: Sequence[str] = _LABELS,
    lines: bool = False,
) -> str:
    """The text that the reply consists of.

    Only the request's own label in front and quotation marks around it are taken off: what a longer
    reply means by which line is not guessed.

    Args:
        text: the reply.
        most: characters that it may have.
        labels: of the request, in small letters.
        lines: whether it may have several, which stay as they are.

    Raises:
        UnusableReplyError: it is empty, too long, of several lines, or holds control characters.
    """
    if len(text) > most:
        raise UnusableReplyError(f"it has {len(text):,} characters")
    reply = text.strip()
    if not reply:
        raise UnusableReplyError("it is empty")
    found = reply.splitlines()
    if len(found) > 1 and not lines:
        raise UnusableReplyError("it has several lines")
    found = [line.rstrip().expandtabs() if lines else " ".join(line.split()) for line in found]
    if not all(line.isprintable() for line in found):
        raise UnusableReplyError("it holds control characters")
    question = _unquoted(_without_label("\n".join(found), labels))
    if not question:
        raise UnusableReplyError("it is empty")
    return question


def shown(reply: str) -> str:
    """The beginning of a reply on one line, fit to be stored and to be shown to the model again."""
    start = reply[:MOST_CHARACTERS]
    return " ".join("".join(c if c.isprintable() else " " for c in start).split())


def asked_again(request: str, reply: str, reason: str) -> str:
    """The request once more, with a reply to it and why that can't be used."""
    return _AGAIN.format(reply=shown(reply), reason=reason, request=request)


def _without_label(reply: str, labels: Sequence[str]) -> str:
    for label in labels:
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
