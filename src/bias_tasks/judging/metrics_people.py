"""How far a judge agrees with people's labels of responses, their shares of votes or mean scores.
Only plain verdicts and scores count."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import stdtrit
from scipy.stats import rankdata

from bias_tasks.contract.family import Outcome
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.probing.items import PLAIN
from bias_tasks.statistics.covariance import Sums, standard_errors
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import QUANTILE, Estimate
from bias_tasks.statistics.intervals import NOTHING, limits_wanted, rate
from bias_tasks.statistics.outcomes import codes, means

HUMAN = "human"
"""In an outcome's `own`: people's labels, one for each response of the item."""
_FEWEST_SCORES = 4
"""Responses from which a correlation has an interval."""
_MOST_GROUPS = 200
"""Of clusters that are left out together, where there are many."""
_ROUNDING = 1e-12
_FIRST, _SECOND, _TIED, _NONE = range(4)
_ANSWERS = 3


def people_card(preferred: Sequence[Outcome], outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """The figures that compare a judge with people; none where no item has people's labels.

    `preferred` is what the judge prefers, an outcome for each pair, way and epoch; among the
    `outcomes`, as they were read, are the scores of single responses."""

    def labelled(each: Outcome, way: str) -> bool:
        return way == PLAIN and bool(each.own.get(HUMAN))

    pairs = [each for each in preferred if labelled(each, each.variant)]
    scored = [e for e in outcomes if "response" in e.own and labelled(e, e.own["way"])]
    card = _pair_figures(pairs) if pairs else {}
    return card | (_score_figures(scored) if scored else {})


def _pair_figures(pairs: Sequence[Outcome]) -> dict[str, Estimate]:
    """`human_agreement` (a tie of the judge's counts as half) and `human_kappa` (Cohen 1960).

    Kappa is of three answers: the response shown first, the other one, and a tie, which is people's
    where both have the same label. An item's value is the mean over its epochs.
    """
    people = np.array([_peoples(each) for each in pairs])
    judge = np.array([_judges(each) for each in pairs])
    item = codes(each.item for each in pairs)
    cluster = codes({each.item: each.cluster for each in pairs}.values())
    agreed = np.select(
        [judge == _NONE, judge == _TIED], [0.0, 0.5], (people == judge).astype(float)
    )
    values, known = means(agreed, people != _TIED, item, cluster.size)
    strata = np.zeros(cluster.size, dtype=np.int64)
    agreement = rate(WeightedSample(values, cluster, strata, known.astype(float)))
    read = judge != _NONE
    table = np.zeros((len(pairs), _ANSWERS**2))
    table[read, (people * _ANSWERS + judge)[read]] = 1
    cells = np.column_stack([means(column, read, item, cluster.size)[0] for column in table.T])
    return {"human_agreement": agreement, "human_kappa": _kappa(cells, cluster)}


def _peoples(outcome: Outcome) -> int:
    first, second = (outcome.own[HUMAN][number - 1] for number in outcome.own["shown"])
    return _TIED if first == second else _FIRST if first > second else _SECOND


def _judges(outcome: Outcome) -> int:
    first, second = map(str, outcome.own["shown"])
    return {first: _FIRST, second: _SECOND, TIE: _TIED}.get(outcome.answer or "", _NONE)


def _kappa(cells: Floats, cluster: Ints) -> Estimate:
    """Cohen's kappa; nan where both always say the same one thing.

    Its limits hold those of leaving out clusters, and those that the share of equal answers has
    where what chance makes of it is known, which keep a width where all answers are equal.
    `cells` is for each item how often each of the nine combinations of answers was given.
    """
    counted = cells.sum(axis=1) > 0
    n = int(counted.sum())
    if not n:
        return NOTHING
    sums = Sums.of(cells, cluster)
    [value], [room] = _kappas(sums.every)
    strata = np.zeros(cluster.size, dtype=np.int64)
    diagonal: Floats = cells[:, :: _ANSWERS + 1].sum(axis=1)
    same = rate(WeightedSample(diagonal, cluster, strata, counted.astype(float)))
    if math.isnan(value) or math.isnan(same.ci_low):
        return Estimate(float(value), math.nan, math.nan, n)
    # Kappa is (same - chance) / (1 - chance), of which `room` is the latter.
    low, high = (1 - (1 - each) / float(room) for each in (same.ci_low, same.ci_high))
    left, _ = _kappas(sums.without)
    known = left[~np.isnan(left)]
    error = float(standard_errors(known[:, None])[0]) if known.size > 1 else 0.0
    half = float(stdtrit(max(known.size - 1, 1), QUANTILE)) * error
    low, high = min(low, value - half), max(high, value + half)
    return Estimate(float(value), max(float(low), -1.0), min(float(high), 1.0), n)


def _kappas(cells: Floats) -> tuple[Floats, Floats]:
    """Kappas, and what chance leaves of 1, of sums of the nine cells, a row each; nan where chance
    alone makes all answers the same."""
    total = cells.sum(axis=1)
    share = cells / np.where(total > 0, total, np.nan)[:, None]
    table = share.reshape(-1, _ANSWERS, _ANSWERS)
    room = 1 - (table.sum(axis=1) * table.sum(axis=2)).sum(axis=1)
    room = np.where(room > _ROUNDING, room, np.nan)
    return 1 - (1 - np.trace(table, axis1=1, axis2=2)) / room, room


def _score_figures(scored: Sequence[Outcome]) -> dict[str, Estimate]:
    """`human_rank`, Spearman's correlation of scores with people's labels, and `human_unexplained`,
    1 less the square of Pearson's. A response's score is the mean over its epochs.
    """
    response = codes((each.item, each.own["response"]) for each in scored)
    firsts = [scored[place] for place in np.unique(response, return_index=True)[1]]
    score = np.array([math.nan if each.score is None else each.score for each in scored])
    judge, read = means(score, ~np.isnan(score), response, len(firsts))
    people = np.array([float(each.own[HUMAN][each.own["response"] - 1]) for each in firsts])
    both = np.column_stack([judge, people])[read]
    cluster = codes(each.cluster for each in firsts)[read]
    # Variances of Fisher's z: Bonett and Wright (2000) of ranks, Fisher (1921) of values.
    rank = _correlation(
        both,
        cluster,
        lambda table: _pearson(rankdata(table, axis=0)),
        lambda value: 1 + value**2 / 2,
    )
    line = _correlation(both, cluster, _pearson, lambda value: 1.0)
    low, high = sorted((1 - line.ci_low**2, 1 - line.ci_high**2))
    if line.ci_low <= 0 <= line.ci_high:
        high = 1.0
    unexplained = Estimate(1 - line.value**2, low, high, line.n)
    return {"human_rank": rank, "human_unexplained": unexplained}


def _pearson(both: Floats) -> float:
    one, two = (column - column.mean() for column in both.T)
    size = math.sqrt(float((one**2).sum() * (two**2).sum()))
    return float(np.clip((one * two).sum() / size, -1.0, 1.0)) if size > _ROUNDING else math.nan


def _correlation(
    both: Floats, cluster: Ints, of: Callable[[Floats], float], variance: Callable[[float], float]
) -> Estimate:
    """A correlation with limits on Fisher's scale.

    Their standard error is that of independent responses, or the one that leaving out clusters
    shows where that is larger.
    `both` is n by 2, what the judge and people say of each response, and `variance` that of z times
    n - 3, by the correlation.
    """
    n = len(both)
    value = of(both) if n > 1 else math.nan
    group = np.unique(cluster, return_inverse=True)[1] % _MOST_GROUPS
    count = int(group.max()) + 1 if n else 0
    if math.isnan(value) or n < _FEWEST_SCORES or count < 2 or not limits_wanted():
        return Estimate(value, math.nan, math.nan, n)
    inside = 1 - 1 / (2 * n)  # a perfect one has no place on Fisher's scale
    left = np.array([of(both[group != each]) for each in range(count)])
    moved = np.arctanh(np.clip(left[~np.isnan(left)], -inside, inside))
    clustered = float(standard_errors(moved[:, None])[0]) if moved.size > 1 else 0.0
    error = max(math.sqrt(variance(value) / (n - 3)), clustered)
    centre = math.atanh(min(max(value, -inside), inside))
    half = float(stdtrit(count - 1, QUANTILE)) * error
    low, high = math.tanh(centre - half), math.tanh(centre + half)
    return Estimate(value, min(low, value), max(high, value), n)
