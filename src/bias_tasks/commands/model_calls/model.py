"""A model in a role, and its replies; whatever its provider raises becomes one error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bias_tasks.reading.reasoning import Spoken

if TYPE_CHECKING:
    from inspect_ai.model import Model

_MARKUP = re.compile(r"\[/?[a-z]{1,10}\]")  # the host's messages are written for its own console
_LONGEST = 300
"""Characters of an error's text that are told."""

TEMPERATURE = 0.0


class Limits(NamedTuple):
    """How a model is asked; the host keeps to them."""

    connections: int
    """Requests that may be under way at once."""
    max_retries: int
    """How often a request is made again that failed for what may pass, such as no answer."""
    timeout: int
    """Seconds for a request with its retries."""


class ModelFailedError(RuntimeError):
    """The model gave no reply at all: its provider raised an error.

    Attributes:
        retried: whether the host made the request again as often as it may.
    """

    def __init__(self, message: str, *, retried: bool = False) -> None:
        super().__init__(message)
        self.retried = retried


def open_model(role: str, name: str, limits: Limits) -> Model:
    """The model in a role, asked at `TEMPERATURE`; `name` is any of Inspect's model names.

    Raises:
        ModelFailedError: there is no such model, or it can't be used (no key, no package).
    """
    from inspect_ai.model import GenerateConfig, get_model

    config = GenerateConfig(
        temperature=TEMPERATURE,
        max_connections=limits.connections,
        max_retries=limits.max_retries,
        timeout=limits.timeout,
        attempt_timeout=limits.timeout,
    )
    try:
        return get_model(  # inspect-evals-lint: ignore[get_model_location] -- a command, no task
            role=role, default=name, config=config
        )
    except Exception as error:  # providers share no base class of their errors
        raise ModelFailedError(f"cannot use the model {name}: {_brief(error)}") from error


async def generate(model: Model, prompt: str) -> str:
    """The model's reply, without reasoning that stands in it.

    Raises:
        ModelFailedError: the provider raised an error, after the retries that the host does.
    """
    try:
        output = await model.generate(prompt)
    except Exception as error:  # providers share no base class of their errors
        last = _last_attempt(error)
        if last is None:
            raise ModelFailedError(f"{model} failed: {_brief(error)}") from error
        raise ModelFailedError(
            f"{model}{_address(model)} gave no usable answer within --max-retries "
            f"{model.config.max_retries} and --timeout {model.config.timeout}: {_brief(last)}",
            retried=True,
        ) from error
    return Spoken.of(output.completion).text


def _last_attempt(error: BaseException) -> BaseException | None:
    """What the last attempt raised, where the host gave up after its retries."""
    attempt = getattr(error, "last_attempt", None)  # of tenacity, which the host retries with
    return None if attempt is None else attempt.exception()


def _address(model: Model) -> str:
    """Where a model is asked that is not asked at its provider's own address."""
    return f" at {model.api.base_url}" if model.api.base_url else ""


def _brief(error: BaseException) -> str:
    """The error on one line, with the one that it came from."""
    causes = [error, error.__cause__] if error.__cause__ is not None else [error]
    told = (f"{type(each).__name__}: {_MARKUP.sub('', str(each))}" for each in causes)
    return " ".join(" from ".join(told).split())[:_LONGEST]
