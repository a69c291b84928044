"""CPU time per model call of our tasks against a bare task that asks the same.

Both ask the simulated model the same prompts through Inspect, in as many calls, each in a process
of its own; what a process loads once (a short run warms it up) is not counted. The bare task has no
metadata, no metrics but `accuracy`, and no hook of this package; where a question takes several
calls, it asks each with an answer in place of the model's own. The simulated model's time is in
both: the line says what share it has of a bare call, for with a slower one the ratio would be
lower.

One line per task, with Inspect's live metrics and without them (`--no-score-display`): of user and
system time, the least of several runs of each, which take turns, since other work on the machine
only adds to a run; and beside the ratio of both the median of the pairs' own. The package has to be
installed (`pip install -e .`): from a `PYTHONPATH` alone Inspect searches all installed packages
for it at the beginning of every run, which takes a second.
Run: python -m benchmarks.speed.call_overhead [--items N] [--repeats N] [--tasks NAME ...]
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ChatMessageUser, get_model
from inspect_ai.scorer import exact
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from bias_tasks.families import family_of_task, load_family
from bias_tasks.solvers.sample_state import question_samples, running_sample

TASKS = (
    "conformity",
    "multi_turn",
    "instruction_boundary",
    "binaryqa",
    "format_wrapping",
    "complexeval_basic",
    "judge_pairwise",
)
"""What the first family has of its own kind, and one task of every other family."""
LIMIT = 1.08
NUMBERS = re.compile(r"[\d.e-]+ [\d.e-]+")


def given(name: str, items: int) -> dict[str, Any]:
    """The parameters of a run on synthetic items."""
    return {"data": "synthetic", "n": items}


def our_task(name: str, items: int) -> Task:
    """One of our tasks."""
    tasks = import_module(f"bias_tasks.{family_of_task(name).name}_tasks")
    task: Task = getattr(tasks, name)(**given(name, items))
    return task


def bare_task(name: str, items: int) -> Task:
    """A task that asks the same prompts, which the simulated model knows too."""
    family = family_of_task(name)
    plan = family.plan(name, family.tasks[name].values(given(name, items)))
    samples = question_samples(plan.questions)
    several = any(len(family.requests(question, "1")) > 1 for question in plan.questions)
    return Task(
        dataset=[sample.model_copy(update={"metadata": None}) for sample in samples],
        solver=asking_again(family.name) if several else generate(),
        scorer=exact(),
    )


@solver
def asking_again(family: str) -> Solver:
    """Make all calls that a question of the family takes."""
    requests = load_family(family).requests

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sample = running_sample()
        assert sample is not None
        state = await generate(state)
        for request in requests(sample.question, "1")[1:]:
            state.messages = [ChatMessageUser(content=request.prompt)]
            state = await generate(state)
        return state

    return solve


def run(task: Task, live: bool) -> tuple[float, float]:
    """CPU seconds a model call, and those of them that the simulated model takes."""
    answering = 0.0
    simulated = type(get_model("simulated/steadfast").api)
    ask = simulated.generate

    async def timed(*values: Any, **named: Any) -> Any:
        nonlocal answering
        began = time.process_time()
        try:
            return await ask(*values, **named)  # which waits for nothing
        finally:
            answering += time.process_time() - began

    simulated.generate = timed  # type: ignore[method-assign]
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
            raise SystemExit(f"the run failed: {log.error and log.error.message}")
        made = sum(event.event == "model" for sample in log.samples for event in sample.events)
    simulated.generate = ask  # type: ignore[method-assign]
    return spent / made, answering / made


def answer_requests(make: Callable[[str, int], Task], name: str, items: int, live: bool) -> None:
    """Measure in this process, once for each line that comes in."""
    run(make(name, 4), live)
    for _ in sys.stdin:
        task = make(name, items)
        gc.collect()
        print(*run(task, live), flush=True)


@contextmanager
def measuring(
    kind: str, name: str, items: int, live: bool
) -> Iterator[Callable[[], tuple[float, float]]]:
    """Measures in a process of its own, again whenever it is called."""
    command = [sys.executable, __file__, "--one", kind, name, str(items), str(int(live))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        asking, answering = process.stdin, process.stdout
        assert asking is not None
        assert answering is not None

        def measure() -> tuple[float, float]:
            print(file=asking, flush=True)
            for line in answering:
                if NUMBERS.fullmatch(line.strip()):
                    spent, answered = line.split()
                    return float(spent), float(answered)
            raise SystemExit(f"the process that measures {kind} {name} ended")

        yield measure


def check_installed() -> None:
    """Refuse to measure a copy that is not the installed one."""
    found = distribution("bias-tasks")
    told = found.read_text("direct_url.json") or ""
    here = Path(str(find_spec("bias_tasks").origin)).resolve()
    root = here.parents[2]
    if root.as_uri() not in told and here != Path(str(found.locate_file("bias_tasks/__init__.py"))):
        raise SystemExit(f"the bias_tasks in {root} is not the installed one: pip install -e .")


def main() -> None:
    """Measure every task and its bare counterpart in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=250)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--tasks", nargs="+", default=TASKS)
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        kind, name, items, live = options.one
        make = our_task if kind == "ours" else bare_task
        answer_requests(make, name, int(items), bool(int(live)))
        return
    check_installed()
    worst = 0.0
    for name in options.tasks:
        for live in (True, False):
            with (
                measuring("bare", name, options.items, live) as bare,
                measuring("ours", name, options.items, live) as ours,
            ):
                pairs = [(bare(), ours()) for _ in range(options.repeats)]
            theirs = min(spent for (spent, _), _ in pairs)
            mine = min(spent for _, (spent, _) in pairs)
            share = min(answering for (_, answering), _ in pairs) / theirs
            middle = median(mine[0] / theirs[0] for theirs, mine in pairs)
            worst = max(worst, mine / theirs)
            print(
                f"{name:21} {'live' if live else 'not live':8} "
                f"{1000 * mine:6.2f} against {1000 * theirs:6.2f} ms per call, of which the "
                f"simulated model has {share:.0%}: {mine / theirs:.2f} "
                f"(median of pairs {middle:.2f})",
                flush=True,
            )
    print(f"worst {worst:.2f}, allowed {LIMIT:.2f}; load {os.getloadavg()[0]:.1f}")
    sys.exit(worst > LIMIT)


if __name__ == "__main__":
    main()
