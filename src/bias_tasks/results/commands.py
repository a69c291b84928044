"""`bias-tasks results`: the figures of finished runs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bias_tasks.results.find import read_runs
from bias_tasks.results.points import points
from bias_tasks.results.run import Problem, Run
from bias_tasks.results.shown import shown


@click.command()
@click.argument(
    "paths",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH...",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for other tools.")
@click.option(
    "--figure",
    "figures",
    multiple=True,
    metavar="NAME",
    help="Print this figure of every run alone, as CSV: a line a run. May be repeated.",
)
def results(paths: tuple[Path, ...], as_json: bool, figures: tuple[str, ...]) -> None:
    """Print the figures of the runs in PATH: Inspect logs, lm-eval results, or folders of them.

    Above its figures stands what was run: parameters that are not the default, settings of the
    host, where the items come from, versions, a digest of all that was asked, and how many samples
    have no score. Runs that did not finish and files that can't be read are named on standard
    error, and make the command fail after it has printed the rest. A dash stands for a figure of
    which there was nothing to measure, or a bound that its data don't allow.
    """
    if as_json and figures:
        raise click.UsageError("--json and --figure print different things: give one of them")
    found = read_runs(paths)
    runs = [entry for entry in found if isinstance(entry, Run)]
    problems = [entry for entry in found if isinstance(entry, Problem)]
    if as_json:
        click.echo(json.dumps([run.to_dict() for run in runs], indent=2))
    elif figures and runs:
        _print_points(runs, figures)
    elif not figures:
        _print_tables(runs)
    for problem in problems:
        click.echo(shown(f"{problem.path}: {problem.reason}"), err=True)
    if not runs:
        raise click.ClickException("no finished run of bias-tasks was found")
    if any(problem.failed for problem in problems):
        raise click.exceptions.Exit(1)


def _print_points(runs: list[Run], figures: tuple[str, ...]) -> None:
    try:
        click.echo(points(runs, figures), nl=False)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _print_tables(runs: list[Run]) -> None:
    from rich.console import Console

    from bias_tasks.results.table import print_run

    console = Console()
    for position, run in enumerate(runs):
        if position:
            console.print()
        print_run(console, run)
