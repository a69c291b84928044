"""Many tasks at once, of which some may fail."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from bias_tasks.commands.model_calls.model import ModelFailedError

T = TypeVar("T")


def work(
    label: str,
    tasks: Sequence[T],
    connections: int,
    do: Callable[[T], Awaitable[None]],
) -> list[str]:
    """Does the tasks under a progress bar; where a model fails, the others go on.

    Args:
        label: stands before the bar.
        tasks: taken up in their order.
        connections: how many to have under way at once.
        do: does one; may raise ModelFailedError.

    Returns:
        One message for each task during which a model failed.
    """
    with _progress(label, len(tasks)) as done:
        return asyncio.run(_work(tasks, connections, do, done))


def what_failed(failures: Sequence[str], things: str) -> str:
    """What to tell a person of at least one failure, and that the run can go on.

    Args:
        failures: as `work` returns them.
        things: the tasks in a word, such as `questions`.
    """
    return (
        f"The model failed during {len(failures)} {things}, first so: {failures[0]}\n"
        "What was made is kept: run the same again to go on."
    )


async def _work(
    tasks: Iterable[T],
    connections: int,
    do: Callable[[T], Awaitable[None]],
    done: Callable[[], None],
) -> list[str]:
    failures: list[str] = []
    waiting = iter(tasks)

    async def worker() -> None:
        for task in waiting:
            try:
                await do(task)
            except ModelFailedError as error:
                failures.append(str(error))
            done()

    await asyncio.gather(*(worker() for _ in range(connections)))
    return failures


@contextmanager
def _progress(label: str, total: int) -> Iterator[Callable[[], None]]:
    """Shows a bar on standard error, and gives what moves it on by one."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (label, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as shown:
        bar = shown.add_task(label, total=total)
        yield lambda: shown.advance(bar)
