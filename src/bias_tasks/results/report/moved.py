"""Answers worth looking at: what moved (the same item, asked in two ways, with two answers), and
what could not be read, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from statistics import fmean

from bias_tasks.family import Family
from bias_tasks.results.answers import Answered
from bias_tasks.results.report.collect import ReportedRun

_SMALLEST = 0.05
"""A change of less than this part of the scale is no move."""
_REASONS = 6
"""How many reasons of a run are listed; the rest are counted together."""
OTHER = "other reasons"


@dataclass(frozen=True, slots=True)
class Move:
    """One item whose answer stands elsewhere under another variant."""

    before: Answered
    """Under the variant that it is compared with."""
    after: Answered
    change: float
    """How much further up the scale the second stands, -1 to 1: -1 is from right to wrong."""

    @property
    def words(self) -> str:
        """The change in words: of a right answer to a wrong one, or of points."""
        if abs(self.change) == 1:
            return "wrong → right" if self.change > 0 else "right → wrong"
        there, here = (_points(each) for each in (self.before, self.after))
        return f"{there} → {here}"


@dataclass(frozen=True, slots=True)
class Way:
    """One variant beside the one that it is compared with, over all items of a run."""

    before: str
    after: str
    items: int
    """Items (in each epoch) that have an answer under both."""
    down: int
    """Of these, how many stand lower: right before and wrong after."""
    up: int


@dataclass(frozen=True, slots=True)
class Moved:
    """What moved in a run."""

    ways: tuple[Way, ...]
    strongest: tuple[Move, ...]


def moved(reported: ReportedRun, examples: int) -> Moved:
    """How many items moved between a run's variants, with the strongest moves as examples.

    Of the variants in turn, each gives its strongest move before any gives its second. Where a
    move down and one up are as strong, the one down comes first.
    """
    by_way: dict[tuple[str, str], list[Move]] = {}
    for move in _moves(reported):
        way = move.before.outcome.variant, move.after.outcome.variant
        by_way.setdefault(way, []).append(move)
    ways = tuple(_way(*names, moves) for names, moves in by_way.items())
    turns = sorted(by_way.values(), key=lambda moves: min(map(_rank, moves)))
    ranked = [sorted(filter(_is_move, moves), key=_rank) for moves in turns]
    deepest = max(map(len, ranked), default=0)
    strongest = [moves[turn] for turn in range(deepest) for moves in ranked if turn < len(moves)]
    return Moved(ways, tuple(strongest[:examples]))


def _points(answered: Answered) -> str:
    score = answered.outcome.score
    return "no score" if score is None else f"{score:.3g}"


def _way(before: str, after: str, moves: Sequence[Move]) -> Way:
    seen = [move.change for move in moves if _is_move(move)]
    down = sum(change < 0 for change in seen)
    return Way(before, after, len(moves), down, len(seen) - down)


def _is_move(move: Move) -> bool:
    return abs(move.change) >= _SMALLEST


def _rank(move: Move) -> tuple[float, float]:
    return -abs(move.change), move.change


def _moves(reported: ReportedRun) -> Iterator[Move]:
    """Every pair of answers about one item, moved or not."""
    family = reported.run.family
    answers = () if reported.answers is None else reported.answers.answers
    by_item: dict[tuple[str, int], dict[str, Answered]] = {}
    for answer in answers:
        if family.normalized_score(answer.outcome) is not None:
            place = answer.outcome.item, answer.outcome.epoch
            by_item.setdefault(place, {})[answer.outcome.variant] = answer
    best = _best(family, answers)
    for asked in by_item.values():
        for variant, after in asked.items():
            other = family.compared_with(variant) or best
            if other != variant and other in asked:
                yield Move(asked[other], after, _between(family, asked[other], after))


def _between(family: Family, before: Answered, after: Answered) -> float:
    there, here = family.normalized_score(before.outcome), family.normalized_score(after.outcome)
    return 0.0 if there is None or here is None else here - there


def _best(family: Family, answers: Sequence[Answered]) -> str | None:
    """Where variants are all alike, as formats are: the one with the highest mean.

    None where each has one that it is compared with.
    """
    standings: dict[str, list[float]] = {}
    for answer in answers:
        stands = family.normalized_score(answer.outcome)
        if stands is not None:
            standings.setdefault(answer.outcome.variant, []).append(stands)
    if any(family.compared_with(variant) is not None for variant in standings):
        return None
    means = {variant: fmean(each) for variant, each in standings.items()}
    return max(means, key=lambda variant: means[variant], default=None)


@dataclass(frozen=True, slots=True)
class Unread:
    """The unread answers of a run."""

    count: int
    asked: int
    reasons: tuple[tuple[str, int], ...]
    """Why, and how many; the most frequent first."""
    examples: tuple[Answered, ...]
    """One of each reason, then a second of each."""


def unread(reported: ReportedRun, examples: int) -> Unread | None:
    """The unread answers of a run; None where there are none."""
    answers = () if reported.answers is None else reported.answers.answers
    by_reason: dict[str, list[Answered]] = {}
    for each in answers:
        if each.outcome.answer is None:
            why = each.outcome.why or each.outcome.reason or "no reason was noted"
            by_reason.setdefault(why, []).append(each)
    if not by_reason:
        return None
    counted = Counter({why: len(found) for why, found in by_reason.items()}).most_common()
    rest = sum(count for _, count in counted[_REASONS:])
    turns = zip_longest(*(by_reason[why] for why, _ in counted))
    in_turn = [each for turn in turns for each in turn if each is not None]
    return Unread(
        len(in_turn),
        len(answers),
        (*counted[:_REASONS], *([(OTHER, rest)] if rest else [])),
        tuple(in_turn[:examples]),
    )
