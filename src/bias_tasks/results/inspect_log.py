"""Runs from an Inspect log, of which the header is read alone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bias_tasks.record import RECORD, check_record
from bias_tasks.results.guarded import Found
from bias_tasks.results.run import Problem, Run, Samples, Usage, figure_values
from bias_tasks.results.shown import brief
from bias_tasks.solvers.inspect_host import answer_settings

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalScore, EvalSpec

_CHOICE = ("limit", "sample_id", "sample_shuffle")
_BOUNDS = ("message", "token", "turn", "time", "working", "cost")


def read_inspect_log(path: Path) -> Found:
    """The run in a log, once for each epoch reducer; or why there is none."""
    # Half a second of imports, not needed for the harness's outputs.
    from inspect_ai.log import read_eval_log

    log = read_eval_log(str(path), header_only=True)
    task = log.eval.task_registry_name or log.eval.task
    record = (log.eval.metadata or {}).get(RECORD)
    if record is None:
        ours = task.startswith("bias_tasks/")
        reason = "was run by bias-tasks before 0.2" if ours else "is none of bias-tasks"
        return [Problem(path, f"skipped: its task {task} {reason}", failed=ours)]
    if log.status != "success" or log.results is None:
        return [Problem(path, f"{task} {_unfinished(path, log)}", failed=True)]
    check_record(record)
    runs = [_run(path, task, log, record, score) for score in log.results.scores]
    return [run for run in runs if run is not None] or [
        Problem(path, f"{task} was not scored", failed=True)
    ]


def _run(
    path: Path, task: str, log: EvalLog, record: Mapping[str, Any], score: EvalScore
) -> Run | None:
    """The run as one scorer scored it; None where the scorer is none of ours."""
    values = {name: metric.value for name, metric in score.metrics.items()}
    metrics = figure_values(values)
    if not metrics:
        return None
    run = Run(
        task=task,
        host="inspect",
        model=log.eval.model,
        record=record,
        n=int(values["items"]),
        metrics=metrics,
        path=path,
        date=log.eval.created,
        versions={**log.eval.packages, "bias-tasks": str(record.get("package", "?"))},
        settings=settings_of(log) | ({"reducer": score.reducer} if score.reducer else {}),
        samples=_samples(log, score),
        usage=_usage(log),
        seconds=_seconds(log),
    )
    _ = run.spec  # refuses what no family here has
    return run


def _usage(log: EvalLog) -> dict[str, Usage]:
    """The tokens of each model; those read from a provider's cache, or written to it, were sent."""
    return {
        model: Usage(
            each.input_tokens
            + (each.input_tokens_cache_read or 0)
            + (each.input_tokens_cache_write or 0),
            each.output_tokens,
            each.total_cost,
        )
        for model, each in log.stats.model_usage.items()
    }


def _seconds(log: EvalLog) -> float | None:
    began, ended = log.stats.started_at, log.stats.completed_at
    if not began or not ended:
        return None
    return (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds()


def _samples(log: EvalLog, score: EvalScore) -> Samples:
    assert log.results is not None
    stopping = log.results.early_stopping  # of a probed task that has one of its own
    skipped = 0 if stopping is None else len(stopping.early_stops)
    asked = log.results.total_samples - skipped
    return Samples(asked, asked - log.results.completed_samples, score.unscored_samples or 0)


def _unfinished(path: Path, log: EvalLog) -> str:
    """How far a run came, and why no further."""
    from inspect_ai.log import read_eval_log_sample_summaries

    summaries = read_eval_log_sample_summaries(str(path))
    failed = sum(summary.error is not None for summary in summaries)
    planned = len(log.eval.dataset.sample_ids or ()) * (log.eval.config.epochs or 1)
    done = f"{len(summaries) - failed:,} of {planned:,} samples answered"
    errors = f", {failed:,} failed" if failed else ""
    reason = f": {brief(log.error.message)}" if log.error else ""
    return f"did not finish (status {log.status}, {done}{errors}){reason}"


def settings_of(log: EvalLog) -> dict[str, Any]:
    """What the host was told beside the task's parameters."""
    config = log.eval.config
    told = {name: getattr(config, name) for name in _CHOICE}
    if config.epochs not in (None, 1):
        told |= {"epochs": config.epochs, "epochs_reducer": config.epochs_reducer}
    told |= {f"{kind}_limit": getattr(config, f"{kind}_limit") for kind in _BOUNDS}
    given = {
        name: value for name, value in told.items() if value is not None and value is not False
    }
    return {**_generation(log), **given, "solver": _solvers(log), **_models(log.eval)}


def _generation(log: EvalLog) -> dict[str, Any]:
    """How answers are drawn: the model's own settings, and the run's, which come first."""
    return answer_settings(log.eval.model_generate_config, log.plan.config)


def _solvers(log: EvalLog) -> str:
    """The solvers in order, each with the arguments that it was given."""
    steps = log.plan.steps
    given = [(step.solver, step.params_passed or {}) for step in steps]
    return ", ".join(_call(name, params) for name, params in given)


def _call(name: str, params: Mapping[str, Any]) -> str:
    """A solver with its arguments, of which some are solvers or scorers themselves."""
    if not params:
        return name
    return f"{name}({', '.join(f'{key}={_argument(value)}' for key, value in params.items())})"


def _argument(value: Any) -> str:
    if isinstance(value, Mapping) and {"type", "name", "params"} <= value.keys():
        return _call(str(value["name"]), value["params"])
    if isinstance(value, list):
        return f"[{', '.join(map(_argument, value))}]"
    return str(value)


def _models(spec: EvalSpec) -> dict[str, Any]:
    """The model's arguments, and the models in other roles."""
    roles = {
        f"role {role}": ", ".join(
            each.model for each in (bound if isinstance(bound, list) else [bound])
        )
        for role, bound in (spec.model_roles or {}).items()
    }
    return ({"model_args": spec.model_args} if spec.model_args else {}) | roles
