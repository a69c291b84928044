"""CPU time per model call of our tasks against a bare `generate()` + `exact()` task.

Both ask the simulated respondent the same number of times through Inspect in a process of their
own; the host's own start-up is not counted. Run: python benchmarks/overhead.py [--calls N]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time

TASKS = ("bare", "conformity", "multi_turn", "instruction_boundary")
LIMIT = 1.10


def measure(name: str, calls: int) -> float:
    """CPU seconds a call, in this process."""
    from inspect_ai import Task
    from inspect_ai import eval as inspect_eval
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import exact
    from inspect_ai.solver import generate

    from bias_tasks.tasks import instruction_boundary as tasks

    prompts = tasks.vanilla(data="synthetic", n=calls)
    if name == "bare":
        samples = [Sample(id=s.id, input=s.input, target=s.target) for s in prompts.dataset]
        task = Task(dataset=samples, solver=generate(), scorer=exact())
    else:
        a_call_each = {"conformity": 2, "multi_turn": 3, "instruction_boundary": 9}[name]
        task = getattr(tasks, name)(data="synthetic", n=calls // a_call_each)
    warm = Task(dataset=[Sample(input="warm up")], solver=generate(), scorer=exact())
    with tempfile.TemporaryDirectory() as folder:
        options = {"model": "simulated/steadfast", "log_dir": folder, "display": "none"}
        inspect_eval(warm, **options)
        before = time.process_time()
        [log] = inspect_eval(task, **options)
        spent = time.process_time() - before
        if log.status != "success" or log.samples is None:
            raise SystemExit(f"{name} failed: {log.error}")
        made = sum(event.event == "model" for sample in log.samples for event in sample.events)
    return spent / made


def main() -> None:
    """Measure every task in processes of their own, in turn, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=900)
    parser.add_argument("--repeats", type=int, default=5)
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
