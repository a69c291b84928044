"""How many calls per second one process makes of a model with latency, by `--max-connections`.

A simulated model that waits before it answers, asked through Inspect. Connections divided by
the latency is what the model would give; a second divided by the CPU time of a call is what one
process can take. Each row in a process of its own, its time from the first call to the last.

    python -m benchmarks.speed.calls_per_second [--latency 0.5] [--connections 20,100]
        [--items 1000]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from typing import Any

import anyio
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, modelapi

import bias_tasks
from bias_tasks.simulated.inspect_model import SimulatedAPI

BEGAN: list[float] = []


def waiting(latency: float) -> None:
    """Registers the model that waits."""

    @modelapi("waiting")
    class Waiting(SimulatedAPI):
        async def generate(self, *given: Any, **named: Any) -> ModelOutput:
            BEGAN.append(time.monotonic())
            await anyio.sleep(latency)
            return await super().generate(*given, **named)


def one(latency: float, connections: int, items: int) -> None:
    """Asks, and prints calls, seconds and CPU seconds."""
    waiting(latency)
    options = {"model": "waiting/conformist", "max_connections": connections, "display": "none"}
    with tempfile.TemporaryDirectory() as folder:
        evaluate(bias_tasks.conformity(data="synthetic", n=4), log_dir=folder, **options)
        task = bias_tasks.conformity(data="synthetic", n=items)
        BEGAN.clear()
        before = time.process_time()
        [log] = evaluate(task, log_dir=folder, **options)
        spent = time.process_time() - before
        assert log.status == "success", log.error
    print(len(BEGAN), max(BEGAN) + latency - min(BEGAN), spent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--latency", type=float, default=0.5)
    parser.add_argument("--connections", default="20,100,500")
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        one(chosen.latency, chosen.one, chosen.items)
        return
    print("connections  model gives       made  CPU per call  CPU in use")
    for connections in chosen.connections.split(","):
        arguments = ["--latency", str(chosen.latency), "--items", str(chosen.items)]
        done = subprocess.run(
            [sys.executable, __file__, *arguments, "--one", connections],
            capture_output=True,
            text=True,
            check=True,
        )
        calls, seconds, spent = map(float, done.stdout.splitlines()[-1].split())
        print(
            f"{connections:>11} {int(connections) / chosen.latency:10,.0f}/s "
            f"{calls / seconds:8,.0f}/s {1e3 * spent / calls:8.1f} ms {spent / seconds:11.0%}",
            flush=True,
        )


if __name__ == "__main__":
    main()
