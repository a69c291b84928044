"""Asks a model for one question, and reads its reply strictly."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bias_tasks.commands.model_calls.attempts import UnusableReplyError, attempts
from bias_tasks.commands.model_calls.model import generate

if TYPE_CHECKING:
    from inspect_ai.model import Model

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


ROLE = "reformulator"


async def ask(model: Model, request: str, refusal: Callable[[str], str | None]) -> dict[str, Any]:
    """Asks for a question, up to three times.

    `refusal` says why a question is refused, or None.

    Returns:
        What goes into the provenance: by (`model`, or `refused` where every attempt was), output
        (the accepted question, or the last reply), model, prompt, attempts, and the last reason.

    Raises:
        ModelFailedError: the provider raised an error, after the retries that it does itself.
    """

    def read(reply: str) -> str:
        question = read_reply(reply)
        reason = refusal(question)
        if reason is not None:
            raise UnusableReplyError(reason)
        return question

    question, made = await attempts(
        request,
        lambda prompt, attempt: generate(model, prompt),
        read,
        lambda reply, reason: _AGAIN.format(reply=_shown(reply), reason=reason, request=request),
    )
    asked = {"model": str(model), "prompt": request, "attempts": len(made)}
    if question is not None:
        return {"by": "model", "output": question, **asked}
    last = made[-1]
    return {"by": "refused", "output": _shown(last.reply), **asked, "reason": last.refused}


def _shown(reply: str) -> str:
    """The beginning of a reply on one line, fit to be stored and to be shown to the model again."""
    start = reply[:MOST_CHARACTERS]
    return " ".join("".join(c if c.isprintable() else " " for c in start).split())


_AGAIN = """\
To the request below you replied "{reply}", which can't be used: {reason}.

{request}"""
