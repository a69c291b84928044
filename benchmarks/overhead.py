"""CPU time per model call of our tasks against a bare `generate()` + `exact()` task.

Both ask the simulated respondent the same number of times through Inspect, each in processes of
its own, in turn; what a process loads once (a short run warms it up) is not counted. The default
number of calls is that of a paired run on the paper's default items.
Run: python benchmarks/overhead.py [--calls N] [--repeats N]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import exact
from inspect_ai.solver import generate

from bias_tasks.tasks import instruction_boundary as tasks

CALLS_AN_ITEM = {"conformity": 2, "multi_turn": 3, "instruction_boundary": 9}
TASKS = ("bare", *CALLS_AN_ITEM)
LIMIT = 1.10


def make_task(name: str, calls: int) -> Task:
    """The task that makes about so many calls."""
    if name != "bare":
        return getattr(tasks, name)(data="synthetic", n=max(2, calls // CALLS_AN_ITEM[name]))
    asked = tasks.vanilla(data="synthetic", n=calls).dataset
    samples = [Sample(id=s.id, input=s.input, target=s.target) for s in asked]
    return Task(dataset=samples, solver=generate(), scorer=exact())


def run(task: Task) -> tuple[int, float]:
    """The model calls made, and the CPU seconds spent."""
    with tempfile.TemporaryDirectory() as folder:
        before = time.process_time()
        [log] = inspect_eval(task, model="simulated/steadfast", log_dir=folder, display="none")
        spent = time.process_time() - before
        if log.status != "success" or log.samples is None:
            raise SystemExit(f"the run failed: {log.error}")
        made = sum(event.event == "model" for sample in log.samples for event in sample.events)
    return made, spent


def measure(name: str, calls: int) -> float:
    """CPU seconds a call, in this process; a short run of the same task warms it up."""
    run(make_task(name, 20))
    made, spent = run(make_task(name, calls))
    return spent / made


def main() -> None:
    """Measure every task in processes of their own, in turn, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", choices=TASKS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        print(measure(options.only, options.calls))
        return
    times: dict[str, list[float]] = {name: [] for name in TASKS}
    for _ in range(options.repeats):
        for name in TASKS:
            command = [sys.executable, __file__, "--only", name, "--calls", str(options.calls)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            times[name].append(float(done.stdout.split()[-1]))
    bare = statistics.median(times["bare"])
    for name in TASKS:
        median = statistics.median(times[name])
        print(f"{name:22} {1000 * median:6.2f} ms a call   {median / bare:5.2f} of bare")
    worst = max(statistics.median(times[name]) for name in TASKS) / bare
    print(f"worst {worst:.2f}, allowed {LIMIT:.2f}")
    sys.exit(worst > LIMIT)


if __name__ == "__main__":
    main()
