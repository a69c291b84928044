"""Leaves a model alone that fails too often, so that a run with a dead server ends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bias_tasks.commands.model_calls.model import ModelFailedError

MOST_FAILURES = 5
"""After so many failures of a model in a row it is left alone."""

T = TypeVar("T")


class Failures:
    """Counts a model's failures in a row, and ends asking it when there are too many.

    Where nothing ever answered, one request is enough that the host has made again and again.
    """

    def __init__(self) -> None:
        self._in_a_row = 0
        self._answered = False

    async def counted(self, model: object, ask: Callable[[], Awaitable[T]]) -> T:
        """What `ask` gives, which asks the model.

        Raises:
            ModelFailedError: the model failed, or is left alone.
        """
        if self._in_a_row >= MOST_FAILURES:
            raise ModelFailedError(f"{model} was not asked, after so many failures in a row")
        try:
            reply = await ask()
        except ModelFailedError as error:
            silent = error.retried and not self._answered
            self._in_a_row += MOST_FAILURES if silent else 1
            raise
        self._in_a_row, self._answered = 0, True
        return reply
