"""Runs of lm-eval that a command scores again: their samples, and the files that it writes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bias_tasks.commands.batch_requests.runner import write_rows
from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.logged_outcomes import read_outcome, read_scoring_data
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.contract.record import RECORD, RECORD_METRICS
from bias_tasks.data.files import parse_json, read_whole
from bias_tasks.families import load_family
from bias_tasks.harness.metrics import flatten_with_errors, score_outcome
from bias_tasks.results.frameworks.harness_output import read_sample_rows
from bias_tasks.results.frameworks.record import RunRecord, metric_options, read_record
from bias_tasks.results.run import UnusableRunError
from bias_tasks.statistics.estimate import metrics_to_json


@dataclass(frozen=True, slots=True)
class HarnessRun:
    """One task of this package in a results file of lm-eval."""

    path: Path
    task: str
    """Its name in lm-eval."""
    record: RunRecord
    """The record of the run (`run_record`)."""
    rows: list[JsonObject]
    """The rows of its samples file."""

    @property
    def family(self) -> AnyFamily:
        """The family of its task."""
        return load_family(self.record.family)

    @property
    def samples(self) -> str:
        """Name of its samples file, which contains the time of the results."""
        return f"samples_{self.task}_{self.path.stem.removeprefix('results_')}.jsonl"

    def key(self, row: JsonObject) -> str:
        """Return the key that identifies an answer."""
        return f"{self.samples}/{row['doc']['id']}"

    def outcome(self, row: JsonObject) -> AnyOutcome | None:
        """Return the logged outcome; None for an answer to a request that failed."""
        logged = row["doc"]["outcome"]
        return None if logged is None else read_outcome(self.family, logged)

    def question(self, row: JsonObject) -> tuple[Any, Answer]:
        """Return the scoring data of a question and the answer to it, as the task scored them."""
        data, results = read_scoring_data(self.family, row["doc"]), row["filtered_resps"]
        if isinstance(results[0], list):
            return data, Answer(likelihoods=tuple(float(value) for value, _ in results))
        return data, Answer.from_document(row["doc"], results[0])


def harness_runs(path: Path) -> Iterator[HarnessRun]:
    """Yield the tasks of this package in a results file of lm-eval.

    Args:
        path: The results file, next to its samples files.

    Raises:
        UnusableRunError: The file cannot be read, or has no samples files.
    """
    try:
        for task, config in parse_json(read_whole(path))["configs"].items():
            if (record := (config.get("metadata") or {}).get(RECORD)) is not None:
                rows = list(read_sample_rows(path, task))
                yield HarnessRun(path, task, read_record(record), rows)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        message = f"{path}: cannot be read as results of lm-eval ({error!r})"
        raise UnusableRunError(message) from error


def write_results(
    runs: Sequence[HarnessRun], outcomes: Mapping[str, AnyOutcome | None], note: str, out: Path
) -> None:
    """Write a results file of lm-eval with other outcomes: its samples and metrics.

    Tasks of other packages and metrics of groups are dropped. A task without new outcomes is
    unchanged.

    Args:
        runs: The tasks of this package in the results file.
        outcomes: The new outcomes by key. An answer whose outcome is None is dropped.
        note: A note on the new outcomes for the record.
        out: The folder to write to.
    """
    results = parse_json(read_whole(runs[0].path))
    results.pop("groups", None)
    for part in ("results", "configs"):
        results[part] = {run.task: results[part][run.task] for run in runs}
    for run in runs:
        rows, scored = [], []
        variants = {read_scoring_data(run.family, row["doc"]).variant for row in run.rows}
        for row in run.rows:
            key = run.key(row)
            outcome = outcomes.get(key, run.outcome(row))
            if outcome is not None:
                scored.append(outcome)
                values = run.family.answer_values(outcome, variants)
                scores = score_outcome(row["metrics"], values, outcome) if key in outcomes else {}
                row = {**row, **scores, "doc": {**row["doc"], "outcome": outcome.to_dict()}}
            if outcome is not None or key not in outcomes:
                rows.append(row)
        write_rows(out / run.samples, rows)
        if outcomes.keys() & map(run.key, run.rows):
            options = metric_options(run.family.tasks[run.record.task], run.record)
            metrics = run.family.compute_metrics(scored, options)
            values = {f"{name},none": value for name, value in flatten_with_errors(metrics).items()}
            results["results"][run.task] |= values
            metadata = results["configs"][run.task]["metadata"]
            record = metadata[RECORD]
            metadata[RECORD] = record | {
                RECORD_METRICS: metrics_to_json(metrics),
                "notes": [*dict.fromkeys([*record["notes"], note])],
            }
    write_rows(out / runs[0].path.name, [results])
