"""What a call, a start and a table of results cost, and what that makes of a large run.

Everything is measured in processes of their own, with a simulated model: CPU seconds (user and
system), the most memory held, and bytes written. Tables are measured at several sizes, a power of
the number of answers is fitted to them, and extrapolated to a number of calls that is too large to
measure (`--calls`, in `--runs` runs: models times tasks). Large runs are copies of one
measured part under other names. docs/scaling.md shows its output.

    python -m benchmarks.speed.large_run_cost [--sizes 1000,4000,16000] [--calls 1e8]
        [--runs 350]
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner
from inspect_ai import eval as evaluate
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log

import bias_tasks
from bias_tasks.cli import main as command
from bias_tasks.contract.record import RECORD
from bias_tasks.contract.shards import POSITION

PARTS = 10
MODEL = "simulated/conformist"


def made(items: int, shard: str | None = None) -> Any:
    part = {} if shard is None else {"shard": shard}
    return bias_tasks.conformity(data="synthetic", n=items, **part)


def ask(items: int, folder: Path) -> dict[str, float]:
    """A run: what each of its calls costs, without what is loaded once."""
    evaluate(made(4), model=MODEL, log_dir=str(folder / "warm"), display="none")
    before = time.process_time()
    [log] = evaluate(made(items), model=MODEL, log_dir=str(folder), display="none")
    spent = time.process_time() - before
    size = Path(log.location).stat().st_size
    return {"calls": 2 * items, "cpu": spent / (2 * items), "bytes": size / (2 * items)}


def build(items: int, _: Path) -> dict[str, float]:
    """A worker's start: the whole run is drawn up before it is cut."""
    made(items, f"1/{PARTS}")
    return {"questions": 2 * items}


def find_parts(answers: int, folder: Path) -> None:
    """The parts of a run with about this number of answers: copies of one under other names."""
    task = made(answers // (2 * PARTS), "1/1")
    [log] = evaluate(task, model=MODEL, log_dir=str(folder / "one"), display="none")
    for number in range(1, PARTS + 1):
        copied = read_eval_log(log.location)
        rename(copied, number)
        write_eval_log(copied, str(folder / "parts" / f"{number}.eval"))


def rename(log: EvalLog, number: int) -> None:
    record = (log.eval.metadata or {})[RECORD]
    held = record["questions"]
    shard = {"number": number, "of": PARTS, "held": [held] * PARTS}
    whole = {"items": record["items"] * PARTS, "questions": held * PARTS}
    record["shard"] |= {**shard, "whole": record["shard"]["whole"] | whole}
    for sample in log.samples or ():
        sample.id = f"{number}-{sample.id}"
        sample.uuid = f"{number}-{sample.uuid}"
        sample.metadata[POSITION] += (number - 1) * held
        for score in (sample.scores or {}).values():
            outcome = (score.metadata or {})["outcome"]
            told = {**sample.metadata, **outcome}
            outcome |= {name: f"{number}-{told[name]}" for name in ("item", "cluster")}


def results(_: int, folder: Path) -> dict[str, float]:
    return run(["results", str(folder / "parts"), "--all", "--format", "json"])


def run(arguments: list[str]) -> dict[str, float]:
    before = time.process_time()
    done = CliRunner().invoke(command, arguments)
    if done.exit_code:
        raise SystemExit(done.output)
    return {"cpu": time.process_time() - before}


STEPS: dict[str, Callable[[int, Path], dict[str, float]]] = {
    step.__name__: step for step in (ask, build, results)
}


def held() -> float:
    """The most memory that this process held, in MB; `ru_maxrss` would begin with its parent's."""
    [line] = [
        line
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        if line.startswith("VmHWM")
    ]
    return int(line.split()[1]) / 1024


def measured(step: str, size: int, folder: Path) -> dict[str, float]:
    """A step in a process of its own: what it says, and the process's own CPU time and memory."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", step, str(size), str(folder)],
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def power(sizes: list[float], values: list[float]) -> tuple[float, float]:
    """The exponent and the factor of the power of the sizes that comes nearest to the values."""
    slope, level = np.polyfit(np.log(sizes), np.log(values), 1)
    return float(slope), math.exp(level)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", default="1000,4000,16000")
    parser.add_argument("--calls", type=float, default=1e8)
    parser.add_argument("--runs", type=int, default=350, help="models times tasks")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        step, size, folder = chosen.one
        found = STEPS[step](int(size), Path(folder))
        used = resource.getrusage(resource.RUSAGE_SELF)
        own = {"process": used.ru_utime + used.ru_stime, "memory": held()}
        print(json.dumps(found | own))
        return
    with tempfile.TemporaryDirectory() as folder:
        tell(Path(folder), [int(size) for size in chosen.sizes.split(",")], chosen)


def tell(folder: Path, sizes: list[int], chosen: argparse.Namespace) -> None:
    call = measured("ask", 1000, folder / "ask")
    print(
        f"one call: {1e3 * call['cpu']:.1f} ms of CPU, {call['bytes']:,.0f} bytes of log;", end=" "
    )
    print(f"{call['memory']:,.0f} MB held by a run of {call['calls']:,.0f}", flush=True)
    for items in (1_000, 10_000):
        start = measured("build", items, folder)
        print(f"a worker's start, of a run of {start['questions']:,} questions:", end=" ")
        print(f"{start['process']:.1f} s of CPU, {start['memory']:,.0f} MB", flush=True)
    tables = []
    for size in sizes:
        work = folder / str(size)
        find_parts(size, work)
        tables.append(measured("results", size, work))
        print(f"{size:,} answers in {PARTS} parts: metrics shown in", end=" ")
        print(f"{tables[-1]['cpu']:.1f} s of CPU with {tables[-1]['memory']:,.0f} MB", flush=True)
    slope, factor = power(sizes, [each["cpu"] for each in tables])
    memory = np.polyfit(sizes, [each["memory"] for each in tables], 1)
    print(f"reading parts takes answers^{slope:.2f}, and {memory[0] * 1024:.1f} kB per answer")
    per_run = chosen.calls / chosen.runs
    print(f"\n{chosen.calls:,.0f} calls in {chosen.runs:,} runs of {per_run:,.0f}:")
    print(f"calls   {chosen.calls * call['cpu'] / 3600:,.0f} core hours")
    print(f"logs    {chosen.calls * call['bytes'] / 1e9:,.0f} GB")
    seconds = factor * per_run**slope
    total = chosen.runs * seconds / 3600
    print(f"reading {seconds / 3600:.1f} core hours per run, {total:,.0f} in all;", end=" ")
    print(f"{np.polyval(memory, per_run) / 1024:,.1f} GB held at once")


if __name__ == "__main__":
    main()
