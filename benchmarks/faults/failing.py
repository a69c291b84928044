"""One request of five fails, with 429, 500 or 503, and says when to come again or does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from counted import Row, Truth, counted
from hosts import Ask
from served import serving

from bias_tasks.respondents.faults import Faults

_SHARES: dict[str, Any] = {"error_429": 0.07, "error_500": 0.07, "error_503": 0.06}


def rows(host: str, work: Path, given: dict[str, Any], truth: Truth) -> Iterator[Row]:
    """A row for each way of failing, and where the host gives up, for what helps."""
    for soon in (True, False):
        told = "with" if soon else "without"
        faults = Faults(**_SHARES, retry_after=soon, seed=1)
        what = f"20 % fail, {told} Retry-After"
        folder = work / f"failing-{told}"
        with serving(faults, given) as served:
            ask = Ask(host, served.address, folder, given, cache=folder.with_name(f"{told}.cache"))
            code = ask.run()
            yield counted(host, what, folder, truth, requests=served.requests)
            if code == 0:
                continue
            before = served.requests
            Ask(**{**vars(ask), "model_args": ",max_retries=10"}).run()
            yield counted(
                host,
                f"{what}: sent again with max_retries=10",
                folder,
                truth,
                requests=served.requests - before,
            )
