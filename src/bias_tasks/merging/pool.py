"""Which answers of several logs make a run: each question once an epoch, none missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bias_tasks.merging.pieces import Piece
from bias_tasks.results.shown import listed


class NotMergedError(Exception):
    """Logs do not make a run; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One answer in a log, or a question that got none there."""

    id: str
    epoch: int
    place: int
    """Of the question in the whole run."""
    answered: bool
    """Whether it was scored, and did not end in an error."""
    mark: str
    """The same in the copy that a retried log takes over."""
    what: Any = None
    """The host's own sample."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """The answers that make a run, by epoch and place, and what must be said of them."""

    answers: tuple[Asked, ...]
    epochs: int
    missing: tuple[str, ...]
    """What is not there, in words: parts, questions."""
    doubled: int
    """Answers to questions that a later log answers too, which are left out."""


def pooled(logs: Sequence[tuple[Piece, Iterable[Asked]]], *, as_epochs: bool = False) -> Pooled:
    """The answers of a run from its logs, in the order in which these began.

    Args:
        logs: the logs of one run, those begun first coming first.
        as_epochs: whether each further log of the same part asks it once more, rather than again
            in place of an earlier one.

    Raises:
        NotMergedError: logs that ask the same do not ask what they say.
    """
    part = logs[0][0].part
    seen: Counter[int] = Counter()
    found: dict[tuple[int, str], Asked] = {}
    failed: dict[tuple[int, str], Asked] = {}
    doubled, epochs = 0, 1
    for piece, answers in logs:
        number = piece.part.number
        before = seen[number] if as_epochs else 0
        most = 0
        for each in answers:
            key = (before + each.epoch, each.id)
            most = max(most, each.epoch)
            if not each.answered:
                failed[key] = each
                continue
            doubled += key in found and found[key].mark != each.mark
            found[key] = each
        seen[number] = max(seen[number], before + most)
        epochs = max(epochs, seen[number])
    missing = _missing(part.held, found, failed, epochs, {p.part.number for p, _ in logs})
    ordered = sorted(found.items(), key=lambda each: (each[0][0], each[1].place, each[0][1]))
    answers_of = tuple(replace(answer, epoch=epoch) for (epoch, _), answer in ordered)
    return Pooled(answers_of, epochs, missing, doubled)


def _missing(
    held: Sequence[int],
    found: dict[tuple[int, str], Asked],
    failed: dict[tuple[int, str], Asked],
    epochs: int,
    present: set[int],
) -> tuple[str, ...]:
    """What a run of so many questions in each part lacks."""
    wanted = sum(held) * epochs
    if len(found) > wanted:
        raise NotMergedError(
            f"{len(found):,} answers stand in the logs of a run with {wanted:,} questions"
        )
    if len(found) == wanted:
        return ()
    lacks = [f"{wanted - len(found):,} of {wanted:,} answers"]
    absent = [
        f"{number}/{len(held)}"
        for number, count in enumerate(held, 1)
        if count and number not in present
    ]
    if absent:
        lacks.append(f"no log of shard {listed(absent)}")
    ended = sorted(f"{name} (epoch {epoch})" for epoch, name in failed.keys() - found.keys())
    if ended:
        lacks.append(f"asked and not answered: {listed(ended)}")
    return tuple(lacks)
