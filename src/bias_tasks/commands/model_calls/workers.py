"""Many tasks at once, of which some may fail."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from bias_tasks.commands.model_calls.model import ModelFailedError

MOST_FAILURES = 5
"""After so many failures of a model in a row it is left alone."""

T = TypeVar("T")


async def work(
    tasks: Iterable[T],
    connections: int,
    do: Callable[[T], Awaitable[None]],
    done: Callable[[], None],
    *,
    most_failures: int = MOST_FAILURES,
) -> list[str]:
    """Does the tasks; where a model fails, the others go on.

    Args:
        tasks: taken up in their order.
        connections: how many to have under way at once.
        do: does one; may raise ModelFailedError.
        done: called after each task.
        most_failures: after so many in a row no further task is taken up.

    Returns:
        One message for each task during which a model failed.
    """
    failures: list[str] = []
    in_a_row = 0
    waiting = iter(tasks)

    async def worker() -> None:
        nonlocal in_a_row
        for task in waiting:
            if in_a_row >= most_failures:
                return
            try:
                await do(task)
                in_a_row = 0
            except ModelFailedError as error:
                failures.append(str(error))
                in_a_row += 1
            done()

    await asyncio.gather(*(worker() for _ in range(connections)))
    return failures
