"""`bias-tasks export`: finished runs in the formats of other tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import BinaryIO, TypeVar

import click

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import replacing
from bias_tasks.export.eee.record import RELATIONSHIPS, Evaluator
from bias_tasks.export.eee.write import write_run
from bias_tasks.export.readable import NothingFoundError, Source
from bias_tasks.export.tables import Rows, write_csv, write_parquet
from bias_tasks.results.answers import answers_of
from bias_tasks.results.find import worth_naming
from bias_tasks.results.frames import outcome_rows
from bias_tasks.results.paths import paths_argument, tell
from bias_tasks.results.run import Run
from bias_tasks.results.shown import shown

Command = TypeVar("Command", bound=Callable[..., None])


@click.group()
def export() -> None:
    """Write the runs in PATH for other tools: Inspect logs, lm-eval results, or folders of them."""


def _table(command: Command) -> Command:
    """The arguments of a command that writes one file."""
    out = click.option(
        "--out",
        required=True,
        type=click.Path(path_type=Path),
        help="The file to write; what stands there is replaced.",
    )
    return paths_argument(out(command))


@export.command(name="csv")
@_table
def to_csv(paths: tuple[Path, ...], out: Path) -> None:
    """Write what every answer came to as CSV: a line an answer, both hosts alike.

    The columns are those of `bias_tasks.outcomes_df`. Runs that did not finish and files that can't
    be read are named on standard error, and make the command fail after it has written the rest.
    """
    with _written(paths, out, ".csv") as (source, stream, counts):
        write_csv(_counted(source.each(_rows), counts), stream)


@export.command(name="parquet")
@_table
def to_parquet(paths: tuple[Path, ...], out: Path) -> None:
    """Write what every answer came to as Parquet: a row an answer, both hosts alike.

    As `export csv`, with missing values and types told apart.
    """
    with _written(paths, out, ".parquet") as (source, stream, counts):
        write_parquet(_counted(source.each(_rows), counts), stream)


@export.command()
@paths_argument
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write to, below which `data/` is made or added to.",
)
@click.option(
    "--organization",
    default="unknown",
    show_default=True,
    help="Who ran the evaluations, which no log says.",
)
@click.option(
    "--relationship",
    type=click.Choice(RELATIONSHIPS),
    default="other",
    show_default=True,
    help="Of who ran them to the model's developer.",
)
@click.option("--developer", help="Of models whose names have none, such as `gpt2`.")
def eee(
    paths: tuple[Path, ...],
    out: Path,
    organization: str,
    relationship: str,
    developer: str | None,
) -> None:
    """Write a record a run for Every Eval Ever (schema 0.3.0), with every figure and every answer.

    Each figure has its interval, standard error, items, direction and range. The answers of a run
    stand beside its record; lm-eval has them with --log_samples. Exporting a run again replaces its
    files.
    """
    evaluator, now = Evaluator(organization, relationship, developer), int(time())
    with _told(paths) as source:
        done = list(source.each(lambda run: write_run(run, out, evaluator, now)))
        for missing in (each.missing for each in done if each.missing):
            click.echo(shown(missing), err=True)
        rows = sum(each.rows for each in done)
        click.echo(f"{len(done):,} records with {rows:,} answers: {out / 'data'}")


@contextmanager
def _written(
    paths: tuple[Path, ...], out: Path, ending: str
) -> Iterator[tuple[Source, BinaryIO, list[int]]]:
    """The runs to write, the file's stream, and a list for how many answers each run has."""
    if out.suffix.lower() != ending:
        raise click.UsageError(f"--out {out}: the name of the file has to end in {ending}")
    with _told(paths) as source:
        counts: list[int] = []
        out.parent.mkdir(parents=True, exist_ok=True)
        with replacing(out) as stream:
            yield source, stream, counts
        click.echo(f"{sum(counts):,} answers of {len(counts):,} runs: {out}")


def _rows(run: Run) -> Rows:
    return list(outcome_rows(answers_of(run)))


def _counted(runs: Iterable[Rows], counts: list[int]) -> Iterator[Rows]:
    for rows in runs:
        counts.append(len(rows))
        yield rows


@contextmanager
def _told(paths: tuple[Path, ...]) -> Iterator[Source]:
    """The runs in the paths; what could not be exported is told at the end, and makes it fail."""
    source = Source(paths)
    try:
        yield source
    except NothingFoundError:
        tell(source.problems)
        raise click.ClickException("no finished run of bias-tasks was found") from None
    except DataError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"cannot write {error.filename}: {error.strerror}") from error
    tell(worth_naming(source.problems, paths))
    if any(problem.failed for problem in source.problems):
        raise click.exceptions.Exit(1)
