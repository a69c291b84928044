"""Asks a model for one question."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bias_tasks.commands.model_calls.attempts import UnusableReplyError, attempts
from bias_tasks.commands.model_calls.model import generate
from bias_tasks.commands.model_calls.texts import asked_again, read_reply, shown

if TYPE_CHECKING:
    from inspect_ai.model import Model

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
        lambda reply, reason: asked_again(request, reply, reason),
    )
    asked = {"model": str(model), "prompt": request, "attempts": len(made)}
    if question is not None:
        return {"by": "model", "output": question, **asked}
    last = made[-1]
    return {"by": "refused", "output": shown(last.reply), **asked, "reason": last.refused}
