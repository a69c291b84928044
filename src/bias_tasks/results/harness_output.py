"""Runs from the results file in an output folder of lm-eval."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bias_tasks.results.run import RECORD, Problem, Run, run_of


def read_harness_output(path: Path) -> list[Run | Problem]:
    """One run for each task of ours in the results file; or why there is none."""
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
        configs = results["configs"]
        return [_run(path, task, config, results) for task, config in configs.items()] or [
            Problem(path, "skipped: it has no tasks")
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"cannot be read as results of lm-eval ({error!r})"
        return [Problem(path, reason, failed=True)]


def _run(
    path: Path, task: str, config: Mapping[str, Any], results: Mapping[str, Any]
) -> Run | Problem:
    asked = (config.get("metadata") or {}).get(RECORD)
    if asked is None:
        return Problem(path, f"skipped: its task {task} is none of bias-tasks")
    if "parameters" not in asked:
        reason = f"skipped: its task {task} was run by bias-tasks before 0.2"
        return Problem(path, reason, failed=True)
    values = {
        name.rpartition(",")[0]: value
        for name, value in results["results"][task].items()
        if "," in name and isinstance(value, int | float)
    }
    run = run_of(task, "lm-eval", _model(results), asked, values)
    return run or Problem(path, f"{task} was not scored (--predict_only)", failed=True)


def _model(results: Mapping[str, Any]) -> str:
    """The model's name; its kind where the harness had to make up a name."""
    config = results["config"]
    name = results.get("model_name")
    named = isinstance(name, str) and name in str(config.get("model_args"))
    return str(name if named else config["model"])
