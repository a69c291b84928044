"""`bias-tasks export`: finished runs in the formats of other tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeVar

import click

from bias_tasks.data.errors import DataError
from bias_tasks.data.replacing import replacing
from bias_tasks.export.readable import NothingFoundError, Source
from bias_tasks.export.tables import Rows, write_csv, write_parquet
from bias_tasks.results.answers import answers_of
from bias_tasks.results.frames import outcome_rows
from bias_tasks.results.run import Run
from bias_tasks.results.told import tell

Command = TypeVar("Command", bound=Callable[..., None])

_paths = click.argument(
    "paths",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH...",
)


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
    return _paths(out(command))


@export.command(name="csv")
@_table
def to_csv(paths: tuple[Path, ...], out: Path) -> None:
    """Write what every answer came to as CSV: a line an answer, both hosts alike.

    The columns are those of `bias_tasks.outcomes_df`. Runs that did not finish and files that can't
    be read are named on standard error, and make the command fail after it has written the rest.
    """
    _write(paths, out, ".csv", write_csv)


@export.command(name="parquet")
@_table
def to_parquet(paths: tuple[Path, ...], out: Path) -> None:
    """Write what every answer came to as Parquet: a row an answer, both hosts alike.

    As `export csv`, with missing values and types told apart. Runs are read and written one after
    the other.
    """
    _write(paths, out, ".parquet", write_parquet)


def _write(
    paths: tuple[Path, ...],
    out: Path,
    ending: str,
    write: Callable[[Iterable[Rows], BinaryIO], None],
) -> None:
    if out.suffix.lower() != ending:
        raise click.UsageError(f"--out {out}: the name of the file has to end in {ending}")
    with _told(paths) as source:
        counts: list[int] = []
        out.parent.mkdir(parents=True, exist_ok=True)
        with replacing(out) as stream:
            write(_counted(source.each(_rows), counts), stream)
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
        tell(source.problems, set(paths), everything=True)
        raise click.ClickException("no finished run of bias-tasks was found") from None
    except DataError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"cannot write {error.filename}: {error.strerror}") from error
    tell(source.problems, set(paths), everything=False)
    if any(problem.failed for problem in source.problems):
        raise click.exceptions.Exit(1)
