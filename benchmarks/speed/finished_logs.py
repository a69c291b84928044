"""Logs of many models on a task of each family, for the benchmarks of what reads logs."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import write_eval_log

TASKS: dict[str, dict[str, Any]] = {
    "instruction_boundary.conformity": {"data": "synthetic", "n": 100},
    "binary_qa.binaryqa": {"data": "synthetic", "n": 25},
    "output_format.format_wrapping": {"data": "synthetic", "n": 28},
    "complex_eval.complexeval_math": {"data": "synthetic", "n": 50},
}
"""About two hundred questions each."""


def make(folder: Path, models: int) -> None:
    """Write a log of each task by each model into `folder / "all"`.

    No two models give the same answers.
    """
    for number in range(models):
        for name, parameters in TASKS.items():
            module, _, task = name.partition(".")
            made = getattr(import_module(f"bias_tasks.{module}_tasks"), task)
            [log] = inspect_eval(
                made(**parameters),
                model="simulated/steadfast",
                model_args={"accuracy": 0.95 - 0.04 * number, "adopt": 0.3, "seed": number},
                log_dir=str(folder / "asked"),
                display="none",
                log_realtime=False,
            )
            assert log.status == "success", log.error
            log.eval.model = f"maker/model-{number}"
            write_eval_log(log, str(folder / "all" / f"{name}-{number}.eval"))
