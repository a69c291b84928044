"""Runs from an Inspect log, of which the header is read alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from bias_tasks.results.run import Problem, Run, figures, items_asked

if TYPE_CHECKING:
    from inspect_ai.log import EvalSpec

_OURS = "bias_tasks/"


def read_inspect_log(path: Path) -> list[Run | Problem]:
    """The run in a log, once for each epoch reducer; or why there is none."""
    # Half a second of imports, not needed for the harness's outputs.
    from inspect_ai.log import read_eval_log

    try:
        log = read_eval_log(str(path), header_only=True)
    except (ValueError, KeyError, BadZipFile) as error:
        return [Problem(path, f"cannot be read as an Inspect log ({_brief(error)})", failed=True)]
    task = log.eval.task_registry_name or log.eval.task
    if not task.startswith(_OURS):
        return [Problem(path, f"skipped: its task {task} is none of bias-tasks")]
    if log.status != "success" or log.results is None:
        reason = f": {log.error.message}" if log.error else ""
        return [Problem(path, f"{task} did not finish (status {log.status}){reason}", failed=True)]
    runs: list[Run | Problem] = []
    for score in log.results.scores:
        metrics = figures({name: metric.value for name, metric in score.metrics.items()})
        if metrics:
            runs.append(
                Run(
                    task=task,
                    host="inspect",
                    model=log.eval.model,
                    protocol=str(log.eval.task_args.get("protocol", "corrected")),
                    data=_data(log.eval),
                    n=items_asked(metrics),
                    metrics=metrics,
                    note=(log.eval.metadata or {}).get("domains_note"),
                )
            )
    return runs or [Problem(path, f"{task} was not scored", failed=True)]


def _data(spec: EvalSpec) -> str:
    """What the items were asked for by: data sets of output formats, or the parameter `data`."""
    datasets = (spec.metadata or {}).get("datasets")
    return ", ".join(datasets) if datasets else str(spec.task_args.get("data", "paper"))


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
