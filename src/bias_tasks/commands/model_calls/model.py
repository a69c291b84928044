"""A model in a role, and its replies; whatever its provider raises becomes one error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bias_tasks.reading.reasoning import Spoken

if TYPE_CHECKING:
    from inspect_ai.model import Model

_MARKUP = re.compile(r"\[/?[a-z]{1,10}\]")  # the host's messages are written for its own console

TEMPERATURE = 0.0


class ModelFailedError(RuntimeError):
    """The model gave no reply at all: its provider raised an error."""


def open_model(role: str, name: str, connections: int) -> Model:
    """The model in a role, asked at `TEMPERATURE`.

    `name` is any of Inspect's model names, and `connections` how many requests may be under way at
    once.

    Raises:
        ModelFailedError: there is no such model, or it can't be used (no key, no package).
    """
    from inspect_ai.model import GenerateConfig, get_model

    config = GenerateConfig(temperature=TEMPERATURE, max_connections=connections)
    try:
        return get_model(  # inspect-evals-lint: ignore[get_model_location] -- a command, no task
            role=role, default=name, config=config
        )
    except Exception as error:  # providers share no base class of their errors
        raise ModelFailedError(f"cannot use the model {name}: {_brief(error)}") from error


async def generate(model: Model, prompt: str) -> str:
    """The model's reply, without reasoning that stands in it.

    Raises:
        ModelFailedError: the provider raised an error, after the retries that it does itself.
    """
    try:
        output = await model.generate(prompt)
    except Exception as error:  # providers share no base class of their errors
        raise ModelFailedError(f"{model} failed: {_brief(error)}") from error
    return Spoken.of(output.completion).text


def _brief(error: Exception) -> str:
    text = " ".join(_MARKUP.sub("", str(error)).split())
    return f"{type(error).__name__}: {text[:300]}"
