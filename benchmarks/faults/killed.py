"""The worker of each of 16 shards is killed midway and sent again; then a node is lost for good."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from counted import Row, Truth, counted
from hosts import Ask
from served import Served, serving

from bias_tasks.respondents.faults import Faults
from bias_tasks.shards import part_of

SHARDS = 16
_LATENCY = 0.1
"""Seconds an answer takes, so that there is a midway."""
_LOST = 5
"""The shard whose node is lost."""


def rows(host: str, work: Path, given: dict[str, Any], truth: Truth) -> Iterator[Row]:
    """A row once all are killed, all sent again, a node lost, and its shard sent again."""
    logs = work / "shards"
    sizes = _sizes(truth)
    with serving(Faults(latency=_LATENCY), given) as served:
        for number, size in sizes.items():
            _kill_midway(_worker(host, served, logs, given, number), served, size)
        asked = served.requests
        yield counted(
            host, f"each of {len(sizes)} workers killed midway", logs, truth, requests=asked
        )
        for number in sizes:
            _worker(host, served, logs, given, number).run()
        again = served.requests - asked
        yield counted(host, "all sent again", logs, truth, requests=again)
    shutil.rmtree(logs / str(_LOST))
    yield counted(host, "a node lost with its folder", logs, truth)
    with serving(Faults(), given) as other:
        _worker(host, other, logs, given, _LOST, "elsewhere").run()
        what = "its shard sent again to another, which asks at another address"
        yield counted(host, what, logs, truth, requests=other.requests)


def _sizes(truth: Truth) -> dict[int, int]:
    """How many questions each shard has, by the items of their ids."""
    sizes: dict[int, int] = {}
    for question in truth.answers:
        number = part_of(question.rpartition("/")[0], SHARDS)
        sizes[number] = sizes.get(number, 0) + 1
    return dict(sorted(sizes.items()))


def _worker(
    host: str, served: Served, logs: Path, given: dict[str, Any], number: int, name: str = "logs"
) -> Ask:
    folder = logs / str(number)
    return Ask(
        host,
        served.address,
        folder / name,
        given,
        shard=f"{number}/{SHARDS}",
        options=("--log-buffer", "1"),
        cache=folder / "answers",
        connections=2,
    )


def _kill_midway(ask: Ask, served: Served, size: int) -> None:
    """Runs a worker until it has asked half of its questions and one more."""
    before = served.requests
    process = ask.start()
    while served.requests - before <= size // 2 and process.is_alive():
        time.sleep(0.02)
    process.kill()
    process.join()
