"""Asks until a reply can be used, each time with the reason why the last one can't."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Generic, NamedTuple, TypeVar

ATTEMPTS = 3

T = TypeVar("T")


class UnusableReplyError(ValueError):
    """The reply is not what was asked for; the message says why."""


class AskedOnce(Generic[T]):
    """Answers by what was asked; many may want one at the same time, and it is asked for once."""

    def __init__(self, known: dict[str, T]) -> None:
        self.known = known
        self._under_way: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def answer(self, asked: str, ask: Callable[[], Awaitable[T]]) -> T:
        """The answer that is known, or else the one that `ask` gives."""
        async with self._under_way[asked]:
            if asked not in self.known:
                self.known[asked] = await ask()
        return self.known[asked]


class Attempt(NamedTuple):
    """One reply."""

    reply: str
    refused: str | None
    """Why it can't be used, or None."""


async def attempts(
    request: str,
    send: Callable[[str, int], Awaitable[str]],
    read: Callable[[str], T],
    again: Callable[[str, str], str],
) -> tuple[T | None, list[Attempt]]:
    """Asks up to `ATTEMPTS` times.

    Args:
        request: the first prompt.
        send: gives the reply to a prompt, the n-th attempt from 1.
        read: what the reply holds; raises UnusableReplyError where that can't be used.
        again: the next prompt, made of a reply and why it can't be used.

    Returns:
        What was read, or None where every reply was refused, and the attempts.
    """
    made: list[Attempt] = []
    prompt = request
    for number in range(1, ATTEMPTS + 1):
        reply = await send(prompt, number)
        try:
            value = read(reply)
        except UnusableReplyError as error:
            made.append(Attempt(reply, str(error)))
            prompt = again(reply, str(error))
        else:
            made.append(Attempt(reply, None))
            return value, made
    return None, made
