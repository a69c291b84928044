"""The disk for a host's logs is full; then there is room, and the run is sent again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from counted import Row, Truth, counted
from disk import disk
from hosts import Ask
from served import serving

from bias_tasks.respondents.faults import Faults

_FREE = (0, 24 * 1024)
"""Bytes that are left; the logs take several times as many."""


def rows(host: str, work: Path, given: dict[str, Any], truth: Truth) -> Iterator[Row]:
    """For each disk a row once it was full, and one once the run was sent again."""
    for free in _FREE:
        name = f"disk-{free}"
        with disk(work / name) as small, serving(Faults(), given) as served:
            logs = small.folder / "logs"
            logs.mkdir()
            ask = Ask(
                host,
                served.address,
                logs,
                given,
                resumed=True,
                options=("--retry-attempts", "0"),
                cache=work / f"{name}.cache",
                printed=work / f"{name}.printed",
            )
            small.leave(free)
            code = ask.run()
            asked = served.requests
            small.make_room()
            what = f"logs on a disk with {free // 1024} KiB left, exit code {code}"
            yield counted(host, what, logs, truth, requests=asked)
            code = ask.run()
            what = f"room made, sent again, exit code {code}"
            yield counted(host, what, logs, truth, requests=served.requests - asked)
