"""How the time of `results`, `report` and `compare` grows with the number of logs.

The logs are copies of one run as other models, as repeats of the run, and as runs with other
parameters. A ratio of 2 is linear, and 4 is quadratic. The first call of each command, which
imports, is not counted.

    python -m benchmarks.robustness.many_logs [--logs N]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from click.testing import CliRunner
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log

from bias_tasks.cli import main as bias_tasks
from bias_tasks.instruction_boundary_tasks import conformity

COMMANDS = ("results", "report", "compare")
KINDS = ("models", "repeats", "parameters")


def main() -> None:
    """Print the times with N and 2 N logs, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logs", type=int, default=100, help="N")
    n = parser.parse_args().logs
    with tempfile.TemporaryDirectory() as made:
        log = make_log(Path(made))
        for kind in KINDS:
            folders = {logs: Path(made, f"{kind}{logs}") for logs in (2, n, 2 * n)}
            for logs, folder in folders.items():
                copy(log, kind, logs, folder)
            for command in COMMANDS:
                _, first, second = (spend(command, folder) for folder in folders.values())
                ratio = second / first
                print(
                    f"{command}, {kind}: {n} logs {first:.2f} s, {2 * n} logs {second:.2f} s,",
                    end="",
                )
                print(f" ratio {ratio:.2f}")


def make_log(folder: Path) -> EvalLog:
    """Return the log of a small run."""
    [log] = inspect_eval(
        conformity(data="synthetic", n=5),
        model="simulated/conformist",
        log_dir=str(folder / "run"),
        display="none",
    )
    return read_eval_log(log.location)


def copy(log: EvalLog, kind: str, logs: int, folder: Path) -> None:
    """Write a number of logs that differ in one respect."""
    folder.mkdir()
    changed = log.model_copy(deep=True)
    record = (changed.eval.metadata or {})["bias_tasks"]
    for number in range(logs):
        changed.eval.eval_id = changed.eval.task_id = f"run{number}"
        if kind == "models":
            changed.eval.model = f"maker/{number}"
        elif kind == "parameters":
            record["parameters"]["seed"] = record["task_args"]["seed"] = number
            record["digest"] = str(number)
        write_eval_log(changed, str(folder / f"{number:05}.eval"))


def spend(command: str, folder: Path) -> float:
    """Return the CPU seconds of a command."""
    out = ["--out", str(folder.with_suffix(".html"))] if command == "report" else []
    start = time.process_time()
    done = CliRunner().invoke(bias_tasks, [command, str(folder), *out])
    assert done.exit_code == 0, done.output
    return time.process_time() - start


if __name__ == "__main__":
    main()
