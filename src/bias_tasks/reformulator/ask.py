"""Asks a model for one question, again with the reason where its reply can't be used."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bias_tasks.reformulator.reply import MOST_CHARACTERS, UnusableReplyError, read_reply

if TYPE_CHECKING:
    from inspect_ai.model import Model

ATTEMPTS = 3
ROLE = "reformulator"

_MARKUP = re.compile(r"\[/?[a-z]{1,10}\]")  # the host's messages are written for its own console


class ModelFailedError(RuntimeError):
    """The model gave no reply at all: its provider raised an error."""


def open_model(name: str, connections: int) -> Model:
    """The model in the role `reformulator`, asked at temperature 0 as in section 2.3.

    Args:
        name: any of Inspect's model names.
        connections: how many requests may be under way at once.

    Raises:
        ModelFailedError: there is no such model, or it can't be used (no key, no package).
    """
    from inspect_ai.model import GenerateConfig, get_model

    config = GenerateConfig(temperature=0, max_connections=connections)
    try:
        return get_model(  # inspect-evals-lint: ignore[get_model_location] -- a command, no task
            role=ROLE, default=name, config=config
        )
    except Exception as error:  # providers share no base class of their errors
        raise ModelFailedError(f"cannot use the model {name}: {_brief(error)}") from error


async def ask(model: Model, request: str, refusal: Callable[[str], str | None]) -> dict[str, Any]:
    """Asks for a question, up to three times.

    Args:
        model: the reformulator.
        request: the prompt.
        refusal: why a question is refused, or None.

    Returns:
        What goes into the provenance: by (`model`, or `refused` where every attempt was), output
        (the accepted question, or the last reply), model, prompt, attempts, and the last reason.

    Raises:
        ModelFailedError: the provider raised an error, after the retries that it does itself.
    """
    prompt = request
    for attempt in range(1, ATTEMPTS + 1):
        reply = await _generate(model, prompt)
        asked = {"model": str(model), "prompt": request, "attempts": attempt}
        try:
            question = read_reply(reply)
            reason = refusal(question)
        except UnusableReplyError as error:
            reason = str(error)
        if reason is None:
            return {"by": "model", "output": question, **asked}
        prompt = _AGAIN.format(reply=_shown(reply), reason=reason, request=request)
    return {"by": "refused", "output": _shown(reply), **asked, "reason": reason}


async def _generate(model: Model, prompt: str) -> str:
    try:
        output = await model.generate(prompt)
    except Exception as error:  # providers share no base class of their errors
        raise ModelFailedError(f"{model} failed: {_brief(error)}") from error
    return output.completion


def _shown(reply: str) -> str:
    """The beginning of a reply on one line, fit to be stored and to be shown to the model again."""
    start = reply[:MOST_CHARACTERS]
    return " ".join("".join(c if c.isprintable() else " " for c in start).split())


def _brief(error: Exception) -> str:
    text = " ".join(_MARKUP.sub("", str(error)).split())
    return f"{type(error).__name__}: {text[:300]}"


_AGAIN = """\
To the request below you replied "{reply}", which can't be used: {reason}.

{request}"""
