"""A search for the best and the worst of several prompt formats under a budget of calls.

Thompson sampling of both at once, after Sclar et al. (2024), section 4.2: what is known of a
format's score is a beta distribution, and the next items are asked in the format that a draw from
these makes the best, or the worst. Answers to other items, which know nothing of the choice, show
how far the two lie apart: on those that chose them it is further (the winner's curse).
"""

import random
from collections.abc import Sequence

import numpy as np

from bias_tasks.contract.family import Outcome
from bias_tasks.probing.items import PLAIN, ProbedItem
from bias_tasks.probing.metrics import table
from bias_tasks.prompts.templates import seeded
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import difference, rate

PILOT = 5
"""Items that are asked plain first, to see their prompts."""
ROUNDS = 10
"""Of the search."""
HELD_OUT = 3
"""Formats that the held-out items are asked in: plain, the best and the worst."""
SHARE = 0.4
"""Of the budget, for the held-out items."""
_STRENGTH = 20.0
"""How many answers the prior of a format's score is worth: its mean is that of all answers."""
_BATCH = 5
"""Items that a format is asked at once."""

Scores = list[float | None]
"""What came of the items that a format was asked, in their order: from 0 to 1, None unscored."""


def part(
    items: Sequence[ProbedItem], questions: int, seed: int
) -> tuple[list[ProbedItem], list[ProbedItem]]:
    """Items to search with and those held out, in an order drawn by the seed.

    A share of the questions is for the held-out items, at most half of all. Whole clusters are on
    one side. A ValueError where the questions or the clusters are too few."""
    held = min(int(questions * SHARE / HELD_OUT), len(items) // 2)
    if held < 2 or questions - HELD_OUT * held < 3 * PILOT:
        raise ValueError(f"a budget of {questions:,} questions is too small to search with")
    clusters = sorted({item.own_cluster for item in items})
    drawn = seeded(seed, "search").sample(clusters, len(clusters))
    order = sorted(items, key=lambda each: (drawn.index(each.own_cluster), each.id))
    kept = {item.own_cluster for item in order[:held]}
    search = [item for item in order if item.own_cluster not in kept]
    if len(search) < 2:
        raise ValueError("the items are of too few clusters to hold some of them out")
    return search, order[:held]


def next_round(
    tallies: Sequence[Scores], items: int, questions: int, rng: random.Random
) -> list[tuple[int, int]]:
    """Which format is asked which item next: in turn what may be the best, and the worst.

    At most so many questions; none where all formats were asked all items.
    """
    found: list[tuple[int, int]] = []
    asked, ways = list(map(len, tallies)), _beliefs(tallies)
    look, other = max, min
    while len(found) < questions:
        drawn = [(rng.betavariate(*way), arm) for arm, way in enumerate(ways) if asked[arm] < items]
        if not drawn:
            break
        _, arm = look(drawn)
        batch = range(asked[arm], items)[: min(_BATCH, questions - len(found))]
        found += [(arm, item) for item in batch]
        asked[arm] = batch.stop
        look, other = other, look
    return found


def extremes(tallies: Sequence[Scores]) -> tuple[int, int]:
    """The best and the worst format by what is believed of them: two of those with a score.

    A mean of few answers is drawn to the mean of all, so that luck with a few does not win. A
    ValueError where fewer than two have a score."""
    means = [a / (a + b) for a, b in _beliefs(tallies)]
    known = [arm for arm, tally in enumerate(tallies) if any(each is not None for each in tally)]
    if len(known) < 2:
        raise ValueError("fewer than two formats have a score: give a larger budget")
    best = max(known, key=means.__getitem__)
    return best, min((arm for arm in known if arm != best), key=means.__getitem__)


def _beliefs(tallies: Sequence[Scores]) -> list[tuple[float, float]]:
    """The two parameters of each format's beta distribution."""
    known = [[score for score in tally if score is not None] for tally in tallies]
    # One right and one wrong answer more, so that neither parameter is ever 0.
    mean = (sum(map(sum, known)) + 1) / (sum(map(len, known)) + 2)
    return [
        (_STRENGTH * mean + sum(each), _STRENGTH * (1 - mean) + max(len(each) - sum(each), 0.0))
        for each in known
    ]


def held_out_figures(outcomes: Sequence[Outcome], best: str, worst: str) -> dict[str, Estimate]:
    """Of the held-out items, asked plain and in the best and the worst format by their names:
    `score/<name>` of each of the three, and `spread` (best less worst, which may be negative) over
    the items that have both scores."""
    run = table(outcomes)
    nothing = np.full(run.item.size, np.nan)
    names = (PLAIN, best, worst)
    scores = {name: run.of(name) if name in run.variants else nothing for name in names}
    figures = {f"score/{name}": rate(run.sample(values)) for name, values in scores.items()}
    return figures | {"spread": difference(run.sample(scores[best] - scores[worst]))}
