"""A search for the best and the worst of several prompt formats under a budget of calls.

Thompson sampling of both at once, after Sclar et al. (2024), section 4.2: the knowledge about a
format's score is a beta distribution, and the next items get the format that a draw from these
distributions makes the best, or the worst. Held-out items, on whose answers the choice does not
depend, measure the difference: on the items of the search it is too large (the winner's curse).
"""

import random
from collections.abc import Sequence

import numpy as np

from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.probing.items import BASELINE, ProbedItem
from bias_tasks.probing.metrics import build_probe_table
from bias_tasks.prompts.templates import seeded_random
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.rate_intervals import difference, rate

N_PILOT = 5
"""Items that get the baseline format first, to see their prompts."""
N_ROUNDS = 10
"""Rounds of the search."""
N_HELD_OUT_FORMATS = 3
"""Formats that the held-out items get: the baseline, the best and the worst."""
_HELD_OUT_SHARE = 0.4
"""Share of the budget for the held-out items."""
_PRIOR_STRENGTH = 20.0
"""Number of answers that the prior of a format's score is worth."""
_ENOUGH_QUESTIONS = 3 * N_PILOT + 3 * N_HELD_OUT_FORMATS
"""Number of questions that is enough for a search of any task."""
_BATCH = 5
"""Items that a format gets at once."""

Scores = list[float | None]
"""Scores of the items that got a format, in their order: from 0 to 1, None if unscored."""


def split_items(
    items: Sequence[ProbedItem], questions: int, seed: int
) -> tuple[list[ProbedItem], list[ProbedItem]]:
    """Return items to search with and items to hold out, in an order drawn by the seed.

    A share of the questions is for the held-out items, which are at most half of all. No cluster is
    in both.

    Raises:
        ValueError: There are too few questions or clusters.
    """
    n_held_out = min(int(questions * _HELD_OUT_SHARE / N_HELD_OUT_FORMATS), len(items) // 2)
    if n_held_out < 2 or questions - N_HELD_OUT_FORMATS * n_held_out < 3 * N_PILOT:
        raise ValueError(
            f"a budget of {questions:,} questions is too small for a search: give --budget "
            f"{_ENOUGH_QUESTIONS} or more"
        )
    clusters = sorted({item.cluster_or_id for item in items})
    shuffled = seeded_random(seed, "search").sample(clusters, len(clusters))
    order = sorted(items, key=lambda item: (shuffled.index(item.cluster_or_id), item.id))
    held_out = order[:n_held_out]
    held_out_clusters = {item.cluster_or_id for item in held_out}
    search = [item for item in order if item.cluster_or_id not in held_out_clusters]
    if len(search) < 2:
        raise ValueError("too few clusters of items to hold some of them out: name a larger task")
    return search, held_out


def plan_round(
    tallies: Sequence[Scores], n_items: int, questions: int, rng: random.Random
) -> list[tuple[int, int]]:
    """Return which format each next item gets: in turn the likely best and the likely worst.

    Args:
        tallies: By format the scores of its first items.
        n_items: The number of items.
        questions: The maximum number of pairs.
        rng: The source of chance.

    Returns:
        Pairs of a format and an item, by their indices; none if all formats had all items.
    """
    pairs: list[tuple[int, int]] = []
    n_done, beliefs = [len(tally) for tally in tallies], _compute_beliefs(tallies)
    look_for_best = True
    while len(pairs) < questions:
        draws = [
            (rng.betavariate(*belief), index)
            for index, belief in enumerate(beliefs)
            if n_done[index] < n_items
        ]
        if not draws:
            break
        _, index = max(draws) if look_for_best else min(draws)
        batch = range(n_done[index], n_items)[: min(_BATCH, questions - len(pairs))]
        pairs += [(index, item) for item in batch]
        n_done[index] = batch.stop
        look_for_best = not look_for_best
    return pairs


def find_extremes(tallies: Sequence[Scores]) -> tuple[int, int]:
    """Return the indices of the best and the worst of the formats with a score.

    A mean of few answers is shrunk to the mean of all, so that luck with a few does not win.

    Raises:
        ValueError: Fewer than two formats have a score.
    """
    means = [a / (a + b) for a, b in _compute_beliefs(tallies)]
    scored = [i for i, tally in enumerate(tallies) if any(score is not None for score in tally)]
    if len(scored) < 2:
        raise ValueError("fewer than two formats have a score: give a larger budget")
    best = max(scored, key=means.__getitem__)
    return best, min((i for i in scored if i != best), key=means.__getitem__)


def _compute_beliefs(tallies: Sequence[Scores]) -> list[tuple[float, float]]:
    """Return the two parameters of each format's beta distribution."""
    scores = [[score for score in tally if score is not None] for tally in tallies]
    # One more correct and one more wrong answer, so that no parameter is ever 0.
    mean = (sum(map(sum, scores)) + 1) / (sum(map(len, scores)) + 2)
    return [
        (
            _PRIOR_STRENGTH * mean + sum(row),
            _PRIOR_STRENGTH * (1 - mean) + max(len(row) - sum(row), 0.0),
        )
        for row in scores
    ]


def held_out_metrics(
    outcomes: Sequence[Outcome[Extra]], best: str, worst: str
) -> dict[str, Estimate]:
    """Return the metrics of the held-out items, which got the baseline, best and worst format.

    Args:
        outcomes: Outcomes of the held-out items.
        best: Name of the best format.
        worst: Name of the worst format.

    Returns:
        `score/<name>` of each of the three, and `spread` (best minus worst, which may be negative)
        over the items that have both scores.
    """
    table = build_probe_table(outcomes)
    unscored = np.full(table.item.size, np.nan)
    scores = {
        name: table.scores_under(name) if name in table.variants else unscored
        for name in (BASELINE, best, worst)
    }
    metrics = {f"score/{name}": rate(table.sample(values)) for name, values in scores.items()}
    return metrics | {"spread": difference(table.sample(scores[best] - scores[worst]))}
