"""From reported flaws to how many were found, and how many of the planted ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bias_tasks.complex_eval.metrics.outcome import IssueCount
from bias_tasks.complex_eval.outcomes import judged, read_reported
from bias_tasks.complex_eval.reading.score_values import ReportedFlaw
from bias_tasks.family import Answer, Outcome

SHORTEST_QUOTE = 4
"""Letters and digits that a quote must have to say where a flaw is."""


def outcome_of(facts: Mapping[str, Any], answer: Answer) -> Outcome:
    """What a judge's answer came to: how many flaws it reports, and how many of the planted ones.

    An answer that holds no valid list stays unread: it has no score.
    """
    reading = read_reported(facts["form"], answer.text, cut=answer.stop == "cut")
    flaws = reading.value
    own = {
        "count": facts["count"],
        "parts": facts["parts"],
        "located": None if flaws is None else located(flaws, facts["flaws"]),
    }
    score = None if flaws is None else float(len(flaws))
    return judged(facts, answer, reading, score, own)


def located(reported: Sequence[ReportedFlaw], planted: Sequence[Mapping[str, str]]) -> int:
    """How many planted flaws are among the reported ones.

    A reported flaw may stand for one planted flaw of its dimension whose turn holds its quote; case
    and spaces don't matter. Those with the fewest to choose from choose first.

    A planted flaw has its `dimension` and its turn's `content`.
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


def issue_counts(outcomes: Iterable[Outcome]) -> list[IssueCount]:
    """The counts of a run; where each dimension has a call of its own, those are added up.

    A dialogue with an unread answer has an unread count. One that lacks a call, which failed for
    another reason than the judge's, is left out.
    """
    groups: dict[tuple[Any, ...], list[Outcome]] = {}
    for outcome in outcomes:
        key = (*outcome.own["count"].values(), outcome.epoch)
        groups.setdefault(key, []).append(outcome)
    return [
        IssueCount(
            **parts[0].own["count"],
            found=_sum(None if part.score is None else int(part.score) for part in parts),
            located=_sum(part.own["located"] for part in parts),
            epoch=parts[0].epoch,
        )
        for parts in groups.values()
        if len(parts) == parts[0].own["parts"]
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
