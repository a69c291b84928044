"""Answers worth looking at: what moved (the same item, asked in two ways, with two answers), and
what could not be read, and why."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from statistics import fmean
from typing import NamedTuple, TypeVar

from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.run import Answered
from bias_tasks.results.text import cut, excerpt

_SMALLEST = 0.05
"""A change of less than this part of the scale is no move."""
_REASONS, OTHER = 6, "other reasons"
"""How many reasons of a run are listed, and as what the rest are counted together."""
_COMPARED, _SAME = 3000, 200
"""Characters of two prompts that are compared at most, and shown between two differences."""
Part = TypeVar("Part")


class Move(NamedTuple):
    """An item's answers under two variants, and how much further up the scale the second stands: -1
    is from right to wrong."""

    before: Answered
    after: Answered
    change: float

    @property
    def words(self) -> str:
        """The change in words: of a right answer to a wrong one, or of points."""
        if abs(self.change) == 1:
            return "wrong → right" if self.change > 0 else "right → wrong"
        scores = (each.outcome.score for each in (self.before, self.after))
        return " → ".join("no score" if score is None else f"{score:.3g}" for score in scores)


class Way(NamedTuple):
    """A variant beside the one that it is compared with: how many items (in each epoch) have an
    answer under both, and how many of them stand lower or higher."""

    before: str
    after: str
    items: int
    down: int
    up: int


def moved(answers: RunAnswers, examples: int) -> tuple[list[Way], list[Move]]:
    """How many items moved between a run's variants, with the strongest moves as examples: each
    variant's strongest before any one's second; of moves as strong, the one down comes first."""
    by_way: dict[tuple[str, str], list[Move]] = {}
    for move in _pairs(answers):
        way = move.before.outcome.variant, move.after.outcome.variant
        by_way.setdefault(way, []).append(move)
    ways, ranked = [], []
    for (before, after), moves in by_way.items():
        seen = sorted((m for m in moves if abs(m.change) >= _SMALLEST), key=_rank)
        down = sum(move.change < 0 for move in seen)
        ways.append(Way(before, after, len(moves), down, len(seen) - down))
        ranked.append(seen)
    ranked = sorted(filter(None, ranked), key=lambda moves: _rank(moves[0]))
    return ways, _in_turn(ranked)[:examples]


def marked(before: str, after: str) -> list[tuple[str, str]]:
    """Two prompts as one: parts that are the `same`, cut where they are long, that only the first
    has (`del`) or only the second (`ins`)."""
    one, two = (re.findall(r"\S+\s*", excerpt(each, _COMPARED)) for each in (before, after))
    found: list[tuple[str, str]] = []
    for kind, i, j, k, m in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        first, second = "".join(one[i:j]), "".join(two[k:m])
        if kind == "equal":
            found.append(("same", cut(first, _SAME)))
        else:
            found += [each for each in (("del", first), ("ins", second)) if each[1]]
    return found


def _in_turn(lists: Iterable[Sequence[Part]]) -> list[Part]:
    """The first of each, then the second of each, and so on."""
    return [each for turn in zip_longest(*lists) for each in turn if each is not None]


def _rank(move: Move) -> tuple[float, float]:
    return -abs(move.change), move.change


def _pairs(found: RunAnswers) -> Iterator[Move]:
    """Every pair of answers about one item, moved or not."""
    family = found.run.family
    by_item: dict[tuple[str, int], dict[str, tuple[Answered, float]]] = {}
    standings: dict[str, list[float]] = {}
    for answer in found.answers:
        outcome, stands = answer.outcome, family.normalized_score(answer.outcome)
        if stands is not None:
            asked = by_item.setdefault((outcome.item, outcome.epoch), {})
            asked[outcome.variant] = answer, stands
            standings.setdefault(outcome.variant, []).append(stands)
    best = None
    if not any(map(family.compared_with, standings)):  # alike, as formats: beside the best of them
        best = max(standings, key=lambda variant: fmean(standings[variant]), default=None)
    for asked in by_item.values():
        for variant, (after, here) in asked.items():
            other = family.compared_with(variant) or best
            if other != variant and other in asked:
                before, there = asked[other]
                yield Move(before, after, here - there)


class Unread(NamedTuple):
    """How many answers of a run are unread, by reason, and examples: first one of each reason."""

    unread: int
    asked: int
    reasons: list[tuple[str, int]]
    examples: list[Answered]


def unread(found: RunAnswers, examples: int) -> Unread:
    """The unread answers of a run, with so many examples at most."""
    by_reason: dict[str, list[Answered]] = {}
    for each in found.answers:
        if each.outcome.answer is None:
            why = each.outcome.why or each.outcome.reason or "no reason was noted"
            by_reason.setdefault(why, []).append(each)
    ranked = sorted(by_reason.items(), key=lambda each: -len(each[1]))
    counts = [(why, len(each)) for why, each in ranked]
    rest = sum(count for _, count in counts[_REASONS:])
    reasons = counts[:_REASONS] + ([(OTHER, rest)] if rest else [])
    in_turn = _in_turn(each for _, each in ranked)
    return Unread(len(in_turn), len(found.answers), reasons, in_turn[:examples])
