"""The commands `bias-tasks results`, which prints metrics of finished runs, and `report`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import click
from rich.console import Console

from bias_tasks.contract.metrics import find_parts
from bias_tasks.messages import format_count
from bias_tasks.results import caveats, findings, tables
from bias_tasks.results.answer_distribution import describe_constant_answers
from bias_tasks.results.answers import load_all_metrics
from bias_tasks.results.find import NO_RUN_FOUND, read_runs, select_reported
from bias_tasks.results.frames import average_models, build_metric_rows
from bias_tasks.results.run import (
    Problem,
    Run,
    UnusableRunError,
    sort_runs,
    split_problems,
)
from bias_tasks.results.run_pairing import list_sources
from bias_tasks.results.text import escape_unprintable, format_values, join_texts, shorten
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.user_names import did_you_mean

paths_argument = click.argument(
    "paths",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH...",
)
_HASHES = ("revision", "sha256")
_RESULT_WIDTH = 40
ResultT = TypeVar("ResultT")


task_option = click.option(
    "--task", metavar="NAME", show_default="all tasks", help="Use runs of this task only."
)


def _parse_aliases(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    aliases = {name: alias for name, _, alias in (value.rpartition("=") for value in values)}
    if "" in aliases or "" in aliases.values():
        raise click.BadParameter("expected NAME=ALIAS", context, parameter)
    return aliases


alias_option = click.option(
    "--model-alias",
    "aliases",
    multiple=True,
    show_default="the names in the logs",
    callback=_parse_aliases,
    metavar="NAME=ALIAS",
    help="Show the model NAME as ALIAS, such as one model under the names of both frameworks. "
    "May be repeated.",
)


def other_task_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options on other packages' tasks: `cluster` and `lower_is_better`."""
    cluster = click.option(
        "--cluster",
        metavar="FIELD",
        show_default="samples are independent",
        help="Other packages' tasks: field of the sample's metadata (lm-eval: of the document) "
        "that samples of one passage, scene or user share.",
    )
    lower = click.option(
        "--lower-is-better",
        metavar="NAME",
        multiple=True,
        show_default="as lm-eval's results say, else higher",
        help="Other packages' tasks: a score of which lower values are better. May be repeated.",
    )
    return cluster(lower(command))


def check_other_task_options(
    runs: Sequence[Run], cluster: str | None, lower_is_better: Iterable[str]
) -> None:
    """Check that the options on other packages' tasks apply to one of the runs.

    Raises:
        UsageError: No run is of another package's task, or none has such a score.
    """
    names = {name for run in runs for name in run.metric_specs}
    if runs and cluster and not names:
        raise click.UsageError("--cluster: only tasks of bias-tasks are given, which have clusters")
    if runs and (unknown := sorted({*lower_is_better} - names)):
        near = did_you_mean(unknown, names) or f": expected {', '.join(sorted(names)) or 'none'}"
        raise click.UsageError(f"--lower-is-better: no score is {', '.join(unknown)}{near}")


@click.command()
@paths_argument
@task_option
@click.option("--all", "all_metrics", is_flag=True, help="Show all metrics of each run.")
@click.option(
    "--metric",
    "patterns",
    multiple=True,
    metavar="PATTERN",
    show_default="the headline; with --task, json or csv all that the task reports",
    help="Show metrics with matching names, such as 'acc@*' or 'reading/f1'. May be repeated.",
)
@click.option(
    "--mean-over",
    type=click.Choice(("model",)),
    show_default="one row per model",
    help="Show the means of the models with the same prompts.",
)
@alias_option
@tables.output_options
def results(
    paths: tuple[Path, ...],
    task: str | None,
    aliases: Mapping[str, str],
    all_metrics: bool,
    patterns: tuple[str, ...],
    mean_over: str | None,
    form: str,
    out: Path | None,
) -> None:
    """Print the metrics of the runs in PATH: Inspect logs, lm-eval results, or folders of them.

    Each row has a task and model, the non-default parameters, the headline metric with its 95 %
    interval, the number of items or answers that it is about, the largest share of unparsed answers
    under one variant, and the verdict of `report`. Sentences below say what to know first: answers
    that are always the same, and many unparsed ones. With --task, --all or --metric
    each run is described above its metrics: settings of the framework, sources of the items,
    versions, the digest, and the number of samples without a score.

    A dash means that there is nothing to measure, or no interval can be computed.

    The shards of a run are shown as one run, and a run that several files have is shown once.
    Skipped logs are named on standard error. A log that did not finish makes the command fail only
    if its PATH has no finished run (of --task). Unreadable files and incomplete shards make it fail
    after it prints the rest.
    """
    detailed = all_metrics or bool(patterns) or task is not None
    runs, problems = load_runs(paths, load_all_metrics, task, aliases)
    shown = {run: [*(run.metrics if all_metrics else run.block)] for run in runs}
    if patterns:
        shown = _select_metrics(runs, patterns)
    rows = build_metric_rows(shown)
    if mean_over and rows:
        rows = average_models(rows)

    def show(console: Console) -> None:
        if mean_over:
            tables.print_table(console, {"": rows})
            print_caveats(console, ((run, caveats.find_caveats(run)) for run in shown))
        elif detailed:
            for run, names in shown.items():
                _print_run(console, run, names)
        else:
            print_overview(console, runs)

    if runs or not problems:
        tables.write(rows, form, out, show)
    report_problems(problems, paths, any_run=bool(runs))


@click.command()
@paths_argument
@alias_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("report.html"),
    help="File to write; an existing file is replaced.",
)
def report(paths: tuple[Path, ...], aliases: Mapping[str, str], out: Path) -> None:
    """Write a page about the runs in PATH: Inspect logs, lm-eval results, or folders of them.

    The page is one file that needs no network and runs no script. It begins with what each model
    does and what cannot be said. It shows one finding per run with an example and its caveats,
    model against model (as in `bias-tasks compare` and `rank`), each run by setting, level, domain
    and format, and answers, unparsed answers, cost and methods.

    Skipped logs are named on the page and on standard error. The exit status is that of `bias-tasks
    results` for the same PATH.
    """
    from bias_tasks.results.report.page import load_for_page, render_page

    runs, problems = load_runs(paths, load_for_page, aliases=aliases)
    if runs:
        tables.write_text(render_page(runs, select_reported(problems, paths)), out)
        click.echo(f"{format_count(len(runs), 'run')}: {out}")
    report_problems(problems, paths, any_run=bool(runs))


def load_runs(
    paths: Iterable[Path],
    load: Callable[[Run], ResultT],
    task: str | None = None,
    aliases: Mapping[str, str] = MappingProxyType({}),
    *,
    other_tasks: bool = False,
) -> tuple[list[ResultT], list[Problem]]:
    """Return the result of `load` for each run in `paths`, and the problems, as in `read_runs`.

    A run for which `load` fails is a problem.

    Args:
        paths: As in `read_runs`.
        load: Returns the result of a run.
        task: As in `read_runs`.
        aliases: Names that replace the names of models.
        other_tasks: As in `read_runs`.

    Raises:
        UsageError: No run is of a model in `aliases`.
    """
    runs, problems = split_problems(read_runs(paths, task, other_tasks=other_tasks))
    models = {run.model for run in runs}
    if unknown := sorted(aliases.keys() - models) if runs else []:
        near = did_you_mean(unknown, models)
        raise click.UsageError(f"--model-alias: no run is of {', '.join(unknown)}{near}")
    loaded = []
    for run in runs:
        try:
            loaded.append(load(replace(run, model=aliases.get(run.model, run.model))))
        except UnusableRunError as error:
            reason = str(error).removeprefix(f"{run.path}: ")
            problems.append(Problem(run.path, reason, failed=True))
    return loaded, problems


def report_problems(problems: Sequence[Problem], paths: Sequence[Path], *, any_run: bool) -> None:
    """Print problems to standard error, and exit with status 1 if one of them is failed.

    Args:
        problems: Files and runs that could not be shown.
        paths: The paths that the user gave.
        any_run: Whether there is a run; if not, all problems are printed.
    """
    if print_problems(problems, paths, any_run=any_run):
        raise click.exceptions.Exit(1)


def print_problems(problems: Sequence[Problem], paths: Sequence[Path], *, any_run: bool) -> bool:
    """Print problems to standard error as in `report_problems`; return whether one is failed."""
    for problem in select_reported(problems, paths) if any_run else problems:
        click.echo(escape_unprintable(problem), err=True)
    if not any_run:
        raise UnusableRunError(NO_RUN_FOUND)
    return any(problem.failed for problem in problems)


def _select_metrics(runs: Sequence[Run], patterns: Sequence[str]) -> dict[Run, list[str]]:
    """Return the names of the matching metrics of each run that has one."""
    known = {name for run in runs for name in run.metrics}
    for pattern in patterns:
        if known and not any(fnmatchcase(name, pattern) for name in known):
            near = did_you_mean([pattern], known)
            raise click.UsageError(f"no run has a metric {escape_unprintable(pattern)!r}{near}")
    selected = {name for name in known if any(fnmatchcase(name, pattern) for pattern in patterns)}
    names_by_run = {run: [name for name in run.metrics if name in selected] for run in runs}
    return {run: names for run, names in names_by_run.items() if names}


def print_overview(console: Console, runs: Sequence[Run], caveats_in: str | None = None) -> None:
    """Print one row per run, grouped by task and sorted from best to worst headline metric.

    Constant answers are stated before the table, other caveats below it.

    Args:
        console: The console to print to.
        runs: The runs.
        caveats_in: Where else the caveats below the table are: they are counted, not printed.
    """
    constant = ((run, describe_constant_answers(run.distributions)) for run in runs)
    constant_answers = [(run, [sentence]) for run, sentence in constant if sentence]
    print_caveats(console, constant_answers)
    groups: dict[str, list[tables.Row]] = {}
    for run in sort_runs(runs):
        task_args = format_values(run.record.task_args)
        task = run.task.removeprefix("bias_tasks/") + (f" ({task_args})" if task_args else "")
        finding = findings.build_finding(run)
        metric = "-" if run.headline is None else tables.format_metric_name(run, run.headline)
        headline = caveats.format_headline(run, finding.name)
        interval = f"({headline.interval})" if headline.basis else headline.interval
        details = "; ".join(filter(None, (headline.basis, caveats.format_unparsed_share(run))))
        value = f"{headline.value} {interval}"
        if finding.name != (run.headline or ""):
            value = f"{finding.name} {value}"
        result = tables.wrap_text(f"{value}\n{details}", _RESULT_WIDTH)
        row = {"model": shorten(run.model), "result": result, "verdict": finding.word}
        groups.setdefault(shorten(f"{task}: {metric}"), []).append(row)
    styles = {"FOUND": "bold", "AT CHANCE": "bright_black"}
    tables.print_table(console, groups, numbers=["result"], styles=styles)
    found = [(run, list(caveats.find_caveats(run))) for run in runs]
    if caveats_in is None:
        print_caveats(console, found)
    elif n_caveats := len(caveats.group_by_caveat(found)):
        text = f"{format_count(n_caveats, 'caveat')} on these results: {caveats_in}"
        tables.print_paragraph(console, text, "yellow")


def print_caveats(console: Console, runs: Iterable[tuple[Run, Iterable[str]]]) -> None:
    """Print each caveat once, with the runs that it is about.

    Args:
        console: The console to print to.
        runs: Each run with its caveats.
    """
    for caveat, affected in caveats.group_by_caveat(runs).items():
        tasks = dict.fromkeys(f"{run.record.task} of {shorten(run.model)}" for run in affected)
        text = escape_unprintable(f"{caveat} ({join_texts(list(tasks), 3)})")
        tables.print_paragraph(console, text, "yellow")


def _print_run(console: Console, run: Run, shown: Sequence[str]) -> None:
    """Print how a run differs from the defaults, and one row per metric.

    Args:
        console: The console to print to.
        run: The run.
        shown: The names of the metrics to print.
    """
    record = run.record
    sources = {name: _shorten_source(source) for name, source in list_sources(record).items()}
    described = {"parameters": record.task_args, "settings": run.settings, "from": sources}
    versions = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    n_others = len(run.shard_paths) - 1
    others = f" and {format_count(n_others, 'other shard')}" if run.shard_paths else ""
    lines = [
        f"protocol {record.protocol}, data {record.data}, {format_count(run.n, 'item')}",
        *(f"{what}: {format_values(values)}" for what, values in described.items() if values),
        f"{run.date or 'no date'}, digest {record.digest}, {versions}",
        f"log {run.path}{others}",
    ]
    title = escape_unprintable(f"{run.task} ({run.framework}), {run.model}")
    tables.print_paragraph(console, title, "bold")
    tables.print_paragraph(console, "\n".join(map(escape_unprintable, lines)))
    for warning in (*caveats.list_caveats(run), caveats.format_headline(run).doubt):
        tables.print_paragraph(console, escape_unprintable(warning), "yellow")
    tables.print_table(console, {"": [group.to_row() for group in run.distributions]})
    by_part = find_parts(run.metric_spec(run.headline), shown)
    in_parts = {name for names in by_part.values() for name in names}
    rows = build_metric_rows({run: [name for name in shown if name not in in_parts]})
    tables.print_table(console, {"": _format_metrics(rows)})
    tables.print_table(console, {"": _build_part_rows(run, by_part)})
    setting_rows = [
        {"by setting": finding.name, "verdict": finding.word}
        | {"finding": finding.sentence.partition(": ")[2]}
        for finding in findings.list_setting_findings(run)
    ]
    tables.print_table(console, {"": setting_rows})


def _format_metrics(rows: Sequence[Mapping[str, Any]]) -> list[tables.Row]:
    """Return rows of `build_metric_rows` as a table shows them."""
    is_tested = any(row["p_adjusted"] is not None for row in rows)
    formatted: list[tables.Row] = []
    for row in rows:
        estimate = Estimate(row["value"], row["ci_low"], row["ci_high"], row["n"])
        cells = {
            "metric": row["metric"],
            "value": estimate.value,
            "95 % interval": tables.format_interval(estimate),
            "n": estimate.n,
        }
        if is_tested:
            p = row["p_adjusted"]
            cells["adjusted p"] = "" if p is None else tables.format_p_value(p)
        formatted.append(cells)
    return formatted


def _build_part_rows(run: Run, by_part: Mapping[str, Sequence[str]]) -> list[tables.Row]:
    """Return one row per part, such as a probe, over which the headline is the maximum."""
    rows: list[tables.Row] = []
    for part, names in by_part.items():
        changed = run.metrics[names[0]]
        (name, _), *others = zip(run.metric_spec(run.headline).by_part, names, strict=True)
        row = {"by part": part, name: changed, "adjusted p": tables.format_p_value(changed.p)}
        row |= {other: run.metrics.get(printed) for other, printed in others}
        rows.append(row | {"n": changed.n})
    return rows


def _shorten_source(source: Mapping[str, object]) -> object:
    """Return a source's identity with short hashes and without its list of files."""
    short = {n: str(v)[:8] if n in _HASHES else v for n, v in source.items() if n != "files"}
    return next(iter(short.values())) if len(short) == 1 else short
