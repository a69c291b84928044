"""Runs of lm-eval for a record."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

from benchmarks.unchanged_runs.entries import Case, Entries, describe_results, fingerprint, tidy
from benchmarks.unchanged_runs.models import PERSONAS, ScriptedLM

_COMMAND = [sys.executable, "-m", "bias_tasks", "task-configs"]
_OURS = subprocess.run(_COMMAND, check=True, capture_output=True, text=True).stdout.strip()
_OTHERS = Path(__file__).with_name("other_tasks")


def list_tasks() -> list[str]:
    """Return the names of the package's tasks, without groups."""
    return sorted(TaskManager(include_path=_OURS, include_defaults=False).all_subtasks)


def run(case: Case) -> Entries:
    """Run a case and return its entries."""
    with tempfile.TemporaryDirectory() as name:
        folder, parameters = Path(name), dict(case["parameters"])
        if "first" in case:
            _run_task(case["first"], parameters, case, folder / "first")
            parameters["first_round"] = str(folder / "first")
        if "task" in parameters:
            parameters["include_path"] = str(_OTHERS)
        entries = _run_task(case["task"], parameters, case, folder / "last")
        return entries | ({} if case.get("other") else describe_results(folder / "last"))


def _run_task(task: str, parameters: dict[str, Any], case: Case, folder: Path) -> Entries:
    """Run a task, write its files as `lm_eval` does, and return entries of lm-eval's results."""
    model = ScriptedLM(case.get("personas", PERSONAS))
    options = {"include_path": [_OURS, str(_OTHERS)], "metadata": parameters}
    manager = TaskManager(include_defaults=False, **options)
    results = simple_evaluate(model, tasks=[task], task_manager=manager, log_samples=True)
    tracker = EvaluationTracker(output_path=str(folder))
    tracker.general_config_tracker.model_name_sanitized = "scripted"
    tracker.save_results_aggregated(results, samples=results["samples"])
    samples, shown = results["samples"][task], results["results"][task]
    tracker.save_results_samples(task, samples)
    entries: Entries = {
        "version": results["versions"][task],
        "prompts": fingerprint(request[0] for request in model.requests),
        "settings": fingerprint(request[1] for request in model.requests),
        "outputs": fingerprint(sample["resps"] for sample in samples),
        "samples": fingerprint([sample["doc"].get("id"), sample["target"]] for sample in samples),
    }
    for name in samples[0]["metrics"]:
        entries[f"score {name}"] = fingerprint(sample[name] for sample in samples)
    return entries | {f"shown {name}": tidy(value) for name, value in shown.items()}
