"""`bias-tasks score`: answers in results of lm-eval scored again, by rules or by a grader."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from inspect_ai.model import GenerateConfig, Model, get_model

from bias_tasks.commands.inspect_options import model_options, one_line_errors
from bias_tasks.commands.logged_runs import (
    HarnessRun,
    ScoredRow,
    ScoredRun,
    harness_runs,
    write_results,
)
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.logged_outcomes import read_scoring_data
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.families import PROBING
from bias_tasks.messages import format_count
from bias_tasks.results.command import paths_argument, report_problems
from bias_tasks.results.find import read_runs
from bias_tasks.results.frameworks.harness_output import samples_path
from bias_tasks.results.run import Problem, UnusableRunError, split_problems
from bias_tasks.results.text import describe_error
from bias_tasks.scorers.outcome import grade_answer

_NOTE = f"answers parsed again by bias-tasks {version('bias-tasks')}"
_INSPECT = (
    "is a log of Inspect: score it with `inspect score LOG --model none/none --action overwrite "
    "--output-file FILE`"
)
_UNREADABLE = (UnusableRunError, ValueError, LookupError, TypeError, AttributeError)


@click.command()
@paths_argument
@click.option(
    "--grader",
    metavar="MODEL",
    show_default="none",
    help="Model that parses the answers that the rules cannot, by Inspect's name.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to write the scored runs to.",
)
@model_options
@one_line_errors()
def score(*, paths: tuple[Path, ...], grader: str | None, out: Path, **options: Any) -> None:
    """Score the answers in lm-eval's results again, with the installed version.

    PATH is a results file logged with --log_samples, or a folder of these. OUT gets files of the
    same names with the new outcomes and metrics, for `bias-tasks results OUT`. The notes of each
    run name the version, and the grader. Without --grader no model is called. `inspect score` does
    the same for logs of Inspect.

    The grader gets the same request as in the role `grader` of a run, in up to three attempts.
    Inspect's cache keeps its replies: repeat the command to resume. Earlier verdicts are kept.
    Answers without a verdict are excluded. If no answer of a task gets a verdict, the command
    fails. Likelihoods (tasks `*_ll`) are compared again. Runs of `probe` are copied, because the
    probed task's own scorer parses their answers. Skipped files are named on standard error, with
    the exit status of `bias-tasks results`.
    """
    runs, problems = split_problems(read_runs(paths))
    frameworks = {path: run.framework for run in runs for path in run.shard_paths or (run.path,)}
    logs = [path for path, framework in frameworks.items() if framework == "inspect"]
    problems += [Problem(path, _INSPECT, failed=True) for path in logs]
    files = [path for path in frameworks if path not in logs]
    target = out.resolve()
    is_in_path = {path.resolve() for path in paths} & {target, *target.parents}
    if is_in_path or target in {file.resolve().parent for file in files}:
        raise click.UsageError(f"--out {out} is in PATH: write to another folder")
    if len({file.name for file in files}) < len(files):
        raise click.UsageError("several runs have files of the same name: give one run at a time")
    model = _open_grader(grader, **options) if grader and files else None
    for path in files:
        try:
            _score_results(path, out, model)
        except _UNREADABLE as error:
            reason = str(error) if isinstance(error, UnusableRunError) else repr(error)
            problems.append(Problem(path, f"cannot be scored again ({reason})", failed=True))
    report_problems(problems, paths, any_run=bool(runs))


def _open_grader(
    name: str, model_args: JsonObject, model_base_url: str | None, **settings: Any
) -> Model:
    """Return a grader, whose replies Inspect caches."""
    timeout = settings["timeout"]  # without one for each attempt, a server that stalls is awaited
    config = GenerateConfig(temperature=0.0, cache=True, attempt_timeout=timeout, **settings)
    return get_model(  # inspect-evals-lint: ignore[get_model_location] -- a command
        name, config=config, base_url=model_base_url, memoize=False, **model_args
    )


def _score_results(path: Path, out: Path, grader: Model | None) -> None:
    """Score a results file again. Answers without a verdict are dropped.

    Raises:
        click.ClickException: The grader failed, or gave no verdict on any answer of a task.
    """
    scored_runs = []
    for run in harness_runs(path):
        try:
            results = asyncio.run(_score_rows(run, grader))
        except _UNREADABLE:
            raise
        except Exception as error:  # the errors of providers share no base class
            raise click.ClickException(
                f"the grader {grader} failed: {describe_error(repr(error))} - Inspect's cache "
                "keeps its replies: repeat the command to resume"
            ) from error
        scored = [result for result in results if isinstance(result, ScoredRow)]
        unchanged = [result for result in results if not isinstance(result, ScoredRow)]
        scored_runs.append(ScoredRun(run, unchanged, scored, _list_notes(scored, grader)))
    write_results(path, scored_runs, out)
    for run, _, rows, _ in scored_runs:
        click.echo(f"{samples_path(path, run.task).name}: {_summarize(rows)}. In {out}")


async def _score_rows(run: HarnessRun, grader: Model | None) -> list[ScoredRow | JsonObject]:
    """Return the rows of a run with their new outcomes, or unchanged.

    A request that failed has no answer. The probed task's own scorer parses answers of `probe`.
    """

    async def score_row(row: JsonObject) -> ScoredRow | JsonObject:
        logged, family, result = run.read_outcome(row), run.family, row["filtered_resps"]
        if logged is None or family.name == PROBING:
            return row
        if logged.extra.graded:
            return ScoredRow(row, logged, logged)
        if isinstance(result[0], list):
            answer = Answer(likelihoods=tuple(float(value) for value, _ in result))
        else:
            answer = Answer.from_document(row["doc"], result[0])
        data = read_scoring_data(family, row["doc"])
        outcome: AnyOutcome | None = family.score_answer(data, answer)
        if grader is not None and outcome is not None and outcome.answer is None:
            outcome = await grade_answer(grader, family, data, answer.without_reasoning(), outcome)
        return ScoredRow(row, logged, outcome)

    return await asyncio.gather(*map(score_row, run.rows))


def _count_verdicts(scored: Sequence[ScoredRow]) -> tuple[int, int]:
    """Return the numbers of answers with a grader's verdict, and without the one they needed."""
    outcomes = [row.after for row in scored]
    return sum(o is not None and o.extra.graded for o in outcomes), outcomes.count(None)


def _list_notes(scored: Sequence[ScoredRow], grader: Model | None) -> tuple[str, ...]:
    """Return notes for the record of a run on who parsed its answers; none for a copied run.

    Raises:
        click.ClickException: A grader gave no verdict on any answer that it was asked about.
    """
    n_graded, n_without = _count_verdicts(scored)
    if n_without and not n_graded:
        reason = f"the grader gave no verdict on any of {n_without} answers"
        raise click.ClickException(f"{reason}: give another --grader")
    notes = (_NOTE,) if scored else ()
    if grader is None or not n_graded:
        return notes
    excluded = f", {n_without} without a verdict excluded" if n_without else ""
    return (*notes, f"unparsed answers: graded by {grader}{excluded}")


def _summarize(scored: Sequence[ScoredRow]) -> str:
    """Return how many answers of a run changed, and how many have a grader's verdict."""
    if not scored:
        return "copied unchanged"
    changes = Counter[str]()
    for _, before, after in scored:
        old, new = (None if outcome is None else outcome.answer for outcome in (before, after))
        if old != new:
            kind = "newly parsed" if old is None else "with another value"
            changes["no longer parsed" if new is None else kind] += 1
    kinds = ("with another value", "newly parsed", "no longer parsed")
    counts = [f"{changes[kind]:,} {kind}" for kind in kinds]
    n_graded, n_without = _count_verdicts(scored)
    if n_graded or n_without:
        counts += [f"{n_graded:,} graded", f"{n_without:,} without a verdict"]
    return ", ".join([format_count(len(scored), "answer"), *counts])
