"""One request of ten gets an error with the status of an answer, as some gateways send it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from counted import Row, Truth, counted
from hosts import Ask
from served import serving

from bias_tasks.respondents.faults import Faults


def rows(host: str, work: Path, given: dict[str, Any], truth: Truth) -> Iterator[Row]:
    """A row; lm-eval's client for chats takes such an error for an empty answer."""
    folder = work / "error-200"
    with serving(Faults(error_200=0.1, seed=4), given) as served:
        options = ("--retry-on-error", "10")
        Ask(host, served.address, folder, given, options=options).run()
        what = "10 % are errors with status 200"
        if host == "inspect":
            what += f"; {options[0]}"
        row = counted(host, what, folder, truth, requests=served.requests)
    yield replace(row, hosts_own=True) if host == "lm-eval" else row
