"""Processor time and memory of every metric of a run of 100,000 recorded answers, family by family.

    python -m benchmarks.speed.metrics_100k [TASK ...]

The answers are those of a small synthetic run, read as a family reads them, under other items'
names until there are enough. Each task is measured in a process of its own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np

from bias_tasks.contract.outcomes import Answer, Outcome
from bias_tasks.families import family_of_task
from bias_tasks.results.answers import pause_garbage_collection

ANSWERS = 100_000
TASKS = ("conformity", "binaryqa", "format_mapping")


def main() -> None:
    for task in sys.argv[1:] or TASKS:
        subprocess.run([sys.executable, __file__, "--one", task], check=True)


def measure(task: str) -> None:
    family = family_of_task(task)
    spec = family.tasks[task]
    known = {each.name for each in spec.parameters}
    values = spec.values({"n": 40} | {name: "synthetic" for name in known if name == "data"})
    outcomes = recorded(task, values)
    before = _peak_mb()
    start = time.process_time()
    with pause_garbage_collection():
        metrics = family.compute_metrics(outcomes, spec.metric_options(values))
    seconds = time.process_time() - start
    print(
        f"{task}: {len(outcomes):,} outcomes, {len(metrics)} metrics in {seconds:.2f} s,", end=" "
    )
    print(f"peak memory {_peak_mb():.0f} MB, of which the outcomes {before:.0f} MB", flush=True)


def recorded(task: str, values: dict[str, object]) -> list[Outcome]:
    """Outcomes of answers that are right in half of all cases, the same every time."""
    family = family_of_task(task)
    rng = np.random.default_rng(0)
    small = []
    for question in family.plan(task, values).questions:
        text = question.gold if rng.random() < 0.5 else "5"
        small.append(family.score_answer(question.scoring_data, Answer(text)))
    copies = -(-ANSWERS // len(small))
    return [
        replace(each, item=f"{copy}-{each.item}", cluster=f"{copy}-{each.cluster}")
        for copy in range(copies)
        for each in small
    ][:ANSWERS]


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(sys.argv[2])
    else:
        main()
