"""Metrics of a judge's agreement with human labels: shares of votes, or mean scores, of responses.

They use baseline verdicts and baseline scores only.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.judge_bias.items import JudgeBiasExtra, remove_role
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.probing.items import BASELINE
from bias_tasks.statistics.cluster_bootstrap import sum_clusters
from bias_tasks.statistics.correlation import pearson, spearman
from bias_tasks.statistics.effective_size import Floats, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import build_outcome_table
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, rate

_ROUNDING = 1e-12
_FIRST, _SECOND, _TIED, _UNPARSED = range(4)
"""Codes of verdicts: for the response displayed first, for the second one, a tie."""
_N_VERDICTS = 3
"""Number of different parsed verdicts."""


def human_metrics(
    preferences: Sequence[Outcome[JudgeBiasExtra]],
    outcomes: Sequence[Outcome[JudgeBiasExtra]],
    intervals: bool = True,
) -> dict[str, Estimate]:
    """Compute the metrics that compare a judge with people.

    Args:
        preferences: The judge's preferences, one outcome per pair, variant and epoch.
        outcomes: The outcomes of the run, among them the scores of single responses.
        intervals: Whether intervals are computed.

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
    metrics = _pair_metrics(pairs, intervals) if pairs else {}
    return metrics | (_score_metrics(scored, intervals) if scored else {})


def _pair_metrics(pairs: Sequence[Outcome[JudgeBiasExtra]], intervals: bool) -> dict[str, Estimate]:
    """Return `human_agreement` and `human_kappa` (Cohen 1960).

    A tie of the judge counts as half an agreement. Kappa compares three verdicts: the first
    response, the second one, and a tie, which for people is an equal label. An item's value is the
    mean over its epochs.
    """
    table = build_outcome_table(pairs, intervals=intervals)
    human = table.grid(_code_human_verdict, _UNPARSED)[:, 0]
    judge = table.grid(_code_judge_verdict, _UNPARSED)[:, 0]
    agrees = np.select(
        [human == _TIED, judge == _UNPARSED, judge == _TIED],
        [math.nan, 0.0, 0.5],
        (human == judge).astype(float),
    )
    is_parsed = judge != _UNPARSED
    cells = [
        table.sample(np.where(is_parsed, human * _N_VERDICTS + judge == cell, math.nan))
        for cell in range(_N_VERDICTS**2)
    ]
    return {
        "human_agreement": rate(table.sample(agrees)),
        "human_kappa": _estimate_kappa(cells),
    }


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


def _estimate_kappa(cells: Sequence[WeightedSample]) -> Estimate:
    """Estimate Cohen's kappa; nan if all verdicts of both are the same.

    Args:
        cells: How often each of the nine combinations of verdicts occurs in an item.
    """
    used = [cell.used() for cell in cells]
    first, columns = used[0], np.column_stack([cell.values for cell in used])
    if not first.values.size:
        return NO_ESTIMATE
    # An item with equal verdicts, and one with different ones, spread evenly over their cells.
    same = np.eye(_N_VERDICTS).ravel()
    prior = np.array([same / same.sum(), (1 - same) / (1 - same).sum()])
    sums = sum_clusters(columns, first.clusters, first.strata, prior, intervals=first.intervals)
    return sums.estimate(_compute_kappas, len(columns), (-1.0, 1.0))


def _compute_kappas(cells: Floats) -> Floats:
    """Compute kappas from sums of the nine cells, one row each; nan if chance agreement is 1."""
    joint = (cells / cells.sum(axis=1, keepdims=True)).reshape(-1, _N_VERDICTS, _N_VERDICTS)
    max_excess = 1 - (joint.sum(axis=1) * joint.sum(axis=2)).sum(axis=1)
    max_excess = np.where(max_excess > _ROUNDING, max_excess, np.nan)
    kappas: Floats = 1 - (1 - np.trace(joint, axis1=1, axis2=2)) / max_excess
    return kappas


def _score_metrics(
    scored: Sequence[Outcome[JudgeBiasExtra]], intervals: bool
) -> dict[str, Estimate]:
    """Return `human_spearman` and `human_unexplained`, which is 1 - r² for Pearson's r.

    A response's score is the mean over its epochs.
    """
    responses = [replace(row, item=f"{row.item}/{row.extra.response}") for row in scored]
    table = build_outcome_table(
        responses, column=lambda row: remove_role(row.variant), intervals=intervals
    )
    judge = table.sample(table.grid(lambda row: row.score)[:, 0])
    human = np.array(table.of_items(_find_human_label))
    is_parsed = judge.weights > 0
    both = np.column_stack([judge.values, human])[is_parsed]
    cluster = judge.clusters[is_parsed]
    rank = spearman(both, cluster, intervals=intervals)
    linear = pearson(both, cluster, intervals=intervals)
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
