"""`bias-tasks score`: answers in results of lm-eval scored again, by rules or by a grader."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from inspect_ai.model import GenerateConfig, Model, get_model

from bias_tasks.commands.inspect_options import model_options, one_line_errors
from bias_tasks.commands.logged_runs import LoggedAnswer, harness_runs, write_results
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.outcomes import AnyOutcome
from bias_tasks.messages import format_count
from bias_tasks.results.command import paths_argument, report_problems
from bias_tasks.results.find import read_runs
from bias_tasks.results.run import Problem, UnusableRunError, split_problems
from bias_tasks.results.text import describe_error
from bias_tasks.scorers.outcome import grade_answer

_NOTE = f"answers parsed again by bias-tasks {version('bias-tasks')}"
_INSPECT = (
    "is a log of Inspect: score it with `inspect score LOG --model none/none --action overwrite "
    "--output-file FILE`"
)
_UNREADABLE = (UnusableRunError, ValueError, LookupError, TypeError, AttributeError)
Outcomes = Mapping[str, AnyOutcome | None]
"""Outcomes by the key of their answer; None for an answer that a grader gave no verdict on."""


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
    Answers without a verdict are excluded. If no answer of a file gets a verdict, the command
    fails. Likelihoods (tasks `*_ll`) are compared again. Runs of `probe` are copied, because the
    probed task's own scorer parses their answers. Skipped files are named on standard error, with
    the exit status of `bias-tasks results`.
    """
    runs, problems = split_problems(read_runs(paths))
    frameworks = {path: run.framework for run in runs for path in run.shard_paths or (run.path,)}
    logs = [path for path, framework in frameworks.items() if framework == "inspect"]
    problems += [Problem(path, _INSPECT, failed=True) for path in logs]
    files = [path for path in frameworks if path not in logs]
    if out.resolve() in {folder for file in files for folder in file.resolve().parents}:
        raise click.UsageError(f"--out {out} has runs of PATH: write to another folder")
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
    """Score a results file again. Answers without a verdict are dropped."""
    runs = list(harness_runs(path))
    answers = {run.samples: {one.key: one for one in run.answers()} for run in runs}
    by_key = {key: one for answered in answers.values() for key, one in answered.items()}
    outcomes: Outcomes = {key: one.parse() for key, one in by_key.items()}
    if grader is not None:
        outcomes = asyncio.run(_grade(grader, by_key, outcomes))
    notes = _list_notes(outcomes, grader)
    out.mkdir(parents=True, exist_ok=True)
    write_results(runs, outcomes, notes, out)
    for name, answered in answers.items():
        before = {key: one.logged for key, one in answered.items()}
        _report(name, before, {key: outcomes[key] for key in before}, out)


async def _grade(
    grader: Model, answers: Mapping[str, LoggedAnswer], outcomes: Outcomes
) -> Outcomes:
    """Return the outcomes with a grader's verdicts on unparsed answers.

    Raises:
        click.ClickException: The grader failed.
    """

    async def grade(key: str, parsed: AnyOutcome | None) -> AnyOutcome | None:
        if parsed is None or parsed.answer is not None:
            return parsed
        one = answers[key]
        visible = one.answer.without_reasoning()
        return await grade_answer(grader, one.family, one.data, visible, parsed)

    try:
        graded = await asyncio.gather(*(grade(*item) for item in outcomes.items()))
    except Exception as error:  # the errors of providers share no base class
        raise click.ClickException(
            f"the grader {grader} failed: {describe_error(repr(error))} - Inspect's cache keeps "
            "its replies: repeat the command to resume"
        ) from error
    return dict(zip(outcomes, graded, strict=True))


def _count_verdicts(outcomes: Outcomes) -> tuple[int, int]:
    """Return the numbers of answers with a grader's verdict, and without the one they needed."""
    n_without = sum(result is None for result in outcomes.values())
    return sum(r is not None and r.extra.graded for r in outcomes.values()), n_without


def _list_notes(outcomes: Outcomes, grader: Model | None) -> tuple[str, ...]:
    """Return notes for the record of a run on who parsed its answers; none for a copied run.

    Raises:
        click.ClickException: A grader gave no verdict on any answer that it was asked about.
    """
    n_graded, n_without = _count_verdicts(outcomes)
    if grader is not None and n_without and not n_graded:
        reason = f"the grader gave no verdict on any of {n_without} answers"
        raise click.ClickException(f"{reason}: give another --grader")
    notes = (_NOTE,) if outcomes else ()
    if grader is None or not n_graded:
        return notes
    excluded = f", {n_without} without a verdict excluded" if n_without else ""
    return (*notes, f"unparsed answers: graded by {grader}{excluded}")


def _report(
    name: str,
    before: Outcomes,
    after: Outcomes,
    out: Path,
) -> None:
    """Print how many answers of a run changed, and how many have a grader's verdict."""
    changes = Counter[str]()
    for key, result in after.items():
        old, new = ((one.answer if one else None) for one in (before.get(key), result))
        if old != new:
            kind = "newly parsed" if old is None else "with another value"
            changes["no longer parsed" if new is None else kind] += 1
    kinds = ("with another value", "newly parsed", "no longer parsed")
    counts = [f"{changes[kind]:,} {kind}" for kind in kinds]
    n_graded, n_without = _count_verdicts(after)
    if n_graded or n_without:
        counts += [f"{n_graded:,} graded", f"{n_without:,} without a verdict"]
    summary = ", ".join([format_count(len(after), "answer"), *counts])
    click.echo(f"{name}: {summary if after else 'copied unchanged'}. In {out}")
