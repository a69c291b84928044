"""`bias-tasks rank`: which of several models of a task is probably best."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from bias_tasks.messages import format_count
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
from bias_tasks.results.frames import build_ranking_rows
from bias_tasks.results.ranking import Ranking, rank_runs
from bias_tasks.results.text import escape_unprintable, shorten, to_json

_LEGEND = (
    "P(best): probability of the best true value, if all values are equally likely beforehand. "
    "group: models that do not differ significantly from the best one of the group "
    "(Holm-adjusted over all pairs, 5 %). Differences: row minus column; * significant."
)


@click.command()
@paths_argument
@task_option
@click.option(
    "--score",
    "--metric",
    "metric",
    metavar="PATTERN",
    show_default="the headline; for other packages' tasks all scores",
    help="Rank by metrics or scores with matching names.",
)
@other_task_options
@alias_option
@tables.output_options
def rank(
    *,
    paths: tuple[Path, ...],
    task: str | None,
    metric: str | None,
    aliases: Mapping[str, str],
    cluster: str | None,
    lower_is_better: tuple[str, ...],
    form: str,
    out: Path | None,
) -> None:
    """Rank the models of a task by a metric, on the items that all of them have.

    PATH are Inspect logs, results files of lm-eval with their samples, or folders of these, of
    tasks of any package. Each task has its own ranking: the value of each model with its 95 %
    interval, the probability that the model is the best, groups of models that cannot be told
    apart, and all differences with intervals.

    For runs with epochs, it adds the probability that a repeat of the run reverses the order of two
    models; for `probe` with `--score score/baseline`, that another equally valid prompt does.

    P(best) assumes nothing about the models. If they differ by less than their errors, that of the
    first is too high: 0.80 then means about 0.73.

    What is not ranked is named on standard error, and the command then exits with status 1.
    """
    load = partial(load_answers, cluster=cluster, lower_is_better=lower_is_better)
    runs, problems = load_runs(paths, load, task, aliases, other_tasks=True)
    failed = print_problems(problems, paths, any_run=bool(runs))
    check_other_task_options([loaded.run for loaded in runs], cluster, lower_is_better)
    rankings, not_ranked = rank_runs(runs, metric)
    rows = build_ranking_rows(rankings)
    if form == "csv":
        rows = [
            {n: to_json(v) if isinstance(v, list) else v for n, v in row.items()} for row in rows
        ]
    tables.write(rows, form, out, partial(_print_rankings, rankings))
    for reason in not_ranked:
        click.echo(escape_unprintable(f"not ranked: {reason}"), err=True)
    raise click.exceptions.Exit(1 if failed or not_ranked else 0)


def _print_rankings(rankings: Sequence[Ranking], console: Console) -> None:
    """Print for each ranking the models, their differences and the reversals of their order."""
    runs = dict.fromkeys(ranked.run for ranking in rankings for ranked in ranking.ranked)
    print_caveats(console, ((run, list_caveats(run)) for run in runs))
    for ranking in rankings:
        ranked = ranking.ranked
        heading = f"{shorten(ranking.task)}: {format_count(ranking.items, 'item')} that all have"
        if ranking.left_out:
            heading += f", {ranking.left_out:,} left out"
        name = tables.format_metric_name(ranked[0].run, ranking.name)
        rows = [
            {
                "#": str(position),
                "model": shorten(row.label),
                name: row.estimate,
                "P(best)": row.p_best,
                "group": str(row.group),
            }
            for position, row in enumerate(ranked, start=1)
        ]
        tables.print_table(console, {heading: rows}, numbers=["#", "group"])
        tables.print_table(console, {"": _build_matrix(ranking)})
        tables.print_table(console, {"": _build_reversals(ranking)})
    tables.print_paragraph(console, _LEGEND)


def _build_matrix(ranking: Ranking) -> list[tables.Row]:
    """Return the matrix of differences: each model minus each one that is ranked higher."""
    rows: list[tables.Row] = []
    for i in range(1, len(ranking.ranked)):
        row: dict[str, object] = {"difference": f"#{i + 1} minus"}
        for j in range(len(ranking.ranked) - 1):
            row[f"#{j + 1}"] = ""
            if j < i:
                metric = ranking.pairs[j, i].comparison
                change = metric.result.difference
                mark = " *" if metric.p_adjusted < 0.05 else ""
                value = tables.format_numbers(change.value, change.ci_low, sign="+")[0]
                row[f"#{j + 1}"] = f"{value}{mark}\n{tables.format_interval(change, sign='+')}"
        rows.append(row)
    return rows


def _build_reversals(ranking: Ranking) -> list[tables.Row]:
    """Return the probabilities that the order of two models changes, where they are known."""
    rows: list[tables.Row] = []
    for (i, j), pair in ranking.pairs.items():
        known = {
            "another prompt": pair.reversal_by_prompt,
            "a repeat": pair.reversal_by_repeat,
        }
        known = {cause: p for cause, p in known.items() if not math.isnan(p)}
        if known:
            rows.append({"order changes by": f"#{i + 1} and #{j + 1}", **known})
    return rows
