"""A search for the best and the worst of several formats: Thompson sampling of both at once.

After Sclar et al. (2024), section 4.2: what is known of a format's score is a beta distribution,
and the next items are asked in the format that a draw from these makes the best, or the worst.
There the first half of the budget looks for the best and the second for the worst; here every round
looks for both. All formats are asked the items in the same order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

STRENGTH = 20.0
"""How many answers the prior of a format's score is worth: its mean is that of all answers."""
BATCH = 5
"""Items that a format is asked at once."""


@dataclass(slots=True)
class Tally:
    """What a format was asked and what came of it."""

    asked: int = 0
    """Items: the first ones of their order."""
    scored: int = 0
    """Those with a score."""
    total: float = 0.0
    """Sum of the scores, each from 0 to 1."""

    @property
    def mean(self) -> float | None:
        """The mean score; None without one."""
        return self.total / self.scored if self.scored else None

    def add(self, scores: Sequence[float | None]) -> None:
        """Take in what items scored: None where there is no score."""
        known = [score for score in scores if score is not None]
        self.asked += len(scores)
        self.scored += len(known)
        self.total += sum(known)


@dataclass(frozen=True, slots=True)
class Batch:
    """Items that a format is asked, `begin` to `end` of their order."""

    arm: int
    begin: int
    end: int


def next_round(tallies: Sequence[Tally], items: int, calls: int, rng: random.Random) -> list[Batch]:
    """What is asked next: batches for what may be the best and what may be the worst, in turn.

    Args:
        tallies: of every format, from the rounds before.
        items: how many there are to ask.
        calls: how many at most; what is less than a batch is asked too.
        rng: seeded by the search and the round, the only source of chance.

    Returns:
        Nothing where all formats were asked all items, or no call is left.
    """
    found: list[Batch] = []
    asked = [tally.asked for tally in tallies]
    ways = _beliefs(tallies)
    while calls > 0:
        drawn = [(rng.betavariate(*way), arm) for arm, way in enumerate(ways) if asked[arm] < items]
        if not drawn:
            break
        _, arm = (min if len(found) % 2 else max)(drawn)
        end = min(asked[arm] + min(BATCH, calls), items)
        found.append(Batch(arm, asked[arm], end))
        calls -= end - asked[arm]
        asked[arm] = end
    return found


def extremes(tallies: Sequence[Tally]) -> tuple[int, int]:
    """The best and the worst format by what is believed of them: two of those with a score.

    A mean of few answers is drawn to the mean of all, so that luck with a few does not win.

    Raises:
        ValueError: fewer than two have a score.
    """
    means = [a / (a + b) for a, b in _beliefs(tallies)]
    known = [arm for arm, tally in enumerate(tallies) if tally.scored]
    if len(known) < 2:
        raise ValueError("fewer than two formats have a score: give a larger budget")
    best = max(known, key=lambda arm: means[arm])
    return best, min((arm for arm in known if arm != best), key=lambda arm: means[arm])


def _beliefs(tallies: Sequence[Tally]) -> list[tuple[float, float]]:
    """The two parameters of each format's beta distribution."""
    scored = sum(tally.scored for tally in tallies)
    # One right and one wrong answer more, so that neither parameter is ever 0.
    mean = (sum(tally.total for tally in tallies) + 1) / (scored + 2)
    return [
        (
            STRENGTH * mean + tally.total,
            STRENGTH * (1 - mean) + max(tally.scored - tally.total, 0.0),
        )
        for tally in tallies
    ]
