"""`bias-tasks compare`: which of several runs is better, and whether that is shown."""

from pathlib import Path
from typing import Any

import click

from bias_tasks.commands.mitigation import lines, mitigations
from bias_tasks.results.answers import answers_of
from bias_tasks.results.command import paths_argument
from bias_tasks.results.comparison.compare import SHARES, Verdict, compare_runs
from bias_tasks.results.comparison.printed import write_comparison
from bias_tasks.results.find import of_task, usable_runs
from bias_tasks.results.text import printable

FAILING: dict[str, tuple[Verdict, ...]] = {
    "worse": ("WORSE",),
    "inconclusive": ("WORSE", "INCONCLUSIVE", "UNREAD"),
    "different": ("WORSE", "BETTER", "HIGHER", "LOWER"),
}
"""Which verdicts make a gate fail, by what it fails on."""
_FORMS = ("table", "json", "csv")


def _margins(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> dict[str, float]:
    """`0.05`, for all shares and differences of shares, or `PATTERN=VALUE` for named figures."""
    found = {}
    for value in given:
        pattern, _, number = value.rpartition("=")
        try:
            margin = float(number)
        except ValueError:
            margin = -1.0
        if not 0 < margin < float("inf") or (not pattern and margin >= 1):
            told = "is no margin: give 0.05, or NAME=VALUE such as mbs=2"
            raise click.BadParameter(f"{value!r} {told}", context, parameter)
        found[pattern or SHARES] = margin
    return found


@click.command()
@paths_argument
@click.option("--task", metavar="NAME", help="Runs of this task alone.")
@click.option(
    "--baseline", metavar="PATH|MODEL", help="What the others are compared with; the first."
)
@click.option("--pairs", is_flag=True, help="All pairs of runs, instead of each with the baseline.")
@click.option("--figures", metavar="PATTERN", help="Those whose names match: 'acc/*' or rs.")
@click.option("--all", "every", is_flag=True, help="Every figure, not the headline alone.")
@click.option(
    "--margin",
    "margins",
    callback=_margins,
    multiple=True,
    metavar="[PATTERN=]VALUE",
    help="Within how much two values are EQUIVALENT: 0.05 for all shares and differences of "
    "shares, mbs=2 for figures by name. Without it nothing is.",
)
@click.option("--overlap", is_flag=True, help="Compare what both asked, and leave the rest out.")
@click.option(
    "--mitigation",
    is_flag=True,
    help="Of output formats: say whether a mitigation that no parameter tells of holds.",
)
@click.option(
    "--fail-on",
    type=click.Choice(list(FAILING)),
    help="Leave with status 2 where any figure is WORSE; is WORSE, INCONCLUSIVE or UNREAD; or is "
    "shown to differ either way.",
)
@click.option("--format", "form", type=click.Choice(_FORMS), default="table", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="The file to write to.")
def compare(
    *,
    paths: tuple[Path, ...],
    task: str | None,
    margins: dict[str, float],
    mitigation: bool,
    fail_on: str | None,
    form: str,
    out: Path | None,
    **which: Any,
) -> None:
    """Say of each task which of several runs is better, and whether that is shown.

    PATH are Inspect logs, results files of lm-eval with their samples beside them, or folders of
    these; runs of one task are compared, item by item, the first with each other one. A figure is
    BETTER, WORSE (HIGHER, LOWER where neither is good), EQUIVALENT where the whole 95 % interval of
    the difference lies within the margin, UNREAD where neither run has an answer that was read, or
    INCONCLUSIVE. p-values are Holm-adjusted over all headlines, and over all other figures apart
    from these. Runs with other items, prompts, protocols or versions of a task can't be compared;
    they are named, and the command fails after it has printed the rest. So it does where a baseline
    has no counterpart. Two runs of output formats, one with a mitigation, get its criteria beside.
    """
    if which["every"] and which["figures"] is not None:
        raise click.UsageError("--figures and --all exclude each other")
    runs = [answers_of(run) for run in of_task(usable_runs(paths), task)]
    comparison = compare_runs(runs, margins=margins, **which)
    beside = mitigations(comparison, runs, margins, every=mitigation)
    criteria = [line for each in beside for line in lines(each)]
    write_comparison(comparison, form, out, criteria, beside)
    for each in comparison.not_compared:
        told = each.why if str(each.run.path) in each.why else f"{each.run.path}: {each.why}"
        click.echo(printable(f"not compared: {told}"), err=True)
    if any(each.failed for each in comparison.not_compared):
        raise click.exceptions.Exit(1)
    failing = [
        f"{figure.name} of {pair.second.model} ({figure.verdict})"
        for pair in comparison.pairs
        for figure in pair.figures
        if figure.verdict in FAILING.get(fail_on or "", ())
    ]
    if failing:
        click.echo(printable(f"--fail-on {fail_on}: {', '.join(failing)}"), err=True)
        raise click.exceptions.Exit(2)
