"""What could not be read in a run, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from bias_tasks.report.gather import Told
from bias_tasks.results.answers import Answered

_REASONS = 6
"""How many reasons of a run are listed; the rest are counted together."""
OTHER = "other reasons"


@dataclass(frozen=True, slots=True)
class Unread:
    """The unread answers of a run."""

    count: int
    asked: int
    reasons: tuple[tuple[str, int], ...]
    """Why, and how many; the most frequent first."""
    examples: tuple[Answered, ...]
    """One of each reason, then a second of each."""
    is_finding: bool
    """Whether the form of answers is what the task measures, so that these are results."""


def unread(told: Told, examples: int) -> Unread | None:
    """The unread answers of a run; None where there are none."""
    if told.answers is None:
        return None
    found = [each for each in told.answers.answers if each.outcome.answer is None]
    if not found:
        return None
    counted = Counter(_why(each) for each in found).most_common()
    rest = sum(count for _, count in counted[_REASONS:])
    reasons = counted[:_REASONS] + ([(OTHER, rest)] if rest else [])
    return Unread(
        len(found),
        len(told.answers.answers),
        tuple(reasons),
        tuple(_in_turn(found, [why for why, _ in counted])[:examples]),
        told.family.measures_form,
    )


def _why(answer: Answered) -> str:
    return answer.outcome.why or answer.outcome.reason or "no reason was noted"


def _in_turn(found: list[Answered], order: list[str]) -> list[Answered]:
    """The answers, one of each reason before a second of any."""
    seen: Counter[str] = Counter()
    turns: list[tuple[int, int, Answered]] = []
    for answer in found:
        why = _why(answer)
        turns.append((seen[why], order.index(why), answer))
        seen[why] += 1
    return [answer for *_, answer in sorted(turns, key=lambda turn: turn[:2])]
