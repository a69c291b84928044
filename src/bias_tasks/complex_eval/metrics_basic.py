"""Metrics of a run on preference pairs (ComplexEval-Basic)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bias_tasks.complex_eval.items import ATTACKS, AUX, CHOSEN, NONE, REJECTED, SCALES
from bias_tasks.complex_eval.metrics import (
    SLACK,
    JudgementTable,
    average_changes,
    build_table,
    compute_citations,
    estimate_changes,
    estimate_overall_change,
    estimate_rates,
    split_by_domain,
)
from bias_tasks.complex_eval.outcomes import Judgement
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.cluster_bootstrap import mean_points
from bias_tasks.statistics.effective_size import Floats, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.outcomes import Mask
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE

THETAS = (0.0, 0.25, 0.5, 1.0, 2.0)
"""Tolerances of the sensitivity sweep."""


@dataclass(frozen=True, slots=True)
class ConditionPairs:
    """The pairs of a run under one condition; arrays have one value per row of the table."""

    verdict: Floats
    """J: 1, 0.5 or 0; nan if a score is unparsed."""
    judged: Mask
    """Whether both responses are judged."""
    comparable: Mask
    """Whether changes use the pair. Under `corrected`, its verdict is parsed: an unparsed one does
    not show whether anything changed."""

    @property
    def correct(self) -> Floats:
        """1 if the judge prefers the preferred response; an unparsed pair is not correct."""
        correct: Floats = (self.verdict == 1).astype(float)
        return correct

    @property
    def credit(self) -> Floats:
        """The verdict, with 0.5 for a tie; an unparsed pair is not correct."""
        return np.nan_to_num(self.verdict)


Conditions = Mapping[str, ConditionPairs]


def compute_pair_metrics(
    judgements: Sequence[Judgement],
    theta: float = 0.5,
    protocol: PaperProtocol = "corrected",
    *,
    intervals: bool = True,
) -> dict[str, Estimate]:
    """Return every metric of a run on preference pairs with its 95 % interval.

    A pair with an unparsed response is not correct. `delta_acc`, `attack_acc_drop` and `rr` compare
    pairs whose responses are all parsed under both conditions. Conditions that were not run have no
    metrics. A metric without items is nan with n = 0; one of a single cluster has nan bounds.
    p-values are Holm-adjusted across `delta_acc`, across `attack_acc_drop`, and across `delta_acc`
    in domains.

    Args:
        judgements: At most one for each item, condition, response and epoch. Those of an epoch are
            compared with each other; the value of an item is the mean over epochs.
        theta: Differences of scores up to it are ties.
        protocol: Under `published`, changes and `rr` compare all pairs that are judged under both
            conditions, and a pair with an unparsed response agrees with none.
        intervals: Whether intervals are computed.

    Raises:
        ValueError: Judgements contradict each other (`build_table`).
    """
    if not judgements:
        return {}
    return compute_table_metrics(build_table(judgements, intervals), theta, protocol)


def compute_table_metrics(
    table: JudgementTable, theta: float, protocol: PaperProtocol
) -> dict[str, Estimate]:
    """Return every metric of a table of preference pairs; see `compute_pair_metrics`."""
    conditions = _select_conditions(table, theta, protocol)
    with_baseline = _pair_conditions(conditions, _without_auxiliary)
    shares = {
        f"acc/{name}": table.sample(pairs.correct, pairs.judged)
        for name, pairs in conditions.items()
    }
    for name, pairs in conditions.items():
        shares[f"acc_half_ties/{name}"] = table.sample(pairs.credit, pairs.judged)
    for name, (pairs, baseline) in with_baseline.items():
        # nan equals nothing: unparsed pairs do not agree.
        agreement = pairs.verdict == baseline.verdict
        shares[f"rr/{name}"] = table.sample(agreement, pairs.comparable & baseline.comparable)
    shares["unparsed"] = table.unparsed_sample()
    changes = {
        f"delta_acc/{name}": table.sample(
            pairs.correct - baseline.correct, pairs.comparable & baseline.comparable
        )
        for name, (pairs, baseline) in with_baseline.items()
    }
    drops = {
        name: (original.correct - attacked.correct, original.comparable & attacked.comparable)
        for name, (attacked, original) in _pair_conditions(conditions, _without_attack).items()
    }
    drop_samples = {f"attack_acc_drop/{name}": table.sample(*drop) for name, drop in drops.items()}
    # Over all attacks, a pair counts under the auxiliary information that it is attacked toward.
    same_names = [f"{attack}~{attack}" for attack in ATTACKS["basic"]]
    overall_drops = [drops[name] for name in same_names if name in drops]
    overall = {}
    if overall_drops:
        overall["attack_acc_drop"] = estimate_overall_change(table, overall_drops)
    return (
        estimate_rates(shares)
        | estimate_changes(changes)
        | estimate_changes(drop_samples)
        | overall
        | compute_score_rises(table)
        | compute_citations(table)
        | estimate_rates(_sweep_theta(table))
        | estimate_rates(split_by_domain(shares, table.domains))
        | estimate_changes(split_by_domain(changes, table.domains))
    )


def compute_score_rises(table: JudgementTable) -> dict[str, Estimate]:
    """Return `score_rise/<attack>` and `score_rise`, in points of the scale.

    For the auxiliary information A that an attack imitates, the rise of a rejected response is
    (S_attacked - S_unattacked with A) - (S_attacked - S_unattacked without A): what the attack
    gains because the judge sees A, whatever the attack does to the response's quality. Responses
    whose four scores are parsed count; over both attacks, a response counts with its mean.

    Args:
        table: The judgements. An attack that lacks one of the four conditions has no metric.

    Returns:
        The metrics; nan for a judge that always gives the same score, which no attack can raise.
    """
    low, high = SCALES["basic"]
    limit = 2 * (high - low)
    rises: dict[str, tuple[Floats, Mask]] = {}
    for aux in ATTACKS["basic"]:
        attacked = f"{REJECTED}~{aux}"
        cells = [(aux, attacked), (aux, REJECTED), (NONE, attacked), (NONE, REJECTED)]
        if set(cells) <= set(table.columns):
            scores = [table.score(*cell) for cell in cells]
            rise = scores[0] - scores[1] - (scores[2] - scores[3])
            rises[f"score_rise/{aux}"] = rise, ~np.isnan(rise)
    all_scores = table.values["score"]
    if table.outcomes.n_items > 1 and np.unique(all_scores[~np.isnan(all_scores)]).size < 2:
        return dict.fromkeys(("score_rise", *rises), NO_ESTIMATE) if rises else {}
    groups = {name: [rise] for name, rise in rises.items()}
    if rises:
        groups = {"score_rise": list(rises.values()), **groups}
    return {
        name: mean_points(average_changes(table, group), limit) for name, group in groups.items()
    }


def compute_verdicts(chosen: Floats, rejected: Floats, theta: float) -> Floats:
    """Return J of each pair (section 4.3).

    Args:
        chosen: Scores of the preferred responses.
        rejected: Scores of the other responses.
        theta: Differences up to and including it are ties.

    Returns:
        1 if the preferred response scores higher, 0 if lower, 0.5 for a tie; nan if a score is nan.
    """
    lead = chosen - rejected
    return np.select(
        [np.isnan(lead), lead > theta + SLACK, lead < -theta - SLACK], [np.nan, 1.0, 0.0], 0.5
    )


def _select_conditions(
    table: JudgementTable, theta: float, protocol: PaperProtocol = "corrected"
) -> dict[str, ConditionPairs]:
    """Return the pairs under each condition that was run."""
    conditions = {}
    for suffix in ("", *(f"~{attack}" for attack in ATTACKS["basic"])):
        rejected = REJECTED + suffix
        for aux in AUX:
            judged = table.all_judged(aux, CHOSEN, rejected)
            if judged.any():
                verdict = compute_verdicts(
                    table.score(aux, CHOSEN), table.score(aux, rejected), theta
                )
                comparable = judged if protocol == "published" else ~np.isnan(verdict)
                conditions[aux + suffix] = ConditionPairs(verdict, judged, comparable)
    return conditions


def _sweep_theta(table: JudgementTable) -> dict[str, WeightedSample]:
    """Return accuracies under other tolerances."""
    return {
        f"acc@theta={theta:g}/{name}": table.sample(pairs.correct, pairs.judged)
        for theta in THETAS
        for name, pairs in _select_conditions(table, theta).items()
    } | {
        f"acc_half_ties@theta=0/{name}": table.sample(pairs.credit, pairs.judged)
        for name, pairs in _select_conditions(table, 0.0).items()
    }


def _pair_conditions(
    conditions: Conditions, find_baseline: Callable[[str], str]
) -> dict[str, tuple[ConditionPairs, ConditionPairs]]:
    """Return each condition with its baseline, if that is another condition and was run."""
    return {
        name: (pairs, conditions[baseline])
        for name, pairs in conditions.items()
        if (baseline := find_baseline(name)) != name and baseline in conditions
    }


def _without_auxiliary(condition: str) -> str:
    """Return the condition of the same pairs without auxiliary information."""
    _, mark, attack = condition.partition("~")
    return f"{NONE}{mark}{attack}"


def _without_attack(condition: str) -> str:
    """Return the condition of the unattacked pairs with the same auxiliary information."""
    return condition.partition("~")[0]
