"""`bias-tasks compare` and `bias-tasks finetune-data`: what to do about format bias."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from bias_tasks.commands.model_calls.lines import replace_with
from bias_tasks.data.errors import DataError
from bias_tasks.data.regular_files import real_path, stands_there
from bias_tasks.results.answers import UnusableRunError
from bias_tasks.results.shown import shown

_EXISTING = click.Path(exists=True, path_type=Path)


@click.command()
@click.argument("base_log", type=_EXISTING)
@click.argument("mitigated_log", type=_EXISTING)
@click.option(
    "--margin",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="How far fi may fall in a format, a share, for the mitigation to be shown to hold.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for other tools.")
def compare(base_log: Path, mitigated_log: Path, margin: float, as_json: bool) -> None:
    """Say whether a mitigation of format bias holds: less bias, and no format followed less.

    BASE_LOG and MITIGATED_LOG are runs of a format task on the same items in the same formats,
    without and with the mitigation: Inspect logs, or results files of lm-eval (results_*.json) with
    their samples beside them. What only one of them asked is left out. What else the runs differ in
    is said; runs of another prompting, protocol or version of the task, or with other questions
    under the same ids, are refused.
    """
    # Imported here: they load numpy, scipy and the readers, which other commands don't need.
    from rich.console import Console

    from bias_tasks.commands.mitigation.answers import read_format_run
    from bias_tasks.commands.mitigation.compare import compare_runs
    from bias_tasks.commands.mitigation.report import comparison_to_dict, print_comparison

    try:
        for log in (base_log, mitigated_log):
            stands_there(log)
        runs = compare_runs(read_format_run(base_log), read_format_run(mitigated_log), margin)
    except DataError as error:
        raise click.ClickException(str(error)) from error
    except UnusableRunError as error:
        raise click.ClickException(shown(error)) from error
    if as_json:
        click.echo(json.dumps(comparison_to_dict(runs), indent=2))
    else:
        print_comparison(Console(), runs)


@click.command()
@click.argument("log", type=_EXISTING)
@click.option("--data", type=_EXISTING, required=True, help="Training items; JSONL, CSV, Parquet.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="JSONL to write.")
@click.option("--total", type=click.IntRange(1), required=True, help="Rows in all.")
@click.option("--seed", default=0, show_default=True, help="Seed of the choice and the order.")
def finetune_data(log: Path, data: Path, out: Path, total: int, seed: int) -> None:
    """Write chat fine-tuning data that levels the formats of a run out.

    Each format gets rows in inverse proportion to its sys in LOG, a finished run of a format task.
    The rows are made of the items of --data (rows input, answer, answer_type as for dataset=),
    which must be a training split: an item that LOG evaluated is refused.
    """
    from bias_tasks.commands.mitigation.answers import read_format_run
    from bias_tasks.commands.mitigation.finetune import (
        chat_rows,
        rows_per_format,
        sys_by_format,
        training_split,
    )

    if real_path(out) in (real_path(log), real_path(data)):
        raise click.UsageError("--out is one of the files that are read; write to another one")
    try:
        stands_there(log)
        run = read_format_run(log)
        rows = rows_per_format(run, total)
        made = chat_rows(run, training_split(data, run), rows, seed)
        replace_with(out, (json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in made))
    except DataError as error:
        raise click.ClickException(str(error)) from error
    except UnusableRunError as error:
        raise click.ClickException(shown(error)) from error
    _tell(out, sys_by_format(run), rows)


def _tell(out: Path, systematic: Mapping[str, float], rows: Mapping[str, int]) -> None:
    from rich.console import Console
    from rich.table import Column, Table

    table = Table("format", Column("sys", justify="right"), Column("rows", justify="right"))
    for name, count in rows.items():
        table.add_row(name, f"{systematic[name]:.3f}", f"{count:,}")
    Console().print(table)
    click.echo(f"{sum(rows.values()):,} rows in {out}")
