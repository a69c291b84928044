"""How far a judge agrees with people, where they voted on responses or scored them.

People's label of a response is its share of their votes, or its mean score. Only plain verdicts and
scores count: what probes do to a judge is told elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit
from scipy.stats import rankdata

from bias_tasks.family import Outcome
from bias_tasks.judging.reading.verdict import TIE
from bias_tasks.probing.items import PLAIN
from bias_tasks.statistics.columns import Mask, codes
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import limits_wanted, rate
from bias_tasks.statistics.jackknife import Sums, standard_errors
from bias_tasks.statistics.level import QUANTILE

HUMAN = "human"
"""In an outcome's `own`: people's labels, one for each response of the item."""
_FEWEST_SCORES = 4
"""Responses from which a correlation has an interval."""
_MOST_GROUPS = 200
"""Of clusters that are left out together, where there are many."""
_ROUNDING = 1e-12


def human_card(preferred: Sequence[Outcome], outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """The figures that compare a judge with people; none where no item has people's labels.

    Args:
        preferred: what the judge prefers, an outcome for each pair, way and epoch.
        outcomes: as they were read, among which the scores of single responses are taken.

    Raises:
        ValueError: an item's labels are not one for each response that was shown.
    """
    pairs = [each for each in preferred if each.variant == PLAIN and each.own.get(HUMAN)]
    scored = [
        each
        for each in outcomes
        if "response" in each.own and each.own["way"] == PLAIN and each.own.get(HUMAN)
    ]
    card = pair_figures(pairs) if pairs else {}
    return card | (score_figures(scored) if scored else {})


def pair_figures(pairs: Sequence[Outcome]) -> dict[str, Estimate]:
    """`human_agreement` and `human_kappa` of at least one preference.

    Agreement is over pairs of which people prefer one response; a judge's tie counts as half, and
    no verdict as none. Kappa is Cohen's (1960) over all pairs with a verdict, of the three answers
    the response shown first, the other one, and a tie, which is people's where both have the same
    label.
    """
    rows = [_pair(each) for each in pairs]
    item = codes(each.item for each in pairs)
    cluster = codes({each.item: each.cluster for each in pairs}.values())
    agreed = np.array([_agreed(people, judge) for people, judge in rows])
    table = np.array([_cell(people, judge) for people, judge in rows])
    known = ~np.isnan(agreed)
    sample = _by_item(agreed, known, item, cluster)
    counted = table.sum(axis=1) > 0
    cells = _means(table, counted, item, cluster.size)
    return {"human_agreement": rate(sample), "human_kappa": _kappa(cells, cluster)}


def score_figures(scored: Sequence[Outcome]) -> dict[str, Estimate]:
    """`human_rank` and `human_unexplained` of the scores of at least one response.

    Spearman's correlation of the scores with people's labels, and the share of the variance of
    these that is left once scores are mapped to them by the best line. Over responses; a response's
    score is the mean over its epochs.
    """
    keys = [(each.item, each.own["response"]) for each in scored]
    response = codes(keys)
    size = int(response.max()) + 1
    score = np.array([math.nan if each.score is None else each.score for each in scored])
    known = ~np.isnan(score)
    count = np.bincount(response[known], minlength=size)
    first = np.unique(response, return_index=True)[1]
    given = np.bincount(response[known], score[known], size) / np.maximum(count, 1)
    people = np.array([_label(scored[place], keys[place][1]) for place in first])
    cluster = codes(scored[place].cluster for place in first)
    read = count > 0
    sample = _Scores(given[read], people[read], cluster[read])
    return {
        "human_rank": _correlation(sample, _spearman, _spearman_variance),
        "human_unexplained": _unexplained(sample),
    }


@dataclass(frozen=True, slots=True)
class _Scores:
    """What a judge and people say of each response."""

    judge: Floats
    people: Floats
    cluster: Ints

    def kept(self, rows: Mask) -> _Scores:
        return _Scores(self.judge[rows], self.people[rows], self.cluster[rows])


def _pair(outcome: Outcome) -> tuple[str, str | None]:
    """What people prefer and what the judge does: `first`, `second` or `tie`."""
    first, second = outcome.own["shown"]
    labels = _label(outcome, first), _label(outcome, second)
    people = TIE if labels[0] == labels[1] else "first" if labels[0] > labels[1] else "second"
    if outcome.answer is None:
        return people, None
    return people, {str(first): "first", str(second): "second"}.get(outcome.answer, TIE)


def _label(outcome: Outcome, number: int) -> float:
    """People's label of a response, which is numbered from 1."""
    labels = outcome.own[HUMAN]
    if not 1 <= number <= len(labels):
        raise ValueError(f"{outcome.item} has {len(labels)} labels of people and no {number}.")
    return float(labels[number - 1])


def _agreed(people: str, judge: str | None) -> float:
    if people == TIE:
        return math.nan
    if judge is None:
        return 0.0
    return 0.5 if judge == TIE else float(people == judge)


_ANSWERS = ("first", "second", TIE)


def _cell(people: str, judge: str | None) -> Floats:
    """One of the nine cells of both answers; none where the judge gave none."""
    cells = np.zeros(len(_ANSWERS) ** 2)
    if judge is not None:
        cells[_ANSWERS.index(people) * len(_ANSWERS) + _ANSWERS.index(judge)] = 1
    return cells


def _by_item(values: Floats, known: Mask, item: Ints, cluster: Ints) -> WeightedSample:
    """Each item's mean over its epochs."""
    size = cluster.size
    count = np.bincount(item[known], minlength=size)
    mean = np.bincount(item[known], values[known], size) / np.maximum(count, 1)
    weight = (count > 0).astype(float)
    return WeightedSample(mean, cluster, np.zeros(size, dtype=np.int64), weight)


def _means(cells: Floats, counted: Mask, item: Ints, size: int) -> Floats:
    """Each item's cells over its epochs; those of an item without a verdict are 0."""
    total = np.zeros((size, cells.shape[1]))
    np.add.at(total, item[counted], cells[counted])
    return total / np.maximum(np.bincount(item[counted], minlength=size), 1)[:, None]


def _kappa(cells: Floats, cluster: Ints) -> Estimate:
    """Cohen's kappa; nan where both always say the same one thing.

    Its limits hold those of leaving out clusters, and those that the share of equal answers has
    where what chance makes of it is known, which keep a width where all answers are equal.
    """
    counted = cells.sum(axis=1) > 0
    n = int(counted.sum())
    if not n:
        return Estimate(math.nan, math.nan, math.nan, 0)
    sums = Sums.of(cells, cluster)
    value = float(_kappas(sums.every)[0])
    strata = np.zeros(cluster.size, dtype=np.int64)
    same = rate(WeightedSample(_same(cells), cluster, strata, counted.astype(float)))
    if math.isnan(value) or math.isnan(same.ci_low):
        return Estimate(value, math.nan, math.nan, n)
    room = 1 - float(_chance(sums.every)[0])  # kappa is (same - chance) / room
    low, high = (1 - (1 - each) / room for each in (same.ci_low, same.ci_high))
    left = _kappas(sums.without)
    known = left[~np.isnan(left)]
    error = float(standard_errors(known[:, None])[0]) if known.size > 1 else 0.0
    half = float(stdtrit(max(known.size - 1, 1), QUANTILE)) * error
    return Estimate(value, max(min(low, value - half), -1.0), min(max(high, value + half), 1.0), n)


def _same(cells: Floats) -> Floats:
    """How often both answers are the same, of each row of cells."""
    diagonal: Floats = cells[:, :: len(_ANSWERS) + 1].sum(axis=1)
    return diagonal


def _chance(cells: Floats) -> Floats:
    """How often both would be the same by chance, of sums of the nine cells, a row each."""
    total = cells.sum(axis=1)
    shares = (cells / np.where(total > 0, total, np.nan)[:, None]).reshape(-1, 3, 3)
    found: Floats = (shares.sum(axis=1) * shares.sum(axis=2)).sum(axis=1)
    return found


def _kappas(cells: Floats) -> Floats:
    """Of sums of the nine cells, a row each; nan where chance alone makes all answers the same."""
    total = cells.sum(axis=1)
    seen = _same(cells) / np.where(total > 0, total, np.nan)
    chance = _chance(cells)
    room = 1 - chance
    found = np.full(seen.size, np.nan)
    np.divide(seen - chance, room, out=found, where=room > _ROUNDING)
    return found


def _spearman(scores: _Scores) -> float:
    """The correlation of ranks, equal values sharing theirs; nan where either is all alike."""
    return _pearson(rankdata(scores.judge), rankdata(scores.people))


def _pearson(first: Floats, second: Floats) -> float:
    one, two = first - first.mean(), second - second.mean()
    size = math.sqrt(float((one**2).sum() * (two**2).sum()))
    return float(np.clip((one * two).sum() / size, -1.0, 1.0)) if size > _ROUNDING else math.nan


def _spearman_variance(value: float, n: int) -> float:
    """Of Fisher's z (Bonett and Wright 2000)."""
    return (1 + value**2 / 2) / (n - 3)


def _correlation(
    scores: _Scores,
    of: Callable[[_Scores], float],
    variance: Callable[[float, int], float],
) -> Estimate:
    """A correlation with limits on Fisher's scale.

    Their standard error is that of independent responses, or the one that leaving out clusters
    shows where that is larger.
    """
    n = scores.judge.size
    value = of(scores) if n > 1 else math.nan
    if math.isnan(value) or n < _FEWEST_SCORES or not limits_wanted():
        return Estimate(value, math.nan, math.nan, n)
    group, count = _groups(scores.cluster)
    if count < 2:
        return Estimate(value, math.nan, math.nan, n)
    inside = 1 - 1 / (2 * n)  # a perfect one has no place on Fisher's scale
    left = np.array([of(scores.kept(group != each)) for each in range(count)])
    moved = np.arctanh(np.clip(left[~np.isnan(left)], -inside, inside))
    clustered = float(standard_errors(moved[:, None])[0]) if moved.size > 1 else 0.0
    error = max(math.sqrt(variance(value, n)), clustered)
    centre = math.atanh(min(max(value, -inside), inside))
    half = float(stdtrit(count - 1, QUANTILE)) * error
    low, high = math.tanh(centre - half), math.tanh(centre + half)
    return Estimate(value, min(low, value), max(high, value), n)


def _groups(cluster: Ints) -> tuple[Ints, int]:
    """Clusters, dealt into at most `_MOST_GROUPS` groups, and how many there are."""
    _, found = np.unique(cluster, return_inverse=True)
    count = min(int(found.max()) + 1, _MOST_GROUPS)
    return found % count, count


def _unexplained(scores: _Scores) -> Estimate:
    """The share of the variance of people's labels that a line through the scores leaves.

    It is 1 less the squared correlation, and so are its limits.
    """
    found = _correlation(scores, _linear, _linear_variance)
    ends = (1 - found.ci_low**2, 1 - found.ci_high**2)
    high = 1.0 if found.ci_low <= 0 <= found.ci_high else max(ends)
    return Estimate(1 - found.value**2, min(ends), high, found.n)


def _linear(scores: _Scores) -> float:
    return _pearson(scores.judge, scores.people)


def _linear_variance(value: float, n: int) -> float:
    """Of Fisher's z (1921)."""
    return 1 / (n - 3)
