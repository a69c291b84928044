"""The finished tasks of the LM Evaluation Harness with their samples, and writing them anew."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bias_tasks.commands.model_calls.lines import replace_with
from bias_tasks.data.files import open_to_read, parsed_json
from bias_tasks.families import load_family
from bias_tasks.family import Answer, Family, Outcome
from bias_tasks.harness.figures import STDERR, Figures, OutcomeScore
from bias_tasks.record import FIGURES, RECORD, check_record, figure_options
from bias_tasks.results.answers import UnusableRunError
from bias_tasks.statistics.estimate import written as written_figures

OUTCOME = "outcome"
"""Under which a logged sample has its answer's outcome."""
JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LoggedSample:
    """One answer of a run."""

    row: JsonObject
    """The line of the samples file."""
    facts: Mapping[str, Any]
    """The question's, as `Question.facts` has them."""
    outcome: Outcome

    @property
    def id(self) -> str:
        """The question's id."""
        return str(self.row["doc"]["id"])

    @property
    def answer(self) -> Answer:
        """What was answered, without reasoning in it."""
        return Answer(self.row["filtered_resps"][0] or "").without_reasoning()

    def judged(self, outcome: Outcome) -> LoggedSample:
        """The sample with the outcome of a judge's verdict."""
        scored = {name: outcome.score for name in self.row["metrics"] if name != OUTCOME}
        return replace(
            self, row={**self.row, **scored, OUTCOME: outcome.to_dict()}, outcome=outcome
        )


@dataclass(frozen=True, slots=True)
class LoggedTask:
    """One task of ours in a results file, with the answers that were logged beside it."""

    results: Path
    name: str
    """Its name in the harness."""
    config: Mapping[str, Any]
    samples: tuple[LoggedSample, ...]

    @property
    def record(self) -> Mapping[str, Any]:
        """What the run wrote down of itself."""
        found: Mapping[str, Any] = self.config["metadata"][RECORD]
        return found

    @property
    def family(self) -> Family:
        """The family whose task it is."""
        return load_family(self.record["family"])

    @property
    def samples_file(self) -> str:
        """Name of the file that its samples stand in: it has the results' time in it."""
        return f"samples_{self.name}_{self.results.stem.removeprefix('results_')}.jsonl"


def logged_tasks(paths: Sequence[Path]) -> list[LoggedTask]:
    """Every task of ours in results files of the harness, or in folders of them.

    Raises:
        UnusableRunError: there is none, a file can't be read, samples were not logged, or two
            files have one name, which is kept in what is written.
    """
    files = dict.fromkeys(file.resolve() for path in paths for file in _results_files(path))
    for name, count in Counter(file.name for file in files).items():
        if count > 1:
            raise UnusableRunError(f"{count} results files are called {name}: judge one at a time")
    found = [task for file in files for task in _tasks(file)]
    if not found:
        raise UnusableRunError(
            "no finished task of bias-tasks in lm-eval's results; in Inspect, bind the judge with "
            "--model-role grader=MODEL"
        )
    return found


def write_judged(out: Path, results: Path, tasks: Sequence[LoggedTask], note: str) -> None:
    """Write the tasks of one results file anew: their samples, and figures worked out from these.

    Args:
        out: the folder to write to.
        results: the results file that they were read from; others' tasks in it are left out.
        tasks: all of the same results file, with the outcomes that count.
        note: what is noted of each task: who judged.
    """
    written = _read(results)
    names = {task.name for task in tasks}
    for part in ("results", "configs"):
        written[part] = {name: row for name, row in written[part].items() if name in names}
    for task in tasks:
        values, card = _figures(task, written["results"][task.name])
        written["results"][task.name] |= values
        record = written["configs"][task.name]["metadata"][RECORD]
        record[FIGURES] = card
        record["notes"] = [*record["notes"], note]
        lines = (f"{json.dumps(sample.row)}\n".encode() for sample in task.samples)
        replace_with(out / task.samples_file, lines)
    replace_with(out / results.name, [json.dumps(written, indent=2).encode()])


def _figures(task: LoggedTask, before: Mapping[str, Any]) -> tuple[dict[str, float], JsonObject]:
    """The task's figures from its samples: those that the harness shows, under its names for them,
    and all of them."""
    options = figure_options(task.family.tasks[task.record["task"]], task.record)
    outcomes = [each.outcome for each in task.samples]
    card = task.family.scorecard(outcomes, options)
    figures = Figures(lambda _: card)
    scores = [OutcomeScore(each.score or 0.0, each) for each in outcomes]
    names = [name for name in before if name.endswith(",none") and f"{STDERR}{STDERR}" not in name]
    found = {name: figures(name.removesuffix(",none"), scores) for name in names}
    return found | {f"{OUTCOME},none": float(len(scores))}, written_figures(card)


def _results_files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(path.rglob("results_*.json"))
    else:
        yield path


def _tasks(results: Path) -> Iterator[LoggedTask]:
    try:
        for name, config in _read(results)["configs"].items():
            if RECORD in (config.get("metadata") or {}):
                check_record(config["metadata"][RECORD])
                task = LoggedTask(results, name, config, ())
                yield replace(task, samples=tuple(_samples(results.with_name(task.samples_file))))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise UnusableRunError(
            f"{results}: cannot be read as results of lm-eval ({error!r})"
        ) from error


def _samples(path: Path) -> Iterator[LoggedSample]:
    if not path.is_file():
        raise UnusableRunError(
            f"{path}: there are no samples beside the results; run lm-eval with --log_samples"
        )
    with open_to_read(path) as lines:
        for line in lines:
            row = parsed_json(line)
            facts = parsed_json(row["doc"]["facts"])
            yield LoggedSample(row, facts, Outcome.from_dict(row[OUTCOME]))


def _read(results: Path) -> JsonObject:
    with open_to_read(results) as stream:
        read: JsonObject = parsed_json(stream.read())
    return read
