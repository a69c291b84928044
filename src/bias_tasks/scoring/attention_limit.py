"""From reported flaws to how many were found, and how many of the planted ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bias_tasks.metrics.complex_eval import IssueCount
from bias_tasks.reading.score_values import ReportedFlaw

SHORTEST_QUOTE = 4
"""Letters and digits that a quote must have to say where a flaw is."""


@dataclass(frozen=True, slots=True)
class FlawAnswer:
    """What one answer reported."""

    facts: Mapping[str, Any]
    """What `AttentionQuestion.facts` says of it."""
    found: int | None
    """Flaws reported; None: unread."""
    located: int | None
    """How many of the planted flaws are among them; None: unread."""
    epoch: int = 1


def located(reported: Sequence[ReportedFlaw], planted: Sequence[Mapping[str, str]]) -> int:
    """How many planted flaws are among the reported ones.

    A reported flaw may stand for one planted flaw of its dimension whose turn holds its quote; case
    and spaces don't matter. Those with the fewest to choose from choose first.

    Args:
        reported: as read.
        planted: each with its `dimension` and its turn's `content`.
    """
    turns = [_folded(flaw["content"]) for flaw in planted]
    choices = [
        {
            place
            for place, flaw in enumerate(planted)
            if flaw["dimension"] == report.dimension and quote in turns[place]
        }
        for report in reported
        if sum(map(str.isalnum, quote := _folded(report.quote))) >= SHORTEST_QUOTE
    ]
    taken: set[int] = set()
    for choice in sorted(choices, key=len):
        free = choice - taken
        if free:
            taken.add(min(free))
    return len(taken)


def issue_counts(answers: Iterable[FlawAnswer]) -> list[IssueCount]:
    """The counts of a run; where each dimension has a call of its own, those are added up.

    A dialogue with an unread answer has an unread count. One that lacks a call, which failed for
    another reason than the judge's, is left out.
    """
    groups: dict[tuple[Any, ...], list[FlawAnswer]] = {}
    for answer in answers:
        groups.setdefault((*answer.facts["count"].values(), answer.epoch), []).append(answer)
    return [
        IssueCount(
            **parts[0].facts["count"],
            found=_sum(part.found for part in parts),
            located=_sum(part.located for part in parts),
            epoch=parts[0].epoch,
        )
        for parts in groups.values()
        if len(parts) == parts[0].facts["parts"]
    ]


def _sum(numbers: Iterable[int | None]) -> int | None:
    known: list[int] = []
    for number in numbers:
        if number is None:
            return None
        known.append(number)
    return sum(known)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
