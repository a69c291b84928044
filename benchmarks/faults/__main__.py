"""What becomes of a run when things break: counted, for both hosts, against a respondent over HTTP.

Each scenario disturbs a run of `conformity` on generated items, and a line tells how many questions
were asked, finished, named as missing, doubled and invented (an answer that the undisturbed run
has otherwise, or not at all), whether every figure is the undisturbed run's to the digit, and how
many requests it took. The exit code says whether all of it is as it should be: every question
finished or named, none doubled, none invented.

    python benchmarks/faults [--only failing cut error_200 killed full_disk commands]
        [--host inspect lm-eval] [--n 60]

`--n` says of how many items. `full_disk` and `commands` mount small file systems in memory, which
takes root.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import commands
import cut
import error_200
import failing
import full_disk
import killed
from counted import Row, truth_of
from hosts import NAMES, Ask
from served import serving

from bias_tasks.respondents.faults import Faults

_SCENARIOS = {
    "failing": failing,
    "cut": cut,
    "error_200": error_200,
    "killed": killed,
    "full_disk": full_disk,
}
_COMMANDS = "commands"
_COLUMNS = (
    *("host", "what breaks", "asked", "finished", "named", "doubled", "invented"),
    *("figures", "requests"),
)


def main() -> None:
    """Run the scenarios and print their rows as they come."""
    told, _, how = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(description=told, epilog=how)
    every = (*_SCENARIOS, _COMMANDS)
    parser.add_argument("--only", nargs="+", choices=every, default=every)
    parser.add_argument("--host", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--n", type=int, default=60, help="items, each asked in two ways")
    chosen = parser.parse_args()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    given = {"data": "synthetic", "n": chosen.n, "form": "choice"}
    print(f"| {' | '.join(_COLUMNS)} |")
    print(f"|{' --- |' * len(_COLUMNS)}")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for host in chosen.host:
            for row in _rows(host, Path(folder) / host, given, chosen.only):
                good &= row.good
                print(_shown(row), flush=True)
        if _COMMANDS in chosen.only:
            for line, fine in commands.lines(Path(folder) / _COMMANDS):
                good &= fine
                print(line, flush=True)
    sys.exit(not good)


def _rows(host: str, work: Path, given: dict[str, Any], only: list[str]) -> Iterator[Row]:
    chosen = [scenario for name, scenario in _SCENARIOS.items() if name in only]
    if not chosen:
        return
    with serving(Faults(), given) as served:
        code = Ask(host, served.address, work / "whole", given).run()
        assert code == 0, (work / "whole.printed").read_text(encoding="utf-8")
        truth = truth_of(work / "whole")
        asked = len(truth.answers)
        yield Row(host, "nothing", asked, asked, 0, 0, 0, True, served.requests)
    for scenario in chosen:
        yield from scenario.rows(host, work, given, truth)


def _shown(row: Row) -> str:
    same = {True: "the same", False: "DIFFERENT", None: "not merged"}[row.same]
    counts = (row.asked, row.finished, row.named, row.doubled, row.invented)
    requests = "" if row.requests is None else row.requests
    note = f" ({row.note})" if row.note else ""
    numbers = " | ".join(map(str, counts))
    return f"| {row.host} | {row.what}{note} | {numbers} | {same} | {requests} |"


if __name__ == "__main__":
    main()
