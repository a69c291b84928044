"""Stops requests to a model once no later one can succeed, and words failed requests."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from bias_tasks.results.text import hide_secrets, shorten

if TYPE_CHECKING:
    from inspect_ai.model import Model

MAX_FAILURES = 5
"""Failed requests in a row after which no more are sent, so that a dead server is left alone."""
_HOPELESS = (401, 403, 404)
"""Statuses of a wrong key, model or address, which no later request can undo."""
_REFUSED = (400, 413, 422)
"""Statuses that are about one prompt, once the model has replied to another."""


class ModelError(Exception):
    """A model is not usable, or its evaluation was stopped; the message says why."""

    @property
    def message(self) -> str:
        """The text that Inspect logs; without it, it would log the exception's name too."""
        return str(self)


def guard(model: Model) -> None:
    """Make a model fail at once, without a request, after failures that will come again.

    These are a status of `_HOPELESS`, and `MAX_FAILURES` failures in a row. A failed request raises
    a ModelError with the server's status and message, instead of what wraps it.

    Args:
        model: The model, which is changed in place.
    """
    from inspect_ai.util import LimitExceededError

    generate = model.generate
    reason, in_a_row, has_replied = "", 0, False

    async def generate_or_stop(*args: Any, **options: Any) -> Any:
        nonlocal reason, in_a_row, has_replied
        if reason:
            raise ModelError(reason)
        try:
            output = await generate(*args, **options)
            if not output.choices:
                raise IndexError("no choices")
        except LimitExceededError:
            raise
        except Exception as error:
            status, message = _describe(error)
            in_a_row += not (has_replied and status in _REFUSED)
            if status in _HOPELESS or in_a_row >= MAX_FAILURES:
                reason = message
                logging.disable(logging.WARNING)  # Inspect warns of each sample that fails now
            raise ModelError(message) from error
        in_a_row, has_replied = 0, True
        return output

    setattr(model, "generate", generate_or_stop)  # noqa: B010 -- mypy forbids the assignment


def _describe(error: Exception) -> tuple[int | None, str]:
    """Return the status of a failed request, if it has one, and the server's message."""
    from tenacity import RetryError

    if isinstance(error, RetryError):  # of Inspect, after the last retry
        error = error.last_attempt.exception() or error  # type: ignore[assignment]
    name = type(error).__name__
    message = getattr(error, "provider_message", None) or str(error) or name
    if isinstance(error, TypeError | LookupError | AttributeError):
        message = f"the response of the server is not a chat completion ({name}: {message})"
    return getattr(error, "status_code", None), shorten(hide_secrets(message))
