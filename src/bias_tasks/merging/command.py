"""`bias-tasks merge`: one run of its parts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from bias_tasks.data.errors import DataError
from bias_tasks.merging.merge import Merged, merge_run, runs_of
from bias_tasks.merging.pieces import Piece, pieces_in
from bias_tasks.merging.pool import NotMergedError
from bias_tasks.parameters import of_whole_run
from bias_tasks.results.find import worth_naming
from bias_tasks.results.paths import paths_argument, tell
from bias_tasks.results.shown import listed, shown, values_listed

_NAMED = 3
"""Of a run's logs those that are named."""


@click.command()
@paths_argument
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write to; a run that was merged there before is replaced.",
)
@click.option(
    "--partial", is_flag=True, help="Write runs that lack answers too; they say what they lack."
)
@click.option(
    "--as-epochs",
    is_flag=True,
    help="Take each further log of the same questions as one more epoch of them.",
)
def merge(paths: tuple[Path, ...], out: Path, partial: bool, as_epochs: bool) -> None:
    """Make one log of each run whose parts are in PATH: Inspect logs, lm-eval results, or folders.

    Parts are runs with `shard`; logs that were killed, and retried ones, count as far as they got.
    Each question counts once (an epoch): where several logs answer it, the one that began last. The
    figures are those that the run would have had in one piece. Runs that lack answers or whose logs
    ask different things are named and not written, and make the command fail after the rest.
    """
    pieces, problems = pieces_in(paths)
    tell(worth_naming(problems, paths))
    if not pieces:
        raise click.ClickException("no log of bias-tasks with answers to merge was found")
    failed = any(problem.failed for problem in problems)
    runs = runs_of(pieces)
    alike = Counter(_of(run) for run in runs)
    for run in runs:
        try:
            _tell(merge_run(run, out, partial=partial, as_epochs=as_epochs))
        except (NotMergedError, DataError) as error:
            named = _named(run, alone=alike[_of(run)] == 1)
            click.echo(shown(f"{named}: not merged: {error}"), err=True)
            failed = True
        except OSError as error:
            raise click.ClickException(f"cannot write in {out}: {error.strerror}") from error
    if failed:
        raise click.exceptions.Exit(1)


def _of(run: list[Piece]) -> str:
    return f"{run[0].task} on {run[0].model}"


def _named(run: list[Piece], *, alone: bool) -> str:
    """A run's task and model; where others have the same, what it was asked with and its logs."""
    if alone:
        return f"{_of(run)} ({_logs(len(run))})"
    first = run[0]
    changed = of_whole_run(first.record["changed"])
    names = listed([each.path.name for each in run], most=_NAMED)
    return (
        f"{_of(run)} with {values_listed(changed) or 'no parameters'} in {first.part.of:,} shards "
        f"({_logs(len(run))}: {names})"
    )


def _tell(made: Merged) -> None:
    doubled = f", {made.doubled:,} doubled left out" if made.doubled else ""
    lacks = f", without {'; '.join(made.missing)}" if made.missing else ""
    click.echo(
        shown(
            f"{made.task} on {made.model}: {made.answers:,} answers of {_logs(made.logs)}"
            f"{doubled}{lacks}: {made.path}"
        )
    )


def _logs(count: int) -> str:
    return "1 log" if count == 1 else f"{count:,} logs"
