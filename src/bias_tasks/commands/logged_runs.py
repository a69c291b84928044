"""Results of lm-eval that a command scores again: their samples, and the files that it writes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.logged_outcomes import read_outcome, read_scoring_data
from bias_tasks.contract.metrics import reported_names
from bias_tasks.contract.outcomes import AnyOutcome
from bias_tasks.contract.record import RECORD, RECORD_METRICS, add_notes
from bias_tasks.data.files import parse_json, read_whole, write_jsonl
from bias_tasks.families import load_family
from bias_tasks.harness.metrics import result_names, result_values, score_outcome
from bias_tasks.results.frameworks.harness_output import read_sample_rows, samples_path
from bias_tasks.results.frameworks.record import RunRecord, metric_options, read_record
from bias_tasks.results.run import UnusableRunError
from bias_tasks.statistics.estimate import STDERR, metrics_to_json


@dataclass(frozen=True, slots=True)
class HarnessRun:
    """One task of this package in a results file of lm-eval."""

    task: str
    """Its name in lm-eval."""
    record: RunRecord
    """The record of the run (`run_record`)."""
    family: AnyFamily
    """The family of its task."""
    rows: list[JsonObject]
    """The rows of its samples file."""

    def read_outcome(self, row: JsonObject) -> AnyOutcome | None:
        """Return the logged outcome of a row; None for an answer to a request that failed."""
        logged = row["doc"]["outcome"]
        return None if logged is None else read_outcome(self.family, logged)


class ScoredRow(NamedTuple):
    """A row of a samples file whose answer is scored again."""

    row: JsonObject
    before: AnyOutcome | None
    """The logged outcome."""
    after: AnyOutcome | None
    """The new outcome; None if a grader gave no verdict on the answer."""


class ScoredRun(NamedTuple):
    """A run and its rows."""

    run: HarnessRun
    unchanged: Sequence[JsonObject]
    """Rows whose answers cannot be scored again."""
    scored: Sequence[ScoredRow]
    notes: Sequence[str]
    """Notes on the new outcomes for the record."""


def harness_runs(path: Path) -> Iterator[HarnessRun]:
    """Yield the tasks of this package in a results file of lm-eval.

    Args:
        path: The results file, next to its samples files.

    Raises:
        UnusableRunError: The file cannot be read, or has no samples files.
    """
    try:
        for task, config in parse_json(read_whole(path))["configs"].items():
            if (metadata := (config.get("metadata") or {}).get(RECORD)) is not None:
                record = read_record(metadata)
                rows = list(read_sample_rows(path, task))
                yield HarnessRun(task, record, load_family(record.family), rows)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        message = f"{path}: cannot be read as results of lm-eval ({error!r})"
        raise UnusableRunError(message) from error


def write_results(path: Path, runs: Sequence[ScoredRun], out: Path) -> None:
    """Write a results file of lm-eval with other outcomes: its samples and metrics.

    Tasks of other packages and metrics of groups are dropped. A task without new outcomes is
    unchanged.

    Args:
        path: The results file that was scored again.
        runs: The tasks of this package in it.
        out: The folder to write to.
    """
    results = parse_json(read_whole(path))
    results.pop("groups", None)
    for part in ("results", "configs"):
        results[part] = {run.task: results[part][run.task] for run, *_ in runs}
    out.mkdir(parents=True, exist_ok=True)
    for run, unchanged, scored, notes in runs:
        rows = [*unchanged, *_update_rows(run, scored)]
        write_jsonl(out / samples_path(path, run.task).name, rows)
        if scored:
            outcomes = [outcome for row in rows if (outcome := run.read_outcome(row))]
            spec = run.family.tasks[run.record.task]
            metrics = run.family.compute_metrics(outcomes, metric_options(spec, run.record))
            names, values = result_names(reported_names(spec, metrics)), result_values(metrics)
            results["results"][run.task] = {
                **{key: v for key, v in results["results"][run.task].items() if "," not in key},
                **{
                    f"{key},none": values[key]
                    for name in names
                    for key in (name, f"{name}{STDERR}")
                    if key in values
                },
            }
            metadata = results["configs"][run.task]["metadata"]
            record = add_notes(metadata[RECORD], notes)
            metadata[RECORD] = record | {RECORD_METRICS: metrics_to_json(metrics)}
    write_jsonl(out / path.name, [results])


def _update_rows(run: HarnessRun, scored: Sequence[ScoredRow]) -> Iterator[JsonObject]:
    """Yield the rows with new outcomes, without those of answers without a verdict."""
    variants = {read_scoring_data(run.family, row["doc"]).variant for row in run.rows}
    for row, _, outcome in scored:
        if outcome is not None:
            values = run.family.answer_values(outcome, variants)
            scores = score_outcome(row["metrics"], values, outcome)
            yield {**row, **scores, "doc": {**row["doc"], "outcome": outcome.to_dict()}}
