"""What models replied, kept on the disk as it comes, so that nothing is asked twice."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from bias_tasks.commands.model_calls.attempts import AskedOnce
from bias_tasks.commands.model_calls.failures import Failures
from bias_tasks.commands.model_calls.lines import append, repair
from bias_tasks.commands.model_calls.model import ModelFailedError, generate
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import open_to_read, parsed_json, stands_there
from bias_tasks.names import encodable

if TYPE_CHECKING:
    from inspect_ai.model import Model

MOST_CHARACTERS = 200_000
"""What is kept of a reply at most, and one more character that tells of the rest."""
PAUSES = (0.5, 1.0, 2.0, 4.0)
"""Seconds before a failed request is made again; the host retries only what it knows to pass."""


class Source(Protocol):
    """Whence replies come."""

    async def ask(self, model: Model, prompt: str, attempt: int) -> str:
        """The model's reply to a prompt, the n-th attempt from 1."""


class NotKeptError(Exception):
    """A reply is not among those that are kept."""


class Replies:
    """Replies by model, prompt and attempt.

    The file holds one reply a line, as it came. A run that was stopped finds its replies there.
    """

    def __init__(self, path: Path, told: Mapping[str, str] | None = None) -> None:
        """Reads the file, which need not be there.

        Args:
            path: of the file.
            told: replies that are known beside those in it, by `reply_key`.

        Raises:
            DataError: the file can't be read or repaired, or has wrong lines.
        """
        self._path = path
        known = {**(told or {}), **_read(path)}
        self._replies = AskedOnce(known)
        self._failures = Failures()
        self.kept: Source = _Kept(known)
        """The same replies, where nothing that is not among them is asked for."""

    async def ask(self, model: Model, prompt: str, attempt: int) -> str:
        """The model's reply, asked for only if it is not known.

        The same prompt may be asked again after a reply that can't be used: attempts count from 1.

        Raises:
            ModelFailedError: the model failed, after five requests or as many as the host makes;
                or models failed too many times in a row, and are left alone.
            DataError: the file can't be written.
        """
        key = reply_key(str(model), prompt, attempt)

        async def kept() -> str:
            reply = await self._failures.counted(model, lambda: _patiently(model, prompt))
            stored = _storable(reply)
            append(self._path, json.dumps({"asked": key, "reply": stored}).encode() + b"\n")
            return stored

        return await self._replies.answer(key, kept)


class _Kept:
    """Replies that are there already."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = known

    async def ask(self, model: Model, prompt: str, attempt: int) -> str:
        """The reply; raises NotKeptError where it is not there."""
        try:
            return self._known[reply_key(str(model), prompt, attempt)]
        except KeyError as error:
            raise NotKeptError(prompt) from error


def reply_key(model: str, prompt: str, attempt: int) -> str:
    """Under what a reply is kept: what was asked of whom, the n-th attempt from 1."""
    return hashlib.sha256(json.dumps([model, attempt, prompt]).encode()).hexdigest()


async def _patiently(model: Model, prompt: str) -> str:
    for pause in PAUSES:
        try:
            return await generate(model, prompt)
        except ModelFailedError as error:
            if error.retried:
                raise
            await asyncio.sleep(pause)
    return await generate(model, prompt)


def _storable(reply: str) -> str:
    """The reply without what no file may hold (lone surrogates), cut behind its bound."""
    return encodable(reply)[: MOST_CHARACTERS + 1]


def _read(path: Path) -> dict[str, str]:
    if not stands_there(path):
        return {}
    repair(path)
    known = {}
    with open_to_read(path) as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = parsed_json(line)
                known[row["asked"]] = row["reply"]
            except (ValueError, KeyError, TypeError) as error:
                raise DataError(
                    f"{path}: line {number} is no reply that was kept here; take the line out, and "
                    "it is asked for again"
                ) from error
    return known
