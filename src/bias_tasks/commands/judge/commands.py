"""`bias-tasks judge`: verdicts on answers of lm-eval runs that rules could not read."""

from __future__ import annotations

from pathlib import Path

import click

from bias_tasks.commands.judge.logged import logged_tasks
from bias_tasks.commands.judge.run import Run, unread
from bias_tasks.commands.model_calls.model import Limits, ModelFailedError, open_model
from bias_tasks.commands.model_calls.options import (
    connections_option,
    retries_option,
    timeout_option,
)
from bias_tasks.commands.model_calls.workers import what_failed
from bias_tasks.data.errors import DataError
from bias_tasks.results.answers import UnusableRunError
from bias_tasks.results.paths import paths_argument

ROLE = "grader"


@click.command()
@paths_argument
@click.option("--grader", required=True, help="The judge; any of Inspect's model names.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to write the judged results to.",
)
@connections_option
@retries_option
@timeout_option
def judge(
    *,
    paths: tuple[Path, ...],
    grader: str,
    out: Path,
    connections: int,
    max_retries: int,
    timeout: int,
) -> None:
    """Have a judge read what rules could not, in the lm-eval results of PATH.

    lm-eval has no second model, so its answers are judged afterwards: as in Inspect with a model in
    the role `grader`, by the same request, in up to three attempts. PATH is a results file or a
    folder of them, logged with --log_samples. OUT gets samples and results of the same names with
    the verdicts in them, for `bias-tasks results OUT`. An answer without a verdict is left out.
    Every verdict is kept as it comes: run the same again to go on.
    """
    if any(path.resolve() in (out.resolve(), *out.resolve().parents) for path in paths):
        raise click.UsageError(f"--out {out} lies in PATH: write to a folder beside it")
    try:
        tasks = logged_tasks(paths)
        run = Run(open_model(ROLE, grader, Limits(connections, max_retries, timeout)), out)
        run.open()
        answers = list(unread(tasks))
        failures = run.ask(answers, connections)
        if failures:
            raise click.ClickException(what_failed(failures, "answers"))
        silent = run.write(tasks, answers)
    except (DataError, ModelFailedError, UnusableRunError) as error:
        raise click.ClickException(str(error)) from error
    asked = sum(len(task.samples) for task in tasks)
    click.echo(f"{asked} answers, of which {len(answers)} were not read by rules", nl=False)
    click.echo(f": {len(answers) - silent} judged, {silent} without a verdict. In {out}")
