"""Time of `bias-tasks results` on twenty logs, once its imports are done.

Run: python -m benchmarks.speed.results_time [--models N]        # four logs per model
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from click.testing import CliRunner

from benchmarks.speed.finished_logs import make
from bias_tasks.cli import main as bias_tasks

SECONDS = 2.0
OPTION_LISTS: tuple[list[str], ...] = ([], ["--format", "csv"], ["--task", "conformity"], ["--all"])
"""Only the first two are lines of headers alone; the others read answers."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=5)
    models = parser.parse_args().models
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make(folder, models)
        logs = sorted((folder / "all").iterdir())
        spent([], logs[:1])  # what is imported when it is needed
        first, *others = (min(spent(options, logs) for _ in range(3)) for options in OPTION_LISTS)
    print(f"results of {len(logs)} logs: {first:.2f} s; load {os.getloadavg()[0]:.1f}")
    for options, seconds in zip(OPTION_LISTS[1:], others, strict=True):
        print(f"  {' '.join(options)}: {seconds:.2f} s")
    if first > SECONDS:
        raise SystemExit(f"more than {SECONDS:g} s")


def spent(options: list[str], logs: list[Path]) -> float:
    """Seconds by the clock."""
    start = time.perf_counter()
    done = CliRunner().invoke(bias_tasks, ["results", *options, *map(str, logs)])
    assert done.exit_code == 0, done.output
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
