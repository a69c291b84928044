"""Runs of Inspect for a record."""

import tempfile
from pathlib import Path

from inspect_ai import eval as inspect_eval
from inspect_ai._util.registry import registry_find, registry_info
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import get_model
from inspect_ai.solver import SolverSpec

from benchmarks.unchanged_runs.entries import Case, Entries, describe_results, fingerprint, tidy
from benchmarks.unchanged_runs.models import PERSONAS

_OURS, _OTHERS = "bias_tasks/", "benchmarks/unchanged_runs/other_tasks.py@"


def list_tasks() -> list[str]:
    """Return the names of the package's tasks."""
    tasks = registry_find(lambda info: info.type == "task" and info.name.startswith(_OURS))
    return sorted(registry_info(task).name.removeprefix(_OURS) for task in tasks)


def run(case: Case) -> Entries:
    """Run a case and return its entries.

    Raises:
        RuntimeError: The run failed.
    """
    is_other, parameters = case.get("other", False), dict(case["parameters"])
    if "task" in parameters:
        parameters["task"] = f"{_OTHERS}{parameters['task']}"
    roles = {
        role: [get_model(f"simulated/{name}", memoize=False, **traits) for name, traits in models]
        for role, models in case.get("roles", {}).items()
    }
    personas, solver = case.get("personas", PERSONAS), None
    if "solver" in case:
        arguments = {"name": case["solver"]}
        solver = SolverSpec(f"{_OURS}with_setting", arguments, arguments)
    with tempfile.TemporaryDirectory() as folder:
        [log] = inspect_eval(
            f"{_OTHERS if is_other else _OURS}{case['task']}",
            task_args=parameters,
            model=get_model("scripted/model", memoize=False, personas=personas),
            model_roles=roles,
            solver=solver,
            epochs=case.get("epochs"),
            max_samples=1,  # so that repeated prompts come in one order
            log_dir=folder,
            display="none",
        )
        if log.status != "success":
            raise RuntimeError(log.error.message if log.error else log.status)
        entries = _describe_log(read_eval_log(log.location, resolve_attachments=True))
        return entries | ({} if is_other else describe_results(Path(folder)))


def _describe_log(log: EvalLog) -> Entries:
    """Return what the framework's own log shows: calls, scores and metrics."""
    samples = log.samples or []
    calls = [event for s in samples for event in s.events if isinstance(event, ModelEvent)]
    scores = [score for sample in samples for score in (sample.scores or {}).values()]
    entries: Entries = {
        "version": tidy(log.eval.task_version),
        "prompts": fingerprint([[m.role, m.text] for m in call.input] for call in calls),
        "settings": fingerprint(call.config.model_dump(exclude_none=True) for call in calls),
        "outputs": fingerprint(call.output.completion for call in calls),
        "samples": fingerprint([sample.id, sample.target] for sample in samples),
    }
    for part in ("value", "answer", "explanation", "reason"):
        entries[f"score {part}"] = fingerprint(getattr(score, part) for score in scores)
    for scored in log.results.scores if log.results else []:
        for name, metric in scored.metrics.items():
            entries[f"shown {scored.name} {name}"] = tidy(metric.value)
    return entries
