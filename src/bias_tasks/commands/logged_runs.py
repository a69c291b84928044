"""Runs of lm-eval that a command scores again: their samples, and the files that it writes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.logged_outcomes import read_outcome, read_scoring_data
from bias_tasks.contract.metrics import reported_names
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.contract.record import RECORD, RECORD_METRICS, add_notes
from bias_tasks.data.files import parse_json, read_whole, write_jsonl
from bias_tasks.families import PROBING, load_family
from bias_tasks.harness.metrics import result_names, result_values, score_outcome
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

    def answers(self) -> Iterator["LoggedAnswer"]:
        """Yield the answers that can be scored again.

        A request that failed has none. The probed task's own scorer parses those of `probe`.
        """
        for row in self.rows if self.family.name != PROBING else ():
            logged, result = self.outcome(row), row["filtered_resps"]
            if logged is not None:
                if isinstance(result[0], list):
                    answer = Answer(likelihoods=tuple(float(value) for value, _ in result))
                else:
                    answer = Answer.from_document(row["doc"], result[0])
                data = read_scoring_data(self.family, row["doc"])
                yield LoggedAnswer(self.key(row), self.family, data, answer, logged)

    def key(self, row: JsonObject) -> str:
        """Return the key that identifies an answer."""
        return f"{self.samples}/{row['doc']['id']}"

    def outcome(self, row: JsonObject) -> AnyOutcome | None:
        """Return the logged outcome; None for an answer to a request that failed."""
        logged = row["doc"]["outcome"]
        return None if logged is None else read_outcome(self.family, logged)


class LoggedAnswer(NamedTuple):
    """One answer in a log, with what scoring it takes."""

    key: str
    """Identifies the answer."""
    family: AnyFamily
    data: Any
    """The question's scoring data."""
    answer: Answer
    logged: AnyOutcome
    """The logged outcome."""

    def parse(self) -> AnyOutcome:
        """Return the outcome in the installed version, or a grader's logged verdict."""
        graded = self.logged.extra.graded
        return self.logged if graded else self.family.score_answer(self.data, self.answer)


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
    runs: Sequence[HarnessRun],
    outcomes: Mapping[str, AnyOutcome | None],
    notes: Sequence[str],
    out: Path,
) -> None:
    """Write a results file of lm-eval with other outcomes: its samples and metrics.

    Tasks of other packages and metrics of groups are dropped. A task without new outcomes is
    unchanged.

    Args:
        runs: The tasks of this package in the results file.
        outcomes: The new outcomes by key. An answer whose outcome is None is dropped.
        notes: Notes on the new outcomes for the record.
        out: The folder to write to.
    """
    results = parse_json(read_whole(runs[0].path))
    results.pop("groups", None)
    for part in ("results", "configs"):
        results[part] = {run.task: results[part][run.task] for run in runs}
    for run in runs:
        rows = [*_update_rows(run, outcomes)]
        write_jsonl(out / run.samples, rows)
        if outcomes.keys() & map(run.key, run.rows):
            spec, scored = run.family.tasks[run.record.task], map(run.outcome, rows)
            metrics = run.family.compute_metrics(
                [outcome for outcome in scored if outcome], metric_options(spec, run.record)
            )
            names, values = result_names(reported_names(spec, metrics)), result_values(metrics)
            results["results"][run.task] = {
                **{key: v for key, v in results["results"][run.task].items() if "," not in key},
                **{f"{name},none": values[name] for name in names if name in values},
            }
            metadata = results["configs"][run.task]["metadata"]
            record = add_notes(metadata[RECORD], notes)
            metadata[RECORD] = record | {RECORD_METRICS: metrics_to_json(metrics)}
    write_jsonl(out / runs[0].path.name, [results])


def _update_rows(
    run: HarnessRun, outcomes: Mapping[str, AnyOutcome | None]
) -> Iterator[JsonObject]:
    """Yield the rows of a samples file with new outcomes, without those of dropped answers."""
    variants = {read_scoring_data(run.family, row["doc"]).variant for row in run.rows}
    for row in run.rows:
        outcome = outcomes.get(run.key(row))
        if outcome is not None:
            values = run.family.answer_values(outcome, variants)
            scores = score_outcome(row["metrics"], values, outcome)
            yield {**row, **scores, "doc": {**row["doc"], "outcome": outcome.to_dict()}}
        elif run.key(row) not in outcomes:
            yield row
