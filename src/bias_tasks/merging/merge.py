"""Runs made of the logs that hold their answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bias_tasks.merging import harness_results, inspect_logs
from bias_tasks.merging.pieces import Piece
from bias_tasks.merging.pool import Asked, NotMergedError, pooled
from bias_tasks.results.shown import brief, listed

_HOSTS = {"inspect": inspect_logs, "lm-eval": harness_results}


@dataclass(frozen=True, slots=True)
class Merged:
    """A run that was made."""

    path: Path
    task: str
    model: str
    logs: int
    answers: int
    doubled: int
    missing: tuple[str, ...]


def runs_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The logs of each run, in the order in which they began."""
    runs: dict[str, list[Piece]] = {}
    for piece in pieces:
        runs.setdefault(piece.run, []).append(piece)
    return list(runs.values())


def merge_run(
    pieces: Sequence[Piece], folder: Path, *, partial: bool = False, as_epochs: bool = False
) -> Merged:
    """Make one log of a run's, and write it below a folder.

    Args:
        pieces: its logs, as `runs_of` has them.
        folder: where to; a folder a model is made in it.
        partial: whether a run that lacks answers is written too, with a note of what it lacks.
        as_epochs: see `pooled`.

    Raises:
        NotMergedError: the logs are not of one run, or do not hold all of it.
        DataError, OSError: it can't be written.
    """
    _check_same(pieces)
    host = _HOSTS[pieces[0].host]
    pool = pooled([(each, _answers(each)) for each in pieces], as_epochs=as_epochs)
    if not pool.answers:
        raise NotMergedError("no log of it holds an answer")
    if pool.missing and not partial:
        raise NotMergedError(
            f"it lacks {'; '.join(pool.missing)}. Run what is missing, or merge what there is with "
            "--partial"
        )
    path = host.write_merged(pieces, pool, folder)
    return Merged(
        path,
        pieces[0].task,
        pieces[0].model,
        len(pieces),
        len(pool.answers),
        pool.doubled,
        pool.missing,
    )


def _answers(piece: Piece) -> Iterator[Asked]:
    """The answers in a log; whatever reading a broken one raises names it, as `guarded` says."""
    try:
        yield from _HOSTS[piece.host].samples_in(piece)
    except NotMergedError:
        raise
    except Exception as error:
        told = f"{type(error).__name__}: {brief(error)}"
        raise NotMergedError(
            f"the answers in {piece.path} cannot be read ({told}). Leave it out, or run it again"
        ) from error


def _check_same(pieces: Sequence[Piece]) -> None:
    """Raise where logs of one task, model and setting ask something else than the others."""
    digests = Counter(each.part.digest for each in pieces)
    if len(digests) == 1:
        return
    most = digests.most_common(1)[0][0]
    others = [str(each.path) for each in pieces if each.part.digest != most]
    raise NotMergedError(
        f"logs ask something else than the others, as where the data, a template or the version of "
        f"bias-tasks has changed between them: {listed(others)}. Leave these out or run them again"
    )
