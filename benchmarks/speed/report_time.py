"""Time and size of a report of ten models on a task of each family.

Simulated models answer about 200 questions per task, each differently. Reading the logs, the
comparisons and the drawing are counted, imports too, as for a user who types the command.
Run: python -m benchmarks.speed.report_time [--models N] [--times N]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.speed.finished_logs import TASKS, make

SECONDS, BYTES = 10.0, 1_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=10)
    parser.add_argument("--times", type=int, default=3, help="runs, of which the fastest counts")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make(folder, args.models)
        out = folder / "report.html"
        command = ["report", str(folder / "all"), "--out", str(out)]
        wall, busy = min(spent(command) for _ in range(args.times))
        size = out.stat().st_size
    print(
        f"{args.models} models x {len(TASKS)} tasks: {wall:.1f} s, {busy:.1f} s of a processor, "
        f"{size:,} bytes; load {os.getloadavg()[0]:.1f}"
    )
    if wall > SECONDS or size > BYTES:
        raise SystemExit(f"more than {SECONDS:g} s or {BYTES:,} bytes")


def spent(command: list[str]) -> tuple[float, float]:
    """Seconds by the clock, and of a processor, of a `bias-tasks` command in its extra process."""
    code = f"from bias_tasks.cli import main; main({command!r})"
    wall, before = time.perf_counter(), os.times()
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    busy = after.children_user + after.children_system
    return (
        time.perf_counter() - wall,
        busy - before.children_user - before.children_system,
    )


if __name__ == "__main__":
    main()
