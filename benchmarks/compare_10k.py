"""Time of comparing two runs of 10,000 items, in every family.

python benchmarks/compare_10k.py                 # answers are drawn, logs are not read
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

from coverage_compare import STUDIES, model

from bias_tasks.results.comparison.compare import compare_runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=10_000, help="of each run")
    args = parser.parse_args()
    for study in STUDIES:
        few = model(study, 0, 0)
        each = len(few.answers) // few.run.n
        sized = replace(study, values={**study.values, "n": args.answers // each})
        runs = [model(sized, 0, number) for number in (0, 5)]
        start = time.perf_counter()
        compare_runs(runs)
        seconds = time.perf_counter() - start
        items, answers = runs[0].run.n, len(runs[0].answers)
        print(f"{study.task}: 2 x {answers:,} answers to {items:,} items in {seconds:.2f} s")


if __name__ == "__main__":
    main()
