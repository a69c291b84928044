"""`bias-tasks compare`: which of several runs is better, and whether that is significant."""

import math
from pathlib import Path
from typing import Any

import click

from bias_tasks.commands.mitigation import compare_mitigations
from bias_tasks.results.answers import load_answers
from bias_tasks.results.command import format_option, out_option, paths_argument
from bias_tasks.results.comparison.compare import SHARES, Verdict, compare_runs
from bias_tasks.results.comparison.output import write_comparison
from bias_tasks.results.find import read_usable_runs, select_task
from bias_tasks.results.text import escape_unprintable

_FAILING_VERDICTS: dict[str, tuple[Verdict, ...]] = {
    "worse": ("WORSE",),
    "inconclusive": ("WORSE", "INCONCLUSIVE", "UNPARSED"),
    "different": ("WORSE", "BETTER", "HIGHER", "LOWER"),
}
"""Verdicts with which the command fails, by the value of `--fail-on`."""


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
        margins[pattern or SHARES] = margin
    return margins


@click.command()
@paths_argument
@click.option("--task", metavar="NAME", help="Compare runs of this task only.")
@click.option(
    "--baseline",
    metavar="PATH|MODEL",
    help="Log or model with which the others are compared. [default: the first run of each task]",
)
@click.option(
    "--all-pairs", is_flag=True, help="Compare all pairs of runs, not only with the baseline run."
)
@click.option(
    "--metric", metavar="PATTERN", help="Compare metrics with matching names: 'acc/*' or rs."
)
@click.option("--all", "all_metrics", is_flag=True, help="Compare all metrics.")
@click.option(
    "--margin",
    "margins",
    callback=_parse_margins,
    multiple=True,
    metavar="[PATTERN=]VALUE",
    help="Largest difference that counts as EQUIVALENT: 0.05 for all shares and differences of "
    "shares, mbs=2 for metrics by name. Without it nothing is EQUIVALENT.",
)
@click.option("--overlap", is_flag=True, help="Compare on the items that both runs have.")
@click.option(
    "--mitigation",
    is_flag=True,
    help="Check the criteria of a mitigation for all pairs of output-format runs, also if their "
    "parameters do not show a mitigation.",
)
@click.option(
    "--fail-on",
    type=click.Choice(list(_FAILING_VERDICTS)),
    help="Exit with status 2 if a metric is WORSE; WORSE, INCONCLUSIVE or UNPARSED; or "
    "significantly different.",
)
@format_option
@out_option
def compare(
    *,
    paths: tuple[Path, ...],
    task: str | None,
    margins: dict[str, float],
    mitigation: bool,
    fail_on: str | None,
    form: str,
    out: Path | None,
    **options: Any,
) -> None:
    """Report for each task which of several runs is better, and whether that is significant.

    PATH are Inspect logs, results files of lm-eval with their samples, or folders of these. Runs of
    one task are compared item by item, by default the first run with each other run.

    \b
    BETTER, WORSE  the difference is significant
    HIGHER, LOWER  the same, if no direction of the metric is better
    EQUIVALENT     the whole 95 % interval of the difference is within --margin
    UNPARSED       neither run has a parsed answer
    INCONCLUSIVE   none of these

    p-values are Holm-adjusted over all headline metrics and, separately, over all other metrics.
    Runs with other items, prompts, protocols or versions of a task cannot be compared. They are
    reported, and the command fails after printing the rest; it also fails if a baseline run has no
    counterpart. Two runs of output formats, one of them with a mitigation, also get the criteria of
    the mitigation.
    """
    if options["all_metrics"] and options["metric"] is not None:
        raise click.UsageError("--metric and --all exclude each other")
    runs = [load_answers(run) for run in select_task(read_usable_runs(paths), task)]
    comparison = compare_runs(runs, margins=margins, **options)
    reports = compare_mitigations(comparison, runs, margins, every=mitigation)
    criteria = [line for report in reports for line in report.lines()]
    write_comparison(comparison, form, out, criteria, [report.to_dict() for report in reports])
    for left in comparison.not_compared:
        path = str(left.run.path)
        reason = left.reason if path in left.reason else f"{path}: {left.reason}"
        click.echo(escape_unprintable(f"not compared: {reason}"), err=True)
    if any(left.failed for left in comparison.not_compared):
        raise click.exceptions.Exit(1)
    failing = [
        f"{compared.name} of {pair.second.model} ({compared.verdict})"
        for pair in comparison.pairs
        for compared in pair.metrics
        if compared.verdict in _FAILING_VERDICTS.get(fail_on or "", ())
    ]
    if failing:
        click.echo(escape_unprintable(f"--fail-on {fail_on}: {', '.join(failing)}"), err=True)
        raise click.exceptions.Exit(2)
