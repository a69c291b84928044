"""A search for the best and the worst of several prompt formats under a budget of calls.

Thompson sampling of both at once, after Sclar et al. (2024), section 4.2: what is known of a
format's score is a beta distribution, and the next items are asked in the format that a draw from
these makes the best, or the worst. There the first half of the budget looks for the best and the
second for the worst; here every round looks for both. All formats are asked the items in the same
order.

On the answers that chose the best and the worst, the two lie further apart than they do (the
winner's curse). Answers to other items know nothing of the choice.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from bias_tasks.contract.family import Outcome
from bias_tasks.probing.items import PLAIN, ProbedItem
from bias_tasks.probing.metrics import table
from bias_tasks.prompts.templates import seeded
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import NOTHING, difference, rate

PILOT = 5
"""Items that are asked plain first, to see their prompts."""
HELD_OUT = 3
"""Formats that the held-out items are asked in: plain, the best and the worst."""
_STRENGTH = 20.0
"""How many answers the prior of a format's score is worth: its mean is that of all answers."""
_BATCH = 5
"""Items that a format is asked at once."""

Scores = list[float | None]
"""What came of the items that a format was asked, in their order: from 0 to 1, None unscored."""


def part(
    items: Sequence[ProbedItem], questions: int, share: float, seed: int
) -> tuple[list[ProbedItem], list[ProbedItem]]:
    """Items to search with and those held out, in an order drawn by the seed.

    A share of the questions is for the held-out items, each of which takes three: plain, best and
    worst. Whole clusters are on one side.

    Raises:
        ValueError: the questions or the clusters are too few.
    """
    held = min(int(questions * share / HELD_OUT), len(items) // 2)
    if held < 2 or questions - HELD_OUT * held < 3 * PILOT:
        raise ValueError(
            f"a budget of {questions:,} questions is too small, with a share of {share:g} for "
            f"held-out items: 2 of these, asked {HELD_OUT} times, and {3 * PILOT} questions to "
            "search with are the least"
        )
    clusters: dict[str, list[ProbedItem]] = {}
    for item in sorted(items, key=lambda each: each.id):
        clusters.setdefault(item.cluster or f"\0{item.id}", []).append(item)
    names = seeded(seed, "search").sample(sorted(clusters), len(clusters))
    order = [item for name in names for item in clusters[name]]
    kept = {item.cluster for item in order[:held] if item.cluster}
    search = [item for item in order[held:] if item.cluster not in kept]
    if len(search) < 2:
        raise ValueError("the items are of too few clusters to hold some of them out")
    return search, order[:held]


def next_round(
    tallies: Sequence[Scores], items: int, questions: int, rng: random.Random
) -> list[tuple[int, int]]:
    """Which format is asked which item next: in turn what may be the best, and the worst.

    Args:
        tallies: of every format, from the rounds before.
        items: how many there are.
        questions: how many at most; none where all formats were asked all items.
        rng: seeded by the search and the round, the only source of chance.
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

    A mean of few answers is drawn to the mean of all, so that luck with a few does not win.

    Raises:
        ValueError: fewer than two have a score.
    """
    means = [a / (a + b) for a, b in _beliefs(tallies)]
    known = [arm for arm, tally in enumerate(tallies) if _scored(tally)]
    if len(known) < 2:
        raise ValueError("fewer than two formats have a score: give a larger budget")
    best = max(known, key=means.__getitem__)
    return best, min((arm for arm in known if arm != best), key=means.__getitem__)


def mean_score(tally: Scores) -> float:
    """The mean of those that have a score; nan where none has."""
    known = _scored(tally)
    return sum(known) / len(known) if known else float("nan")


def _scored(tally: Scores) -> list[float]:
    return [score for score in tally if score is not None]


def _beliefs(tallies: Sequence[Scores]) -> list[tuple[float, float]]:
    """The two parameters of each format's beta distribution."""
    known = [_scored(tally) for tally in tallies]
    # One right and one wrong answer more, so that neither parameter is ever 0.
    mean = (sum(map(sum, known)) + 1) / (sum(map(len, known)) + 2)
    return [
        (_STRENGTH * mean + sum(each), _STRENGTH * (1 - mean) + max(len(each) - sum(each), 0.0))
        for each in known
    ]


def held_out_figures(outcomes: Sequence[Outcome], best: str, worst: str) -> dict[str, Estimate]:
    """Scores and paired differences of the best, the worst and the plain format.

    Args:
        outcomes: of the held-out items alone, one at least.
        best: the variant that the search took for the best.
        worst: the one that it took for the worst.

    Returns:
        `score/<name>` of each of the three, `spread` (best less worst, which may be negative),
        `change/best` and `change/worst` (less plain), over the items that have both scores.
    """
    run = table(outcomes)
    nothing = np.full(run.item.size, np.nan)
    scores = {
        name: run.of(name) if name in run.variants else nothing for name in (PLAIN, best, worst)
    }
    pairs = {"spread": (best, worst), "change/best": (best, PLAIN), "change/worst": (worst, PLAIN)}
    return {
        name: difference(run.sample(scores[one] - scores[other])) if one != other else NOTHING
        for name, (one, other) in pairs.items()
    } | {f"score/{name}": rate(run.sample(values)) for name, values in scores.items()}
