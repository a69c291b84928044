"""Runs from the results file in an output folder of lm-eval."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from bias_tasks.record import FIGURES, RECORD, check_record
from bias_tasks.results.guarded import Found, guarded
from bias_tasks.results.run import Problem, Run, Samples, figure_values, figures_in
from bias_tasks.statistics.estimate import read_written

_SECRET = ("key", "token", "secret", "password")
"""Parts of the names of arguments that are not printed: the harness writes them down as given."""
_TOLD = ("system_instruction", "chat_template_sha")


def read_harness_output(path: Path) -> Found:
    """One run for each task of ours in the results file; or why there is none."""
    results = json.loads(path.read_text(encoding="utf-8"))
    found: Found = []
    for task, config in results["configs"].items():
        what = f"results of lm-eval for the task {task}"
        found += guarded(path, what, partial(_run, path, task, config, results))
    return found or [Problem(path, "skipped: it has no tasks")]


def _run(path: Path, task: str, config: Mapping[str, Any], results: Mapping[str, Any]) -> Found:
    record = (config.get("metadata") or {}).get(RECORD)
    if record is None:
        return [Problem(path, f"skipped: its task {task} is none of bias-tasks")]
    if "parameters" not in record:
        reason = f"skipped: its task {task} was run by bias-tasks before 0.2"
        return [Problem(path, reason, failed=True)]
    check_record(record)
    values = {
        name.rpartition(",")[0]: value
        for name, value in results["results"][task].items()
        if "," in name and isinstance(value, int | float)
    }
    metrics = (
        figures_in(read_written(record[FIGURES])) if FIGURES in record else figure_values(values)
    )
    if not metrics:
        return [Problem(path, f"{task} was not scored (--predict_only)", failed=True)]
    run = Run(
        task=task,
        host="lm-eval",
        model=_model(results),
        record=record,
        n=int(values["items"]),
        metrics=metrics,
        path=path,
        date=_date(results.get("date")),
        versions={
            "lm_eval": str(results.get("lm_eval_version", "?")),
            "bias-tasks": str(record.get("package", "?")),
        },
        settings=_settings(task, config, results),
        samples=Samples(asked=_counts(task, results)["effective"]),
    )
    _ = run.spec  # refuses what no family here has
    return [run]


def _model(results: Mapping[str, Any]) -> str:
    """The model's name; its kind where the harness had to make up a name."""
    config = results["config"]
    name = results.get("model_name")
    named = isinstance(name, str) and name in str(config.get("model_args"))
    return str(name if named else config["model"])


def _date(seconds: Any) -> str | None:
    """ISO 8601 of the harness's seconds since 1970."""
    return (
        None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat("T", "seconds")
    )


def _counts(task: str, results: Mapping[str, Any]) -> Mapping[str, int]:
    """How many documents the task has (`original`), and how many were asked (`effective`)."""
    none = {"original": 0, "effective": 0}
    found: Mapping[str, int] = results.get("n-samples", {}).get(task, none)
    return found


def _settings(task: str, config: Mapping[str, Any], results: Mapping[str, Any]) -> dict[str, Any]:
    """What the harness was told beside the task's parameters."""
    counts = _counts(task, results)
    told = {name: results.get(name) for name in _TOLD}
    told |= {name: config.get(name) for name in ("description", "num_fewshot")}
    told["limit"] = results["config"].get("limit")
    if not told["limit"] and counts["effective"] < counts["original"]:
        told["samples"] = f"{counts['effective']} of {counts['original']} documents"
    told["model_args"] = _without_secrets(results["config"].get("model_args"))
    given = {name: value for name, value in told.items() if value}
    return {**(config.get("generation_kwargs") or {}), **given}


def _without_secrets(arguments: Any) -> Any:
    """The model's arguments, as a mapping; the text of a command line is taken apart."""
    if isinstance(arguments, str):
        parts = (part.partition("=") for part in arguments.split(",") if part)
        arguments = {name: value for name, _, value in parts}
    if not isinstance(arguments, Mapping):
        return arguments
    return {
        name: "***" if any(part in name.lower() for part in _SECRET) else value
        for name, value in arguments.items()
    }
