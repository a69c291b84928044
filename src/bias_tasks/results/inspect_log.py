"""Runs in Inspect logs, of which the header is read alone, and the answers in their samples."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from bias_tasks.record import RECORD, check_record, facts_in, scored_in
from bias_tasks.results.run import (
    Found,
    Problem,
    Run,
    Samples,
    Usage,
    check_declared,
    figure_values,
)
from bias_tasks.results.text import brief
from bias_tasks.shards import PLACE
from bias_tasks.solvers.inspect_host import answer_settings

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample, EvalScore

_CHOICE = ("limit", "sample_id", "sample_shuffle")
_BOUNDS = ("message", "token", "turn", "time", "working", "cost")
_NOT_NEEDED = frozenset({"messages", "events", "events_data", "store", "attachments", "timelines"})
"""Parts of a sample that figures don't need: most of a log, and of the time that Inspect's own
reader takes."""


def read_inspect_log(path: Path) -> Found:
    """The run in a log, once for each epoch reducer; or why there is none."""
    # Half a second of imports, not needed for the harness's outputs.
    from inspect_ai.log import read_eval_log

    log = read_eval_log(str(path), header_only=True)
    task = log.eval.task_registry_name or log.eval.task
    record = (log.eval.metadata or {}).get(RECORD)
    if record is None:
        return [Problem(path, f"skipped: its task {task} is none of bias-tasks")]
    if log.status != "success" or log.results is None:
        return [Problem(path, f"{task} {_unfinished(path, log)}", failed=True)]
    check_record(record)
    runs = [_run(path, task, log, record, score) for score in log.results.scores]
    return [run for run in runs if run is not None] or [
        Problem(path, f"{task} was not scored", failed=True)
    ]


def each_sample(path: Path) -> Iterator[EvalSample]:
    """Each sample of a log without its transcript, in no certain order, one held at a time."""
    from inspect_ai.log import EvalSample, read_eval_log  # zipfile learns their compression

    if path.suffix != ".eval":
        yield from read_eval_log(str(path)).samples or ()
        return
    with ZipFile(path) as log:
        # A sample that was asked again stands there twice; its name stands for the later one.
        for name in dict.fromkeys(log.namelist()):
            if name.startswith("samples/"):
                logged: dict[str, Any] = json.loads(log.read(name))
                parts = {part: logged[part] for part in logged.keys() - _NOT_NEEDED}
                yield EvalSample.model_validate(parts)


def sample_place(sample: EvalSample) -> tuple[int, str]:
    """Where Inspect's own reader has a sample among the others: by epoch, then by its id."""
    return sample.epoch, sample.id if isinstance(sample.id, str) else str(sample.id).zfill(20)


def asked_place(sample: EvalSample) -> tuple[int, int]:
    """Where the host asked a sample of a part in the whole run: by epoch, then by its place."""
    return sample.epoch, (sample.metadata or {})[PLACE]


def scored_sample(
    sample: EvalSample, keep: Callable[[str], str] | None
) -> tuple[Mapping[str, Any], Any, str, str | None] | None:
    """A sample's facts, outcome, prompt and the model's text; None where it has no score of ours.

    `keep` gives what to keep of the text; None keeps nothing.
    """
    for score in (sample.scores or {}).values():
        found = scored_in(score.metadata)
        if found is not None:
            # Another task's sample has metadata of its own, which its solver may change.
            noted = score.metadata or {}
            facts, prompt = noted.get("facts", facts_in(sample.metadata)), noted.get("prompt")
            said = None if keep is None else keep(sample.output.completion)
            return facts, found.outcome, _prompt(sample) if prompt is None else prompt, said
    return None


def _prompt(sample: EvalSample) -> str:
    asked = sample.input
    return asked if isinstance(asked, str) else asked[-1].text


def _run(
    path: Path, task: str, log: EvalLog, record: Mapping[str, Any], score: EvalScore
) -> Run | None:
    """The run as one scorer scored it; None where the scorer is none of ours."""
    values = {name: metric.value for name, metric in score.metrics.items()}
    metrics = figure_values(values)
    if not metrics:
        return None
    return check_declared(
        Run(
            task=task,
            host="inspect",
            model=log.eval.model,
            record=record,
            n=int(values["items"]),
            metrics=metrics,
            path=path,
            date=log.eval.created,
            versions={**log.eval.packages, "bias-tasks": str(record["package"])},
            settings=_settings(log) | ({"reducer": score.reducer} if score.reducer else {}),
            samples=_samples(log, score),
            usage=_usage(log),
            seconds=_seconds(log),
        )
    )


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


def _settings(log: EvalLog) -> dict[str, Any]:
    """What the host was told beside the task's parameters: how answers are drawn, which samples,
    the solvers in order with their arguments, the model's arguments, and models in other roles."""
    config, spec = log.eval.config, log.eval
    told = {name: getattr(config, name) for name in _CHOICE}
    if config.epochs not in (None, 1):
        told |= {"epochs": config.epochs, "epochs_reducer": config.epochs_reducer}
    told |= {f"{kind}_limit": getattr(config, f"{kind}_limit") for kind in _BOUNDS}
    given = {
        name: value for name, value in told.items() if value is not None and value is not False
    }
    solvers = ", ".join(_call(step.solver, step.params_passed or {}) for step in log.plan.steps)
    arguments = {"model_args": spec.model_args} if spec.model_args else {}
    roles = {
        f"role {role}": ", ".join(
            each.model for each in (bound if isinstance(bound, list) else [bound])
        )
        for role, bound in (spec.model_roles or {}).items()
    }
    drawn = answer_settings(log.eval.model_generate_config, log.plan.config)
    return {**drawn, **given, "solver": solvers, **arguments, **roles}


def _call(name: str, params: Mapping[str, Any]) -> str:
    """A solver with its arguments, of which some are solvers or scorers themselves."""
    told = ", ".join(f"{key}={_argument(value)}" for key, value in params.items())
    return f"{name}({told})" if params else name


def _argument(value: Any) -> str:
    if isinstance(value, Mapping) and {"type", "name", "params"} <= value.keys():
        return _call(str(value["name"]), value["params"])
    if isinstance(value, list):
        return f"[{', '.join(map(_argument, value))}]"
    return str(value)
