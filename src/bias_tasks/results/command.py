"""`bias-tasks results` and `report`: the figures of finished runs, and a page about them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from bias_tasks.contract.figures import parts_of
from bias_tasks.names import did_you_mean
from bias_tasks.results import tables
from bias_tasks.results.answers import with_every_figure
from bias_tasks.results.cautions import CANNOT_TELL, cautions, headline_told, once
from bias_tasks.results.differences import sources
from bias_tasks.results.find import NOTHING, of_task, read_runs, worth_naming
from bias_tasks.results.frames import figure_rows
from bias_tasks.results.run import Problem, Run, UnusableRunError, apart, in_order, over_models
from bias_tasks.results.text import brief, listed, printable, values_listed
from bias_tasks.statistics.estimate import Estimate

paths_argument = click.argument(
    "paths",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH...",
)
_HASHES = ("revision", "sha256")
_WORDS = 22  # how wide words are that stand in place of an interval
Made = TypeVar("Made")


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
    "--mean-over",
    type=click.Choice(("model",)),
    help="The means of the models that were asked the same, in place of a line each.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("table", "json", "csv")),
    default="table",
    show_default=True,
)
@click.option("--out", type=click.Path(path_type=Path), help="The file to write to.")
def results(
    paths: tuple[Path, ...],
    task: str | None,
    every: bool,
    patterns: tuple[str, ...],
    mean_over: str | None,
    form: str,
    out: Path | None,
) -> None:
    """Print the runs in PATH: Inspect logs, lm-eval results, or folders of them.

    A line a run: its task and model, the parameters that are not the default, the items, the one
    figure that the task is about with its 95 % interval, and which share of its answers could not
    be read. With --task, --all or --figures what was run stands above its figures, with settings of
    the host, where the items come from, versions, a digest of all that was asked, and how many
    samples have no score. The parts of one run (`shard`) are one run. Runs that did not finish or
    lack a part and files that can't be read are named on standard error, and make the command fail
    after it has printed the rest; a log whose retry has finished is passed over. A dash stands for
    a figure of which there was nothing to measure, or a bound that its data don't allow.
    """
    runs, problems = apart(read_runs(paths))
    runs = of_task(runs, task)
    detailed = every or bool(patterns) or task is not None
    if detailed:
        runs = usable(runs, problems, with_every_figure)
    if mean_over:
        runs = over_models(runs)
    if patterns:
        runs = _chosen(runs, patterns)
    elif not every and (detailed or form != "table"):
        runs = [replace(run, metrics=run.block) for run in runs]
    if runs or not problems:
        _write(runs, form, out, detailed=detailed)
    finish(problems, paths, found=bool(runs))


@click.command()
@paths_argument
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("report.html"),
    show_default=True,
    help="The file to write; what stands there is replaced.",
)
def report(paths: tuple[Path, ...], out: Path) -> None:
    """Write a page about the runs in PATH: Inspect logs, lm-eval results, or folders of them.

    One file that needs no network and runs no script: what each model was found to do, in a
    sentence a task, with a plot; comparisons with the first model, as `bias-tasks compare` makes
    them of the same PATH; the answers that moved most between two ways of asking; what could not be
    read and why; methods, and what must be known of the runs. Examples need the answers: in
    lm-eval run with --log_samples. Runs that did not finish are named on the page and on standard
    error, and make the command fail after it has written the rest.
    """
    from bias_tasks.results.report.page import page

    runs, problems = apart(read_runs(paths))
    if runs:
        tables.write_text(page(runs, worth_naming(problems, paths)), out)
        click.echo(f"{len(runs)} runs: {out}")
    finish(problems, paths, found=bool(runs))


def usable(runs: Iterable[Run], problems: list[Problem], make: Callable[[Run], Made]) -> list[Made]:
    """What `make` makes of each run; a run of which it can't is added to the problems."""
    made = []
    for run in runs:
        try:
            made.append(make(run))
        except UnusableRunError as error:
            reason = str(error).removeprefix(f"{run.path}: ")
            problems.append(Problem(run.path, reason, failed=True))
    return made


def finish(problems: Sequence[Problem], paths: Sequence[Path], *, found: bool) -> None:
    """Name what could not be shown; leave with status 1 where no run was `found`, or one failed."""
    for problem in worth_naming(problems, paths) if found else problems:
        click.echo(printable(f"{problem.path}: {problem.reason}"), err=True)
    if not found:
        raise click.ClickException(NOTHING)
    if any(problem.failed for problem in problems):
        raise click.exceptions.Exit(1)


def _chosen(runs: Sequence[Run], patterns: Sequence[str]) -> list[Run]:
    """The runs that have figures of such names, with these alone; a UsageError where none has."""
    known = {name for run in runs for name in run.metrics}
    for pattern in patterns:
        if known and not any(fnmatchcase(name, pattern) for name in known):
            near = did_you_mean([pattern], known)
            raise click.UsageError(f"no run has a figure {printable(pattern)!r}{near}")
    names = {name for name in known if any(fnmatchcase(name, each) for each in patterns)}
    chosen = [
        replace(run, metrics={n: each for n, each in run.metrics.items() if n in names})
        for run in runs
    ]
    return [run for run in chosen if run.metrics]


def _write(runs: Sequence[Run], form: str, out: Path | None, *, detailed: bool) -> None:
    if form == "json":
        tables.write_text(json.dumps([run.to_dict() for run in runs], indent=2), out)
    elif form == "csv":
        tables.write_csv(figure_rows(runs), out)
    else:
        with tables.printing(out) as console:
            if not detailed:
                print_overview(console, runs)
            for run in runs if detailed else ():
                _print_run(console, run)


def print_overview(console: Console, runs: Sequence[Run]) -> None:
    """Print a line for each run, those of one task together and the best model first."""
    groups: dict[str, list[tuple[str, ...]]] = {}
    for run in in_order(runs):
        changed = values_listed(run.record["changed"])
        task = run.task.removeprefix("bias_tasks/") + (f" ({changed})" if changed else "")
        headline = "-" if run.headline is None else tables.named(run, run.headline)
        unread = run.metrics.get("unread")
        answers = run.samples.asked - run.samples.failed - run.samples.unscored
        whose = run.figure("unread").words.get("of") or f"{answers:,}"
        share = "-" if unread is None else f"{unread.value:.1%} of {whose}"
        value, bounds, doubt = headline_told(run)
        told = tables.wrapped(f"{bounds}\n{doubt}".strip(), _WORDS)
        rows = groups.setdefault(brief(f"{task}: {headline}"), [])
        rows.append((brief(run.model), f"{run.n:,}", value, told, share))
    columns = ("model", "items", "value", "95 % interval", "unread answers")
    styles = {CANNOT_TELL: "bright_black"}
    tables.print_table(console, columns, groups, numbers=columns[1:], styles=styles)
    for said, about in once((run, cautions(run)) for run in runs).items():
        tasks = dict.fromkeys(f"{run.record['task']} of {brief(run.model)}" for run in about)
        tables.paragraph(console, printable(f"{said} ({listed(list(tasks), 3)})"), "yellow")


def _print_run(console: Console, run: Run) -> None:
    """Print what was run, as far as it is not the default, and a line for each of its figures."""
    told = run.record
    from_where = {name: _source(found) for name, found in sources(told).items()}
    named = {"parameters": told["changed"], "settings": run.settings, "from": from_where}
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    more = f" and {len(run.parts) - 1:,} other parts" if run.parts else ""
    lines = [
        f"protocol {told['protocol']}, data {told['data']}, {run.n} items",
        *(f"{what}: {values_listed(values)}" for what, values in named.items() if values),
        f"{run.date or 'no date'}, digest {told['digest']}, {versions}",
        f"log {run.path}{more}",
    ]
    tables.paragraph(console, printable(f"{run.task} ({run.host}), {run.model}"), "bold")
    tables.paragraph(console, "\n".join(map(printable, lines)))
    for warning in (*cautions(run), headline_told(run).doubt):
        tables.paragraph(console, printable(warning), "yellow")
    by_part = parts_of(run.figure(run.headline), run.metrics)
    parts = {name for names in by_part.values() for name in names}
    metrics = {name: each for name, each in run.metrics.items() if name not in parts}
    columns = ["figure", "value", "95 % interval", "n"]
    columns += ["adjusted p"] if any(each.p is not None for each in metrics.values()) else []
    rows = []
    for name, each in metrics.items():
        p = "" if each.p is None else tables.probability(each.p)
        row = [name, tables.number(each.value), tables.interval(each), f"{each.n:,}", p]
        rows.append(row[: len(columns)])
    tables.print_table(console, columns, {"": rows}, numbers=columns[1:])
    if by_part:
        _print_by_part(console, run, by_part)


def _print_by_part(console: Console, run: Run, by_part: Mapping[str, tuple[str, ...]]) -> None:
    """Print a line for each part that the headline is the largest of, such as a probe."""
    rows = []
    for part, (largest, *beside) in by_part.items():
        figure = run.metrics[largest]
        others = [_told(run.metrics.get(name)) for name in beside]
        p = tables.probability(figure.p)
        rows.append([part, _told(figure), p, *others, f"{figure.n:,}"])
    first, *others = run.figure(run.headline).by_part
    columns = ("by part", first, "adjusted p", *others, "n")
    tables.print_table(console, columns, {"": rows}, numbers=columns[1:])


def _told(figure: Estimate | None) -> str:
    return "-" if figure is None else f"{tables.number(figure.value)}\n{tables.interval(figure)}"


def _source(found: Mapping[str, Any]) -> Any:
    """A source's identity in short: hashes cut, without its list of files."""
    short = {n: str(v)[:8] if n in _HASHES else v for n, v in found.items() if n != "files"}
    return next(iter(short.values())) if len(short) == 1 else short
