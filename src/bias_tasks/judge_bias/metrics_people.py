"""Metrics of a judge's agreement with human labels: shares of votes, or mean scores, of responses.

They use baseline verdicts and baseline scores only.
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.judge_bias.items import JudgeBiasExtra, remove_role
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.probing.items import BASELINE
from bias_tasks.statistics.correlation import pearson, spearman
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import QUANTILE, Estimate
from bias_tasks.statistics.jackknife import Sums, standard_errors
from bias_tasks.statistics.outcomes import code_values, item_means
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, rate

_ROUNDING = 1e-12
_FIRST, _SECOND, _TIED, _UNPARSED = range(4)
"""Codes of verdicts: for the response displayed first, for the second one, a tie."""
_N_VERDICTS = 3
"""Number of different parsed verdicts."""


def human_metrics(
    preferences: Sequence[Outcome[JudgeBiasExtra]], outcomes: Sequence[Outcome[JudgeBiasExtra]]
) -> dict[str, Estimate]:
    """Compute the metrics that compare a judge with people.

    Args:
        preferences: The judge's preferences, one outcome per pair, variant and epoch.
        outcomes: The outcomes of the run, among them the scores of single responses.

    Returns:
        The metrics by printed name; empty without human labels.
    """
    pairs = [
        outcome
        for outcome in preferences
        if outcome.extra.human_labels and outcome.variant == BASELINE
    ]
    scored = [
        outcome
        for outcome in outcomes
        if outcome.extra.human_labels
        and outcome.extra.response is not None
        and remove_role(outcome.variant) == BASELINE
    ]
    metrics = _pair_metrics(pairs) if pairs else {}
    return metrics | (_score_metrics(scored) if scored else {})


def _pair_metrics(pairs: Sequence[Outcome[JudgeBiasExtra]]) -> dict[str, Estimate]:
    """Return `human_agreement` and `human_kappa` (Cohen 1960).

    A tie of the judge counts as half an agreement. Kappa compares three verdicts: the first
    response, the second one, and a tie, which for people is an equal label. An item's value is the
    mean over its epochs.
    """
    human = np.array([_code_human_verdict(outcome) for outcome in pairs])
    judge = np.array([_code_judge_verdict(outcome) for outcome in pairs])
    item = code_values(outcome.item for outcome in pairs)
    cluster = code_values({outcome.item: outcome.cluster for outcome in pairs}.values())
    agrees = np.select(
        [judge == _UNPARSED, judge == _TIED], [0.0, 0.5], (human == judge).astype(float)
    )
    values, is_known = item_means(agrees, human != _TIED, item, cluster.size)
    strata = np.zeros(cluster.size, dtype=np.int64)
    agreement = rate(WeightedSample(values, cluster, strata, is_known.astype(float)))
    is_parsed = judge != _UNPARSED
    indicators = np.zeros((len(pairs), _N_VERDICTS**2))
    indicators[is_parsed, (human * _N_VERDICTS + judge)[is_parsed]] = 1
    cells = np.column_stack(
        [item_means(column, is_parsed, item, cluster.size)[0] for column in indicators.T]
    )
    return {"human_agreement": agreement, "human_kappa": _compute_kappa(cells, cluster)}


def _code_human_verdict(outcome: Outcome[JudgeBiasExtra]) -> int:
    labels = outcome.extra.human_labels
    assert labels is not None
    first, second = (labels[number - 1] for number in outcome.extra.response_order)
    if first == second:
        return _TIED
    return _FIRST if first > second else _SECOND


def _code_judge_verdict(outcome: Outcome[JudgeBiasExtra]) -> int:
    if outcome.answer == TIE:
        return _TIED
    choices = [str(number) for number in outcome.extra.response_order]
    return choices.index(outcome.answer) if outcome.answer in choices else _UNPARSED


def _compute_kappa(cells: Floats, cluster: Ints) -> Estimate:
    """Compute Cohen's kappa; nan if all verdicts of both are the same.

    The interval covers two intervals: the jackknife's over clusters, and the interval of the share
    of equal verdicts with chance agreement taken as known. The latter keeps a width if all verdicts
    agree.

    Args:
        cells: n by 9, how often each combination of verdicts occurs in an item.
        cluster: Cluster of each item.
    """
    is_counted = cells.sum(axis=1) > 0
    n = int(is_counted.sum())
    if not n:
        return NO_ESTIMATE
    sums = Sums.from_columns(cells, cluster)
    [value], [max_excess] = _kappas(sums.all_items)
    strata = np.zeros(cluster.size, dtype=np.int64)
    diagonal: Floats = cells[:, :: _N_VERDICTS + 1].sum(axis=1)
    same = rate(WeightedSample(diagonal, cluster, strata, is_counted.astype(float)))
    if math.isnan(value) or math.isnan(same.ci_low):
        return Estimate.without_interval(float(value), n)
    # Kappa is (same - chance) / (1 - chance) = 1 - (1 - same) / max_excess.
    low, high = (1 - (1 - bound) / float(max_excess) for bound in (same.ci_low, same.ci_high))
    jackknife, _ = _kappas(sums.without)
    jackknife = jackknife[~np.isnan(jackknife)]
    error = float(standard_errors(jackknife[:, None])[0]) if jackknife.size > 1 else 0.0
    half = float(stdtrit(max(jackknife.size - 1, 1), QUANTILE)) * error
    low, high = min(low, value - half), max(high, value + half)
    return Estimate(float(value), max(float(low), -1.0), min(float(high), 1.0), n)


def _kappas(cells: Floats) -> tuple[Floats, Floats]:
    """Compute kappas from sums of the nine cells, one row per kappa.

    Returns:
        The kappas, and 1 minus the agreement by chance; both nan if chance agreement is 1.
    """
    total = cells.sum(axis=1)
    share = cells / np.where(total > 0, total, np.nan)[:, None]
    joint = share.reshape(-1, _N_VERDICTS, _N_VERDICTS)
    max_excess = 1 - (joint.sum(axis=1) * joint.sum(axis=2)).sum(axis=1)
    max_excess = np.where(max_excess > _ROUNDING, max_excess, np.nan)
    return 1 - (1 - np.trace(joint, axis1=1, axis2=2)) / max_excess, max_excess


def _score_metrics(scored: Sequence[Outcome[JudgeBiasExtra]]) -> dict[str, Estimate]:
    """Return `human_spearman` and `human_unexplained`, which is 1 - r² for Pearson's r.

    A response's score is the mean over its epochs.
    """
    response = code_values((outcome.item, outcome.extra.response) for outcome in scored)
    unique = [scored[index] for index in np.unique(response, return_index=True)[1]]
    score = np.array([math.nan if row.score is None else row.score for row in scored])
    judge, is_parsed = item_means(score, ~np.isnan(score), response, len(unique))
    human = np.array([_find_human_label(outcome) for outcome in unique])
    both = np.column_stack([judge, human])[is_parsed]
    cluster = code_values(outcome.cluster for outcome in unique)[is_parsed]
    rank, linear = spearman(both, cluster), pearson(both, cluster)
    low, high = sorted((1 - linear.ci_low**2, 1 - linear.ci_high**2))
    if linear.ci_low <= 0 <= linear.ci_high:
        high = 1.0
    unexplained = Estimate(1 - linear.value**2, low, high, linear.n)
    return {"human_spearman": rank, "human_unexplained": unexplained}


def _find_human_label(outcome: Outcome[JudgeBiasExtra]) -> float:
    labels, response = outcome.extra.human_labels, outcome.extra.response
    assert labels is not None
    assert response is not None
    return float(labels[response - 1])
