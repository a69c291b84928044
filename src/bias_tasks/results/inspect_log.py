"""Runs from an Inspect log, of which the header is read alone."""

from __future__ import annotations

from pathlib import Path
from zipfile import BadZipFile

from bias_tasks.results.run import RECORD, Problem, Run, run_of


def read_inspect_log(path: Path) -> list[Run | Problem]:
    """The run in a log, once for each epoch reducer; or why there is none."""
    # Half a second of imports, not needed for the harness's outputs.
    from inspect_ai.log import read_eval_log

    try:
        log = read_eval_log(str(path), header_only=True)
    except (ValueError, KeyError, BadZipFile) as error:
        return [Problem(path, f"cannot be read as an Inspect log ({_brief(error)})", failed=True)]
    task = log.eval.task_registry_name or log.eval.task
    record = (log.eval.metadata or {}).get(RECORD)
    if record is None:
        ours = task.startswith("bias_tasks/")
        reason = "was run by bias-tasks before 0.2" if ours else "is none of bias-tasks"
        return [Problem(path, f"skipped: its task {task} {reason}", failed=ours)]
    if log.status != "success" or log.results is None:
        reason = f": {log.error.message}" if log.error else ""
        return [Problem(path, f"{task} did not finish (status {log.status}){reason}", failed=True)]
    found = (
        run_of(
            task,
            "inspect",
            log.eval.model,
            record,
            {name: metric.value for name, metric in score.metrics.items()},
        )
        for score in log.results.scores
    )
    runs: list[Run | Problem] = [run for run in found if run is not None]
    return runs or [Problem(path, f"{task} was not scored", failed=True)]


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
