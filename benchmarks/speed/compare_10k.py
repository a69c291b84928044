"""Time of comparing two runs of 10,000 items under all variants, in every family.

python -m benchmarks.speed.compare_10k             # answers are drawn, logs are not read
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import replace

from benchmarks.coverage.compare_verdicts import STUDIES, model, planned
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.comparison import compare_runs

SECONDS, TIMES = 5.0, 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=10_000, help="of each run")
    args = parser.parse_args()
    slowest = 0.0
    for study in STUDIES:
        sized = replace(study, values={**study.values, "n": args.items})
        plan = planned(sized, 0)
        runs = [model(sized, plan, 0, number) for number in (0, 5)]
        wall, busy = min(spent(runs) for _ in range(TIMES))
        answers, load = len(runs[0].answers), os.getloadavg()[0]
        print(
            f"{study.task}: 2 x {runs[0].run.n:,} items, {answers:,} answers each, in {wall:.2f} s "
            f"({busy:.2f} s of a processor; load {load:.1f})",
            flush=True,
        )
        slowest = max(slowest, wall)
    if slowest > SECONDS:
        raise SystemExit(f"more than {SECONDS:g} s")


def spent(runs: list[RunAnswers]) -> tuple[float, float]:
    """Seconds by the clock, and of the processor."""
    wall, busy = time.perf_counter(), time.process_time()
    compare_runs(runs)
    return time.perf_counter() - wall, time.process_time() - busy


if __name__ == "__main__":
    main()
