"""Runs in the results files of lm-eval, and the answers in the samples files beside them."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bias_tasks.contract.family import Outcome
from bias_tasks.contract.record import FIGURES, RECORD
from bias_tasks.contract.shards import PLACE
from bias_tasks.results.hosts.record import check_record
from bias_tasks.results.run import Answered, Found, Keep, Problem, Run, Samples, UnusableRunError
from bias_tasks.statistics.estimate import read_written

_SECRET = ("key", "token", "secret", "password")
"""Parts of the names of arguments that are not printed: the harness writes them down as given."""


def read_harness_output(path: Path) -> Found:
    """One run for each task of ours in the results file; or why there is none."""
    results = json.loads(path.read_text(encoding="utf-8"))
    found = [_run(path, task, config, results) for task, config in results["configs"].items()]
    return found or [Problem(path, "skipped: it has no tasks")]


def harness_answers(path: Path, task: str, keep: Keep) -> Iterator[tuple[int, Answered]]:
    """The answers in the samples file of a results file, each with its place in the run."""
    for row in sample_rows(path, task):
        doc, said = {**row, **row["doc"]}, row["resps"][0][0]  # `outcome` stood there once
        text = keep(said) if keep is not None and isinstance(said, str) else None
        facts, outcome = json.loads(doc["facts"]), Outcome.from_dict(doc["outcome"])
        yield doc.get(PLACE, doc["doc_id"]), Answered(facts, outcome, doc["prompt"], text)


def sample_rows(path: Path, task: str) -> Iterator[dict[str, Any]]:
    """The rows of the samples file of a results file, whose name has the same time in it; several
    processes' rows take turns. Where there is no such file, an UnusableRunError says so."""
    samples = path.with_name(f"samples_{task}_{path.stem.removeprefix('results_')}.jsonl")
    if not samples.exists():
        nothing = "there are no samples beside the results; run lm-eval with --log_samples"
        raise UnusableRunError(f"{samples}: {nothing}")
    with samples.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _run(
    path: Path, task: str, config: Mapping[str, Any], results: Mapping[str, Any]
) -> Run | Problem:
    record = (config.get("metadata") or {}).get(RECORD)
    if record is None:
        return Problem(path, f"skipped: its task {task} is none of bias-tasks")
    check_record(record)
    if FIGURES not in record:
        return Problem(path, f"{task} was not scored (--predict_only)", failed=True)
    metrics = read_written(record[FIGURES])
    date = results.get("date")
    when = None if date is None else datetime.fromtimestamp(date, UTC).isoformat("T", "seconds")
    # How many documents the task has (`original`), and how many were asked (`effective`).
    counts = results.get("n-samples", {}).get(task, {"original": 0, "effective": 0})
    # Where the model has no name, the harness makes one up of its kind.
    name, given = results.get("model_name"), results["config"]
    named = isinstance(name, str) and name in str(given.get("model_args"))
    library = str(results.get("lm_eval_version", "?"))
    return Run(
        task=task,
        host="lm-eval",
        model=str(name if named else given["model"]),
        record=record,
        n=metrics["items"].n,
        metrics=metrics,
        path=path,
        date=when,
        versions={"lm_eval": library, "bias-tasks": str(record["package"])},
        settings=_settings(config, results, counts),
        samples=Samples(asked=counts["effective"]),
    )


def _settings(
    config: Mapping[str, Any], results: Mapping[str, Any], counts: Mapping[str, int]
) -> dict[str, Any]:
    """What the harness was told beside the task's parameters."""
    given = results["config"]
    told = {name: results.get(name) for name in ("system_instruction", "chat_template_sha")}
    told |= {name: config.get(name) for name in ("description", "num_fewshot")}
    told |= {"limit": given.get("limit"), "model_args": _without_secrets(given.get("model_args"))}
    if not told["limit"] and counts["effective"] < counts["original"]:
        told["samples"] = f"{counts['effective']} of {counts['original']} documents"
    drawn = config.get("generation_kwargs") or {}
    return {**drawn, **{name: value for name, value in told.items() if value}}


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
