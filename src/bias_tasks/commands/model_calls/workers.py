"""Many tasks at once, of which some may fail."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from bias_tasks.commands.model_calls.model import ModelFailedError

MOST_FAILURES = 5
"""After so many failures of a model in a row it is left alone."""

T = TypeVar("T")


class Failures:
    """Counts a model's failures in a row."""

    def __init__(self) -> None:
        self._in_a_row = 0
        self._answered = False

    @property
    def too_many(self) -> bool:
        """Whether the model is to be left alone."""
        return self._in_a_row >= MOST_FAILURES

    def answered(self) -> None:
        """Note an answer, which ends the row."""
        self._in_a_row, self._answered = 0, True

    def failed(self, error: ModelFailedError) -> None:
        """Note a failure; where nothing ever answered, one that the host retried is enough."""
        silent = error.retried and not self._answered
        self._in_a_row += MOST_FAILURES if silent else 1


def work(
    label: str,
    tasks: Sequence[T],
    connections: int,
    do: Callable[[T], Awaitable[None]],
    *,
    every: bool = False,
) -> list[str]:
    """Does the tasks under a progress bar; where a model fails, the others go on.

    Args:
        label: stands before the bar.
        tasks: taken up in their order.
        connections: how many to have under way at once.
        do: does one; may raise ModelFailedError.
        every: take up every task, however often a model fails; without it none after
            `MOST_FAILURES` failures in a row.

    Returns:
        One message for each task during which a model failed.
    """
    with _progress(label, len(tasks)) as done:
        return asyncio.run(_work(tasks, connections, do, done, every))


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
    every: bool,
) -> list[str]:
    failures: list[str] = []
    model = Failures()
    waiting = iter(tasks)

    async def worker() -> None:
        for task in waiting:
            if model.too_many and not every:
                return
            try:
                await do(task)
                model.answered()
            except ModelFailedError as error:
                failures.append(str(error))
                model.failed(error)
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
