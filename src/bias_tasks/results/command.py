"""`bias-tasks results`: the figures of finished runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import click

from bias_tasks.names import did_you_mean
from bias_tasks.results.answers import with_every_figure
from bias_tasks.results.find import read_runs, worth_naming
from bias_tasks.results.run import Problem, Run, UnusableRunError, apart
from bias_tasks.results.text import printable

paths_argument = click.argument(
    "paths",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH...",
)


def tell(problems: Iterable[Problem]) -> None:
    """Name each on standard error."""
    for problem in problems:
        click.echo(printable(f"{problem.path}: {problem.reason}"), err=True)


@click.command()
@paths_argument
@click.option("--task", "task", metavar="NAME", help="Runs of this task, with the figures beside.")
@click.option("--all", "every", is_flag=True, help="Every figure of every run.")
@click.option(
    "--figures",
    "patterns",
    multiple=True,
    metavar="PATTERN",
    help="The figures whose names match, such as 'acc@*' or 'reading/f1'. May be repeated.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("table", "json", "csv", "markdown", "parquet")),
    default="table",
    show_default=True,
    help="`parquet` goes to --out.",
)
@click.option("--out", type=click.Path(path_type=Path), help="The file to write to.")
def results(
    paths: tuple[Path, ...],
    task: str | None,
    every: bool,
    patterns: tuple[str, ...],
    form: str,
    out: Path | None,
) -> None:
    """Print the runs in PATH: Inspect logs, lm-eval results, or folders of them.

    A line a run: its task and model, the parameters that are not the default, the items, and the
    one figure that the task is about with its 95 % interval. With --task, --all or --figures what
    was run stands above its figures, with settings of the host, where the items come from,
    versions, a digest of all that was asked, and how many samples have no score. The parts of one
    run (`shard`) are one run. Runs that did not finish or lack a part and files that can't be read
    are named on standard error, and make the command fail after it has printed the rest. A dash
    stands for a figure of which there was nothing to measure, or a bound that its data don't allow.
    """
    runs, problems = apart(read_runs(paths))
    if task is not None:
        runs = [run for run in runs if task in (run.task.rpartition("/")[2], run.record["task"])]
    detailed = every or bool(patterns) or task is not None
    if detailed:
        runs, unusable = _with_every_figure(runs)
        problems += unusable
    if patterns:
        runs = _chosen(runs, patterns)
    elif not every:
        runs = [
            replace(run, metrics=run.metrics if form == "table" and not detailed else run.block)
            for run in runs
        ]
    if runs or not problems:
        _print(runs, form, out, detailed=detailed)
    tell(worth_naming(problems, paths) if runs else problems)
    if not runs:
        raise click.ClickException(
            "no finished run of bias-tasks was found" + (f" of the task {task}" if task else "")
        )
    if any(problem.failed for problem in problems):
        raise click.exceptions.Exit(1)


def _with_every_figure(runs: Sequence[Run]) -> tuple[list[Run], list[Problem]]:
    """The runs with all of their figures, and those whose answers can't be had."""
    complete: list[Run] = []
    problems: list[Problem] = []
    for run in runs:
        try:
            complete.append(with_every_figure(run))
        except UnusableRunError as error:
            problems.append(Problem(run.path, str(error).removeprefix(f"{run.path}: "), True))
    return complete, problems


def _chosen(runs: Sequence[Run], patterns: Sequence[str]) -> list[Run]:
    """The runs that have figures of such names, with these alone.

    Raises:
        UsageError: no run has a figure that a pattern matches.
    """
    known = {figure.name for run in runs for figure in run.metrics}
    for pattern in patterns:
        if runs and not any(fnmatchcase(name, pattern) for name in known):
            near = did_you_mean([pattern], known)
            raise click.UsageError(f"no run has a figure {printable(pattern)!r}{near}")
    matching = {name for name in known if any(fnmatchcase(name, each) for each in patterns)}
    chosen = [
        replace(run, metrics=tuple(each for each in run.metrics if each.name in matching))
        for run in runs
    ]
    return [run for run in chosen if run.metrics]


def _print(runs: Sequence[Run], form: str, out: Path | None, *, detailed: bool) -> None:
    # Imported here: they load rich and pandas, which other commands don't need.
    from rich.console import Console

    from bias_tasks.results.tables import print_overview, print_run, write_rows

    if form != "table":
        write_rows(runs, form, out)
        return
    with click.open_file("-" if out is None else str(out), "w", encoding="utf-8") as stream:
        console = Console() if out is None else Console(file=stream)
        if not detailed:
            print_overview(console, runs)
            return
        for position, run in enumerate(runs):
            if position:
                console.print()
            print_run(console, run)
