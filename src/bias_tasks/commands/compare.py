"""`bias-tasks compare`: which of several runs is better, and whether that is significant."""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import output_errors
from bias_tasks.messages import format_count
from bias_tasks.results import comparison as comparing
from bias_tasks.results import tables
from bias_tasks.results.answers import load_answers
from bias_tasks.results.caveats import list_caveats
from bias_tasks.results.command import (
    alias_option,
    check_other_task_options,
    load_runs,
    other_task_options,
    paths_argument,
    print_caveats,
    print_problems,
    task_option,
)
from bias_tasks.results.comparison import MetricComparison, PairComparison, RunComparison
from bias_tasks.results.find import select_reported
from bias_tasks.results.frames import build_comparison_rows
from bias_tasks.results.run import UnusableRunError
from bias_tasks.results.text import escape_controls, escape_unprintable, shorten
from bias_tasks.results.verdicts import Verdict

_FAILING_VERDICTS: dict[str, tuple[Verdict, ...]] = {
    "worse": ("WORSE",),
    "inconclusive": ("WORSE", "INCONCLUSIVE", "UNPARSED", "NO VALUE"),
    "different": ("WORSE", "BETTER", "HIGHER", "LOWER"),
}
"""Verdicts with which the command fails, by the value of `--fail-on`."""
_REGRESSION, _NOT_COMPARED = 1, 3
"""Exit statuses; click's own is 2, for usage errors."""


class _NotComparedError(click.ClickException):
    """Runs that cannot be read or compared."""

    exit_code = _NOT_COMPARED


_STYLES = {"BETTER": "green", "WORSE": "red", "HIGHER": "bold", "LOWER": "bold"}


def _parse_margins(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, float]:
    """Parse `0.05` (for all shares and differences of shares) and `PATTERN=VALUE`."""
    margins = {}
    for value in values:
        pattern, _, number = value.rpartition("=")
        try:
            margin = float(number)
        except ValueError:
            margin = math.nan
        if not 0 < margin < math.inf or (not pattern and margin >= 1):
            message = f"{value!r} is not a margin: give 0.05, or NAME=VALUE such as mbs=2"
            raise click.BadParameter(message, context, parameter)
        margins[pattern or comparing.SHARES] = margin
    return margins


@contextmanager
def _exit_as_not_compared() -> Iterator[None]:
    """Exit with the status of runs that are not compared if they cannot be read or printed."""
    try:
        with output_errors():
            yield
    except (DataError, UnusableRunError) as error:
        raise _NotComparedError(escape_controls(str(error))) from error
    except (BrokenPipeError, SystemExit) as error:  # rich exits with 1 if its reader has gone
        raise click.exceptions.Exit(_NOT_COMPARED) from error


@click.command()
@paths_argument
@task_option
@click.option(
    "--baseline",
    metavar="PATH|MODEL",
    show_default="the first run of each task",
    help="Log or model with which the others are compared.",
)
@click.option(
    "--all-pairs", is_flag=True, help="Compare all pairs of runs, not only with the baseline run."
)
@click.option(
    "--metric",
    "--score",
    "metric",
    metavar="PATTERN",
    show_default="the headline; for other packages' tasks all scores",
    help="Compare metrics with matching names, such as 'acc/*' or rs, or scores of these names.",
)
@click.option("--all", "all_metrics", is_flag=True, help="Compare all metrics.")
@click.option(
    "--margin",
    "margins",
    callback=_parse_margins,
    multiple=True,
    metavar="[PATTERN=]VALUE",
    show_default="nothing is EQUIVALENT",
    help="Largest difference that counts as EQUIVALENT, in the metric's unit: 0.05 for all shares "
    "and differences of shares, mbs=2 for metrics by name. May be repeated.",
)
@click.option(
    "--fail-on",
    type=click.Choice(list(_FAILING_VERDICTS)),
    show_default="never fail",
    help="Exit with status 1 if a metric is WORSE (worse), is WORSE, INCONCLUSIVE, UNPARSED or NO "
    "VALUE (inconclusive), or differs significantly (different). Each value also fails on answers "
    "without a value that make a run WORSE, and with status 3 if nothing was measured.",
)
@click.option("--strict", is_flag=True, help="Exit with 3 if a log is unfinished or skipped.")
@other_task_options
@alias_option
@tables.output_options
@_exit_as_not_compared()
def compare(
    *,
    paths: tuple[Path, ...],
    task: str | None,
    aliases: Mapping[str, str],
    margins: dict[str, float],
    fail_on: str | None,
    strict: bool,
    cluster: str | None,
    lower_is_better: tuple[str, ...],
    form: str,
    out: Path | None,
    **options: Any,
) -> None:
    """Report for each task which of several runs is better, and whether that is significant.

    PATH are Inspect logs, results files of lm-eval with their samples, or folders of these. Runs of
    one task are compared item by item, by default the first run with each other run. The task may
    be of any package: its scores are compared by sample, each the mean over its epochs.

    \b
    BETTER, WORSE  the difference is significant
    HIGHER, LOWER  the same, if no direction of the metric is better
    EQUIVALENT     the whole 95 % interval of the difference is within --margin
    NO VALUE       a run has no value; the reason is printed
    UNPARSED       neither run has a parsed answer, or more than 10 % of the answers that a metric
                   compares are unparsed under a variant
    INCONCLUSIVE   none of these

    p-values are Holm-adjusted over all headline metrics and, separately, over all other metrics.
    Runs with other items are compared on the items that both have; the number of items left out is
    shown.

    A run is also WORSE, for a reason that is printed above the table, if more than half of its
    answers have no value, or if their share under a variant rises significantly by more than 10
    points. These are unparsed answers, and samples that failed or have no score for another reason.
    For tasks that measure the form of answers, the first criterion counts the latter alone.

    What is not compared is named on standard error. The command fails after it prints the rest if
    runs have other prompts, protocols or versions of a task, and if the first PATH, or --baseline,
    is a log without a counterpart. Files are skipped, and make the command fail, as in `bias-tasks
    results`: a log that did not finish does so only if its PATH has no finished run (of --task).

    \b
    Exit status:
    0  no regression
    1  regression: --fail-on applies to the runs that are compared
    2  usage error
    3  no regression, but runs could not be read or compared, none matches an option, the output
       cannot be written, --strict is given and a log is skipped, or --fail-on is given and a
       headline is UNPARSED or has NO VALUE
    """
    if options["all_metrics"] and options["metric"] is not None:
        raise click.UsageError("--metric and --all exclude each other")
    load = partial(load_answers, cluster=cluster, lower_is_better=lower_is_better)
    runs, problems = load_runs(paths, load, task, aliases, other_tasks=True)
    check_other_task_options([loaded.run for loaded in runs], cluster, lower_is_better)
    failed = print_problems(problems, paths, any_run=bool(runs))
    failed |= strict and any(not p.is_notice for p in select_reported(problems, paths))
    comparison = comparing.compare_runs(runs, margins=margins, **options)
    tables.write(
        build_comparison_rows(comparison), form, out, partial(_print_comparison, comparison)
    )
    for left in comparison.not_compared:
        path = str(left.run.path)
        reason = left.reason if path in left.reason else f"{path}: {left.reason}"
        click.echo(escape_unprintable(f"not compared: {reason}"), err=True)
        failed |= left.failed or (options["baseline"] is None and left.run.path == paths[0])
    failing = list(_list_failing(comparison, fail_on)) if fail_on else []
    if failing:
        click.echo(escape_unprintable(f"--fail-on {fail_on}: {', '.join(failing)}"), err=True)
    is_open = fail_on and not failing
    for metric in (m for pair in comparison.pairs if is_open for m in pair.not_measured):
        text = f"--fail-on {fail_on}: {metric.name} is not measured ({metric.reason})"
        click.echo(escape_unprintable(text), err=True)
        failed = True
    # What could not be compared does not hide a regression.
    raise click.exceptions.Exit(_REGRESSION if failing else _NOT_COMPARED if failed else 0)


def _list_failing(comparison: RunComparison, fail_on: str) -> Iterator[str]:
    """Yield the metrics, and the reasons besides metrics, to which `--fail-on` applies."""
    for pair in comparison.pairs:
        for metric in pair.metrics:
            if metric.verdict in _FAILING_VERDICTS[fail_on]:
                yield f"{metric.name} of {pair.second.model} ({metric.verdict})"
        for reason in pair.regressions:
            yield f"{pair.second.model} (WORSE: {reason})"


def _print_comparison(comparison: RunComparison, console: Console) -> None:
    """Print tables of a comparison between what to know first and an explanation."""
    pairs = comparison.pairs
    runs = [run for pair in pairs for run in (pair.first, pair.second)]
    reasons = [(pair.second, list(_list_reasons(pair))) for pair in pairs]
    notes = [(run, list_caveats(run)) for run in runs]
    print_caveats(console, [*notes, *reasons])
    for headline in (True, False):
        metrics = [(p, m) for p in pairs for m in p.metrics if m.headline == headline]
        if metrics and not headline:
            tables.print_paragraph(console, "Other metrics, adjusted separately:")
        groups: dict[str, list[tables.Row]] = {}
        for pair, metric in metrics:
            row = _build_row(pair, metric)
            groups.setdefault("\n".join(_build_heading(pair)), []).append(row)
        tables.print_table(console, groups, styles=_STYLES)
    tables.print_paragraph(console, escape_unprintable(_build_legend(comparison)))


def _list_reasons(pair: PairComparison) -> Iterator[str]:
    """Yield why a run is worse besides its metrics, and why metrics are not measured."""
    yield from (f"WORSE: {reason}" for reason in pair.regressions)
    yield from (f"{m.verdict}: {m.name}: {m.reason}" for m in pair.metrics if m.reason)


def _build_row(pair: PairComparison, metric: MetricComparison) -> tables.Row:
    """Return a row of a table, with the interval below the difference."""
    result, change = metric.result, metric.result.difference
    first, second = tables.format_numbers(result.first.value, result.second.value)
    value = tables.format_numbers(change.value, change.ci_low, change.ci_high, sign="+")[0]
    return {
        "metric": tables.format_metric_name(pair.second, metric.name),
        "first": first,
        "second": second,
        "difference": f"{value}\n{tables.format_interval(change, sign='+')}",
        "adjusted p": tables.format_p_value(metric.p_adjusted),
        "verdict": metric.verdict,
        "MDE": result.mde,
    }


def _build_heading(pair: PairComparison) -> Iterator[str]:
    second, paired = pair.second, pair.paired
    models = f"{shorten(second.model)} against {shorten(pair.first.model)}"
    items = format_count(paired.items, "item")
    yield f"{shorten(second.record.task)}: {models}, {items} that both have"
    if paired.first_only or paired.second_only:
        items = format_count(paired.first_only, "item")
        counts = f"{items} of the first run and {paired.second_only:,} of the second"
        yield f"  left out: answers to {counts}, which only one run has"
    listed = [str(d) for d in paired.differences if d.kind not in ("model", "framework")]
    if listed:
        yield f"  differences (first / second): {'; '.join(listed)}"
    elif not paired.differences:
        yield f"  one model, two runs (first / second): {pair.first.path} / {second.path}"


def _build_legend(comparison: RunComparison) -> str:
    margins = sorted({metric.margin for metric in comparison.metrics if metric.margin})
    if margins:
        bounds = ", ±".join(f"{margin:g}" for margin in margins)
        equivalent = f"EQUIVALENT: the whole interval is within ±{bounds}"
    else:
        equivalent = "Without --margin nothing is EQUIVALENT"
    headlines, others = (comparison.tests(headline=headline) for headline in (True, False))
    return (
        f"difference: second minus first. adjusted p: Holm-adjusted over the headlines "
        f"({headlines:,}) and, separately, over the other metrics ({others:,}); verdicts at 5 %. "
        f"MDE: minimum detectable effect with this n and 80 % power. {equivalent}."
    )
