"""Runs that a command scores again: their samples in lm-eval, and the files that it writes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from bias_tasks.commands.asking.ask import write_rows
from bias_tasks.contract.family import Answer, Family, JsonObject, Outcome
from bias_tasks.contract.record import FIGURES, RECORD
from bias_tasks.data.files import parsed_json, read_whole
from bias_tasks.families import load_family
from bias_tasks.harness.figures import figures_and_errors
from bias_tasks.results.hosts.harness_output import sample_rows
from bias_tasks.results.hosts.record import check_record, figure_options
from bias_tasks.results.run import UnusableRunError
from bias_tasks.statistics.estimate import written

FOLDER = click.Path(path_type=Path, file_okay=False)


def check_folder(paths: Sequence[Path], out: Path) -> None:
    """Check that files in `out` do not stand among the runs that they are made of.

    Args:
        paths: The files and folders of the runs.
        out: The folder to write to.

    Raises:
        click.UsageError: If `out` lies in one of the paths.
    """
    target = out.resolve()
    folders = {path.resolve().parent if path.is_file() else path.resolve() for path in paths}
    below = {path.resolve() for path in paths} & {target, *target.parents}
    if below or target in folders:
        raise click.UsageError(f"--out {out} lies in PATH: write to a folder beside it")


def check_names(files: Collection[Path]) -> None:
    """Check that no file replaces another one, since all are written to one folder.

    Args:
        files: The logs and results files.

    Raises:
        click.UsageError: If a name occurs twice.
    """
    if len({file.name for file in files}) < len(files):
        raise click.UsageError("several runs have files of the same name: take one at a time")


@dataclass(frozen=True, slots=True)
class HarnessRun:
    """One task of ours in a results file of lm-eval."""

    path: Path
    task: str
    """Its name in the harness."""
    record: JsonObject
    """What the run wrote down of itself."""
    rows: list[JsonObject]
    """Of its samples file."""

    @property
    def family(self) -> Family:
        """The family of its task."""
        return load_family(self.record["family"])

    @property
    def samples(self) -> str:
        """Name of the file that its samples stand in: it has the results' time in it."""
        return f"samples_{self.task}_{self.path.stem.removeprefix('results_')}.jsonl"

    def key(self, row: JsonObject) -> str:
        """Return what tells an answer from all others."""
        return f"{self.samples}/{row['doc']['id']}"

    def outcome(self, row: JsonObject) -> Outcome:
        """Return the logged outcome; early versions log it beside the document."""
        return Outcome.from_dict({**row, **row["doc"]}["outcome"])

    def question(self, row: JsonObject) -> tuple[JsonObject, Answer]:
        """Return the facts of a question and the answer to it, as the task has them."""
        facts, results = parsed_json(row["doc"]["facts"]), row["filtered_resps"]
        if isinstance(results[0], list):
            return facts, Answer(likelihoods=tuple(float(value) for value, _ in results))
        # The harness logs that there is no text as the text "None".
        missing = results[0] == "None" and self.outcome(row).reason == "no_response"
        return facts, Answer("" if missing else results[0] or "", prompt=row["doc"]["prompt"])


def harness_runs(path: Path) -> Iterator[HarnessRun]:
    """Yield the tasks of ours in a results file of lm-eval.

    Args:
        path: The results file, with the samples files beside it.

    Raises:
        UnusableRunError: If the file cannot be read, or has no samples beside it.
    """
    try:
        for task, config in parsed_json(read_whole(path))["configs"].items():
            if (record := (config.get("metadata") or {}).get(RECORD)) is not None:
                check_record(record)
                yield HarnessRun(path, task, record, list(sample_rows(path, task)))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        message = f"{path}: cannot be read as results of lm-eval ({error!r})"
        raise UnusableRunError(message) from error


def write_results(
    runs: Sequence[HarnessRun], outcomes: Mapping[str, Outcome | None], note: str, out: Path
) -> None:
    """Write a results file of lm-eval anew, with other outcomes: the samples and the figures.

    Tasks that are not ours are left out, and so are figures of groups. A task of which no outcome
    is given stays as it is.

    Args:
        runs: The tasks of ours in the results file.
        outcomes: The new outcomes by key; an answer whose outcome is None is left out.
        note: What the record says of the new outcomes.
        out: The folder to write to.
    """
    results = parsed_json(read_whole(runs[0].path))
    results.pop("groups", None)
    for part in ("results", "configs"):
        results[part] = {run.task: results[part][run.task] for run in runs}
    for run in runs:
        rows, counted = [], []
        for row in run.rows:
            key = run.key(row)
            outcome = outcomes.get(key, run.outcome(row))
            if outcome is not None:
                counted.append(outcome)
                scores = dict.fromkeys(row["metrics"], outcome.score) if key in outcomes else {}
                rows.append({**row, **scores, "doc": {**row["doc"], "outcome": outcome.to_dict()}})
        write_rows(out / run.samples, rows)
        if outcomes.keys() & map(run.key, run.rows):
            options = figure_options(run.family.tasks[run.record["task"]], run.record)
            card = run.family.scorecard(counted, options)
            figures = {f"{name},none": value for name, value in figures_and_errors(card).items()}
            results["results"][run.task] |= figures
            record = results["configs"][run.task]["metadata"][RECORD]
            record |= {FIGURES: written(card), "notes": [*dict.fromkeys([*record["notes"], note])]}
    write_rows(out / runs[0].path.name, [results])
