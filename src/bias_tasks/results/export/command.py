"""`bias-tasks export`: finished runs in the formats of other tools."""

from __future__ import annotations

from pathlib import Path
from time import time

import click

from bias_tasks.results.answers import answers_of
from bias_tasks.results.command import finish, paths_argument, usable
from bias_tasks.results.export.eee import RELATIONSHIPS, Evaluator, write_run
from bias_tasks.results.find import read_runs
from bias_tasks.results.frames import OUTCOME_COLUMNS, outcome_rows
from bias_tasks.results.run import apart
from bias_tasks.results.tables import write_csv, writing
from bias_tasks.results.text import printable

_out_file = click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="The file to write; what stands there is replaced.",
)


@click.group()
def export() -> None:
    """Write the runs in PATH for other tools: Inspect logs, lm-eval results, or folders of them."""


@export.command(name="csv")
@paths_argument
@_out_file
def to_csv(paths: tuple[Path, ...], out: Path) -> None:
    """Write what every answer came to as CSV: a line an answer, both hosts alike.

    The columns are those of `bias_tasks.outcomes_df`. A text that a spreadsheet would take for a
    formula begins with `'`. Runs that did not finish and files that can't be read are named on
    standard error, and make the command fail after it has written the rest.
    """
    _write_answers(paths, out, ".csv")


@export.command(name="parquet")
@paths_argument
@_out_file
def to_parquet(paths: tuple[Path, ...], out: Path) -> None:
    """Write what every answer came to as Parquet: a row an answer, both hosts alike.

    As `export csv`, with texts as they are, and missing values and types told apart.
    """
    _write_answers(paths, out, ".parquet")


@export.command()
@paths_argument
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write to, below which `data/` is made or added to.",
)
@click.option(
    "--organization", default="unknown", show_default=True, help="Who ran the evaluations."
)
@click.option(
    "--relationship",
    type=click.Choice(RELATIONSHIPS),
    default="other",
    show_default=True,
    help="Of who ran them to the model's developer.",
)
@click.option("--developer", help="Of models whose names have none, such as `gpt2`.")
def eee(paths: tuple[Path, ...], out: Path, **evaluator: str) -> None:
    """Write a record a run for Every Eval Ever (schema 0.3.0), with every figure and every answer.

    Each figure has its interval, standard error, items, direction and range. The answers of a run
    stand beside its record; lm-eval has them with --log_samples. Exporting a run again replaces its
    files.
    """
    by, now = Evaluator(**evaluator), int(time())
    runs, problems = apart(read_runs(paths))
    done = usable(runs, problems, lambda run: write_run(run, out, by, now))
    for missing in filter(None, (why for _, why in done)):
        click.echo(printable(missing), err=True)
    if done:
        rows = sum(count for count, _ in done)
        click.echo(f"{len(done):,} records with {rows:,} answers: {out / 'data'}")
    finish(problems, paths, found=bool(done))


def _write_answers(paths: tuple[Path, ...], out: Path, ending: str) -> None:
    import pandas as pd

    if out.suffix.lower() != ending:
        raise click.UsageError(f"--out {out}: the name of the file has to end in {ending}")
    runs, problems = apart(read_runs(paths))
    found = usable(runs, problems, lambda run: list(outcome_rows(answers_of(run))))
    rows = [row for each in found for row in each]
    if rows:
        if ending == ".csv":
            write_csv(rows, out)
        else:
            with writing(out) as stream:
                pd.DataFrame(rows).astype(OUTCOME_COLUMNS).to_parquet(stream, index=False)
        click.echo(f"{len(rows):,} answers of {len(found):,} runs: {out}")
    finish(problems, paths, found=bool(rows))
