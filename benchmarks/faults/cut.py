"""Connections end before an answer, within it, or never; a body's JSON ends in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from counted import Row, Truth, counted
from hosts import Ask
from served import serving

from bias_tasks.respondents.faults import Faults

_CUT: dict[str, float] = {"drop": 0.07, "cut": 0.07, "truncated": 0.06}
_STALLS: dict[str, float] = {"drop": 0.05, "cut": 0.05, "truncated": 0.05, "stall": 0.05}
_HELPS = ("--retry-on-error", "10", "--attempt-timeout", "5")
_HELPS_LM_EVAL = ",max_retries=10,timeout=5"


def rows(host: str, work: Path, given: dict[str, Any], truth: Truth) -> Iterator[Row]:
    """A row by the host's defaults; one where some are never answered, with what helps."""
    folder = work / "cut"
    with serving(Faults(**_CUT, seed=2), given) as served:
        Ask(host, served.address, folder, given).run()
        what = "20 % cut, half a JSON among them"
        yield counted(host, what, folder, truth, requests=served.requests)
    folder = work / "stalled"
    with serving(Faults(**_STALLS, seed=3), given) as served:
        ask = Ask(host, served.address, folder, given, options=_HELPS, model_args=_HELPS_LM_EVAL)
        ask.run()
        helps = _HELPS[::2] if host == "inspect" else ("max_retries", "timeout")
        what = f"20 % cut or never answered; {', '.join(helps)}"
        yield counted(host, what, folder, truth, requests=served.requests)
