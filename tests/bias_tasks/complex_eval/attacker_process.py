"""`bias-tasks attack` with a model that is slow and fails often, to be run and killed as a process.

Usage: attacker_process.py OUT LOG: every request adds a line `reply <hash>` or `fault <hash>`
to LOG. After so many requests it prints a line, and answers no more: it waits to be killed.
"""

import asyncio
import hashlib
import random
import sys
from types import SimpleNamespace

from bias_tasks.commands.attack import commands, replies
from tests.bias_tasks.complex_eval.attacker_runs import good_replies, synthetic

ITEMS, CONNECTIONS, FAULTS = 500, 20, 0.2
ANSWERED = 400
"""Requests after which the process waits to be killed."""


class Faulty:
    """Attacks as rules do; one request of five fails."""

    def __init__(self, log, seed, most=None):
        self.log, self.rng = log, random.Random(seed)
        self.left = most
        self.replies = good_replies(synthetic("basic", ITEMS))

    def __str__(self):
        return "fake/faulty"

    async def generate(self, prompt):
        if self.left is not None:
            await self._wait_when_done()
        await asyncio.sleep(0.01)
        fault = self.rng.random() < FAULTS
        digest = hashlib.sha256(prompt.encode()).hexdigest()
        with open(self.log, "a", encoding="utf-8") as stream:
            stream.write(f"{'fault' if fault else 'reply'} {digest}\n")
        if fault:
            raise RuntimeError("the connection was cut")
        return SimpleNamespace(completion=self.replies[prompt])

    async def _wait_when_done(self):
        self.left -= 1
        if self.left == -1:
            print("waiting", flush=True)
        if self.left < 0:
            await asyncio.Event().wait()


def arguments(out):
    """Those of the command."""
    data = ("--data", "synthetic", "-n", str(ITEMS), "--max-connections", str(CONNECTIONS))
    return ["basic", *data, "--out", str(out), "--attacker", "m"]


if __name__ == "__main__":
    to, requests = sys.argv[1:]
    replies.PAUSES = (0.0,) * 4
    commands.open_model = lambda *opened: Faulty(requests, seed=1, most=ANSWERED)
    commands.attack(arguments(to))
