"""CPU time per model call of our tasks against a bare `generate()` + `exact()` task.

Both ask the simulated respondent the same prompts through Inspect, each in a process of its own;
what a process loads once (a short run warms it up) is not counted. The ratio is printed with
Inspect's live figures and without them (`--no-score-display`): while they are on, Inspect
recomputes all figures about once a second and keeps them in one row of its live buffer, which it
rewrites at every event, so that a task with hundreds of figures pays for each.
Run: python benchmarks/overhead.py [--items N] [--repeats N]
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
from inspect_ai.scorer import exact
from inspect_ai.solver import generate

from bias_tasks.tasks import instruction_boundary as tasks

NAMES = ("conformity", "multi_turn", "instruction_boundary")
LIMIT = 1.10


def make_task(name: str, items: int, bare: bool) -> Task:
    """One of our tasks, or a bare task with the same prompts, which the respondent knows too."""
    task: Task = getattr(tasks, name)(data="synthetic", n=items)
    if not bare:
        return task
    samples = [sample.model_copy(update={"metadata": None}) for sample in task.dataset]
    return Task(dataset=samples, solver=generate(), scorer=exact())


def run(task: Task, live: bool) -> float:
    """CPU seconds a model call."""
    with tempfile.TemporaryDirectory() as folder:
        before = time.process_time()
        [log] = inspect_eval(
            task,
            model="simulated/steadfast",
            log_dir=folder,
            display="none",
            score_display=live,
        )
        spent = time.process_time() - before
        if log.status != "success" or log.samples is None:
            raise SystemExit(f"the run failed: {log.error}")
        made = sum(event.event == "model" for sample in log.samples for event in sample.events)
    return spent / made


def measure(name: str, items: int, bare: bool, live: bool) -> float:
    """CPU seconds a model call, measured in a process of its own."""
    command = [sys.executable, __file__, "--one", name, str(items), str(int(bare)), str(int(live))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def main() -> None:
    """Measure every task and its bare twin in turn, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        name, items, bare, live = options.one
        run(make_task(name, 4, bool(int(bare))), bool(int(live)))
        print(run(make_task(name, int(items), bool(int(bare))), bool(int(live))))
        return
    worst = 0.0
    for name in NAMES:
        for live in (True, False):
            ours, bare = [], []
            for _ in range(options.repeats):
                bare.append(measure(name, options.items, True, live))
                ours.append(measure(name, options.items, False, live))
            mine, theirs = statistics.median(ours), statistics.median(bare)
            worst = max(worst, mine / theirs)
            times = f"{1000 * mine:6.2f} against {1000 * theirs:6.2f} ms a call"
            shown = "live" if live else "not live"
            print(f"{name:21} {shown:8} {times}: {mine / theirs:.2f}", flush=True)
    print(f"worst {worst:.2f}, allowed {LIMIT:.2f}")
    sys.exit(worst > LIMIT)


if __name__ == "__main__":
    main()
