"""Runs in Inspect logs, of which the header is read alone, and the answers in their samples."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile  # it learns their compression from `inspect_ai.log`

from inspect_ai.log import EvalLog, EvalSample, read_eval_log, read_eval_log_sample_summaries

from bias_tasks.contract.record import RECORD, facts_in, scored_in
from bias_tasks.contract.shards import PLACE
from bias_tasks.results.hosts.record import check_record
from bias_tasks.results.run import Answered, Found, Keep, Problem, Run, Samples, figures_in
from bias_tasks.results.text import brief
from bias_tasks.solvers.inspect_host import answer_settings

_NOT_NEEDED = frozenset({"messages", "events", "events_data", "store", "attachments", "timelines"})
"""Parts of a sample that figures don't need, which are most of a log."""


def read_inspect_log(path: Path) -> Found:
    """The run in a log, or why there is none."""
    log = read_eval_log(str(path), header_only=True)
    task = log.eval.task_registry_name or log.eval.task
    record = (log.eval.metadata or {}).get(RECORD)
    if record is None:
        return [Problem(path, f"skipped: its task {task} is none of bias-tasks")]
    if log.status != "success" or log.results is None:
        return [Problem(path, f"{task} {_unfinished(path, log)}", True, log.eval.task_id)]
    check_record(record)
    # Several scores have our figures where there are several epoch reducers; they are the same.
    for ours in log.results.scores:
        metrics = figures_in({name: metric.value for name, metric in ours.metrics.items()})
        if metrics:
            break
    else:
        unscored = max((each.unscored_samples or 0 for each in log.results.scores), default=0)
        why = f": {unscored} samples without a score, as where a grader gave no verdict"
        return [Problem(path, f"{task} was not scored{why if unscored else ''}", failed=True)]
    stopping = log.results.early_stopping  # of a probed task that has one of its own
    asked = log.results.total_samples - (0 if stopping is None else len(stopping.early_stops))
    failed = asked - log.results.completed_samples
    run = Run(
        task=task,
        host="inspect",
        model=log.eval.model,
        record=record,
        n=int(metrics["items"].value),
        metrics=metrics,
        path=path,
        date=log.eval.created,
        versions={**log.eval.packages, "bias-tasks": str(record["package"])},
        settings=_settings(log),
        samples=Samples(asked, failed, ours.unscored_samples or 0),
        attempt=log.eval.task_id,
    )
    return [run]


def inspect_answers(path: Path, keep: Keep, as_asked: bool) -> Iterator[tuple[Any, Answered]]:
    """The scored answers of a log, each with its place: its epoch, then its sample's id or, of a
    part `as_asked`, where the host asked it in the whole run."""
    for sample in _samples(path):
        noted = sample.metadata or {}
        name = sample.id if isinstance(sample.id, str) else str(sample.id).zfill(20)
        for score in (sample.scores or {}).values():
            found = scored_in(score, noted)
            if found is not None:
                asked = sample.input if isinstance(sample.input, str) else sample.input[-1].text
                prompt = (score.metadata or {}).get("prompt", asked)  # as a probe made it
                said = None if keep is None else keep(sample.output.completion)
                answered = Answered(facts_in(noted), found.outcome, prompt, said)
                yield (sample.epoch, noted[PLACE] if as_asked else name), answered
                break


def _samples(path: Path) -> Iterator[EvalSample]:
    """Each sample without its transcript, which takes Inspect's own reader ten times as long."""
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


def _unfinished(path: Path, log: EvalLog) -> str:
    summaries = read_eval_log_sample_summaries(str(path))
    failed = sum(summary.error is not None for summary in summaries)
    planned = len(log.eval.dataset.sample_ids or ()) * (log.eval.config.epochs or 1)
    done = f"{len(summaries) - failed:,} of {planned:,} samples answered"
    errors = f", {failed:,} failed" if failed else ""
    reason = f": {brief(log.error.message)}" if log.error else ""
    return f"did not finish (status {log.status}, {done}{errors}){reason}"


def _settings(log: EvalLog) -> dict[str, Any]:
    """What the host was told beside the task's parameters."""
    config, spec = log.eval.config, log.eval
    bounds = (f"{kind}_limit" for kind in ("message", "token", "turn", "time", "working", "cost"))
    names = ["limit", "sample_id", "sample_shuffle", *bounds]
    names += ["epochs", "epochs_reducer"] if config.epochs not in (None, 1) else []
    told = {name: getattr(config, name) for name in names}
    for role, bound in (spec.model_roles or {}).items():
        models = bound if isinstance(bound, list) else [bound]
        told[f"role {role}"] = ", ".join(each.model for each in models)
    steps = (
        {"type": "solver", "name": step.solver, "params": step.params_passed or {}}
        for step in log.plan.steps
    )
    told |= {"solver": ", ".join(map(_told, steps)), "model_args": spec.model_args or None}
    drawn = answer_settings(spec.model_generate_config, log.plan.config)
    return drawn | {n: each for n, each in told.items() if each is not None and each is not False}


def _told(value: Any) -> str:
    """A solver or scorer with its arguments, several in a list, or another argument."""
    if isinstance(value, list):
        return f"[{', '.join(map(_told, value))}]"
    if not isinstance(value, Mapping) or not {"type", "name", "params"} <= value.keys():
        return str(value)
    told = ", ".join(f"{name}={_told(each)}" for name, each in value["params"].items())
    return f"{value['name']}({told})" if told else str(value["name"])
