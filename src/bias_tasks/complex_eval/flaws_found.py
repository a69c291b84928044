"""From reported flaws to how many were found, and how many of the planted ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bias_tasks.complex_eval.metrics.outcome import IssueCount
from bias_tasks.complex_eval.outcomes import judged, read_reported
from bias_tasks.complex_eval.quotes import FlawedDialogue, matched
from bias_tasks.complex_eval.reading.score_values import ReportedFlaw
from bias_tasks.family import Answer, Outcome


def outcome_of(facts: Mapping[str, Any], answer: Answer) -> Outcome:
    """What a judge's answer came to: how many flaws it reports, and how many of the planted ones.

    An answer that holds no valid list stays unread: it has no score.
    """
    reading = read_reported(facts["form"], answer.text, cut=answer.stop == "cut")
    flaws = reading.value
    own = {
        "count": facts["count"],
        "parts": facts["parts"],
        "located": None if flaws is None else located(flaws, facts["flaws"], facts["turns"]),
        "by_chance": None if flaws is None else by_chance(len(flaws), facts),
    }
    score = None if flaws is None else float(len(flaws))
    return judged(facts, answer, reading, score, own)


def located(
    reported: Sequence[ReportedFlaw], planted: Sequence[Mapping[str, Any]], turns: Sequence[str]
) -> int:
    """How many planted flaws are among the reported ones.

    A report may stand for one planted flaw of its dimension that its quote shows (`quotes`), and no
    two for the same; as many flaws are located as there can be in that way.

    Args:
        reported: the judge's flaws.
        planted: each with its `dimension`, its `turn` (position) and its `words` in that turn.
        turns: of the dialogue, each with its role before it.
    """
    dialogue = FlawedDialogue.of(turns, planted)
    return matched([dialogue.shown(report.dimension, report.quote) for report in reported])


def by_chance(reported: int, facts: Mapping[str, Any]) -> float:
    """How many planted flaws as many reports would locate, drawn blindly.

    Each names a turn and a dimension, all pairs as likely and none twice: of P planted flaws among
    the pairs of T turns and D dimensions asked for, r reports locate r P / (T D) on average (the
    mean of the hypergeometric distribution).
    """
    pairs = len(facts["turns"]) * len(facts["form"]["criteria"])
    return min(reported, pairs) * len(facts["flaws"]) / pairs


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
            found=_whole(_sum(part.score for part in parts)),
            located=_whole(_sum(part.own["located"] for part in parts)),
            by_chance=_sum(part.own.get("by_chance") for part in parts),
            epoch=parts[0].epoch,
        )
        for parts in groups.values()
        if len(parts) == parts[0].own["parts"]
    ]


def _sum(numbers: Iterable[float | None]) -> float | None:
    known: list[float] = []
    for number in numbers:
        if number is None:
            return None
        known.append(number)
    return sum(known)


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)
