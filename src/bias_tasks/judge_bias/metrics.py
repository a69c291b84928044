"""Metrics of judges under probes: `judge_pairwise` and `judge_single`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.judge_bias.cosmetic_edits import POSITION, find_control, find_cosmetic_edit
from bias_tasks.judge_bias.items import JudgeBiasExtra, remove_role
from bias_tasks.judge_bias.metrics_people import human_metrics
from bias_tasks.judge_bias.outcomes import SCALE, compute_preferences
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.probing.items import BASELINE
from bias_tasks.probing.metrics import (
    ProbeTable,
    build_probe_table,
    compute_score_changes,
    compute_unparsed_rate,
    probe_metrics,
)
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted, largest_difference
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, difference, rate, summarize_pairs

JudgeOutcomes = Sequence[Outcome[JudgeBiasExtra]]
_LABEL_FREE = ("max_answers_changed", "answers_changed", "same_answer", "coverage")
"""Metrics of a probed task that need no label of the better response."""
_NOT_APPLICABLE = ("unparsed",)
"""Metrics of a probed task that are not reported: `unparsed` counts answers, of which a preference
may need two."""


def judge_bias_metrics(outcomes: JudgeOutcomes, intervals: bool = True) -> dict[str, Estimate]:
    """Compute the metrics of `judge_pairwise` and `judge_single`.

    Args:
        outcomes: The outcomes of a run, in any order.
        intervals: Whether intervals are computed.

    Returns:
        The metrics by printed name; empty without outcomes.

    Raises:
        ValueError: An item has two answers under one variant and epoch, or two clusters.
    """
    if not outcomes:
        return {}
    preferences = compute_preferences(outcomes)
    metrics: dict[str, Estimate] = {}
    with_baseline = {outcome.item for outcome in preferences if outcome.variant == BASELINE}
    compared = [outcome for outcome in preferences if outcome.item in with_baseline]
    if compared:
        metrics |= _probe_metrics(compared, intervals)
        metrics |= _order_metrics(compared, intervals)
        metrics |= _preference_shifts(compared, intervals)
    metrics |= _edited_shifts([o for o in preferences if o.extra.response is None], intervals)
    metrics |= human_metrics(preferences, outcomes, intervals)
    metrics |= _score_shifts(outcomes, intervals)
    unscored = _build_table(((outcome, None) for outcome in outcomes), intervals)
    return metrics | {"unparsed": compute_unparsed_rate(unscored)}


def _probe_metrics(preferences: JudgeOutcomes, intervals: bool) -> dict[str, Estimate]:
    """Return the metrics of a probed task that apply to judges. Controls are not probes here."""
    is_labelled = any(outcome.gold for outcome in preferences)
    probed = [outcome for outcome in preferences if find_control(outcome.variant) is None]
    metrics = {}
    has_probes = len({outcome.variant for outcome in probed}) > 1
    for name, estimate in probe_metrics(probed, intervals=intervals).items():
        metric = name.partition("/")[0]
        if metric == "max_answers_changed" and not has_probes:
            continue
        if metric in _LABEL_FREE or (is_labelled and metric not in _NOT_APPLICABLE):
            metrics[name] = estimate
    return metrics


def _order_metrics(preferences: JudgeOutcomes, intervals: bool) -> dict[str, Estimate]:
    """Return `tie_rate`, and `first_position_rate` and `acc_both_orders` if both orders ran."""
    baseline = [outcome for outcome in preferences if outcome.variant == BASELINE]
    ties = _build_table(((o, _score_tie(o)) for o in baseline), intervals)
    metrics = {"tie_rate": rate(ties.sample(ties.scores_under(BASELINE)))}
    both = [outcome for outcome in preferences if outcome.variant in (BASELINE, POSITION)]
    if len(both) > len(baseline):
        first = _build_table(
            ((o, _score_choice(o, o.extra.response_order[0])) for o in both), intervals
        )
        metrics["first_position_rate"] = first_position_rate(first)
        if any(outcome.gold for outcome in both):
            metrics["acc_both_orders"] = acc_both_orders(build_probe_table(both, intervals))
    return metrics


def first_position_rate(run: ProbeTable) -> Estimate:
    """Compute the share of verdicts for the response displayed first, over both orders of a pair.

    A tie counts as half. Pairs with an unparsed verdict are excluded: one order alone would measure
    the quality of the responses. If d is the difference that displaying a response first makes to
    the share of verdicts for it, the rate is (1 + d) / 2, and so are its confidence bounds.

    Args:
        run: Preferences for the first response under the baseline and `position`, from 0 to 1.
    """
    first, reversed_first = run.scores_under(BASELINE), run.scores_under(POSITION)
    effect = difference(run.sample(first - (1 - reversed_first)))
    low, high = (1 + effect.ci_low) / 2, (1 + effect.ci_high) / 2
    return Estimate((1 + effect.value) / 2, low, high, effect.n)


def acc_both_orders(run: ProbeTable) -> Estimate:
    """Compute the share of labelled pairs with a correct verdict in both orders.

    A tie is not correct.

    Args:
        run: Scores under the baseline and `position`; nan without a label.
    """
    scores = run.select_scores((BASELINE, POSITION))
    is_labelled = ~np.isnan(scores).any(axis=1)
    is_correct = (scores == 1).all(axis=1).astype(float)
    return rate(run.sample(np.where(is_labelled, is_correct, np.nan)))


def _preference_shifts(preferences: JudgeOutcomes, intervals: bool) -> dict[str, Estimate]:
    rows = (
        (outcome, _score_choice(outcome, outcome.extra.edited_response))
        for outcome in preferences
        if outcome.variant == BASELINE or find_cosmetic_edit(outcome.variant)
    )
    return compute_preference_shifts(_build_table(rows, intervals))


def compute_preference_shifts(run: ProbeTable) -> dict[str, Estimate]:
    """Compute how much more often a response is preferred once it is edited (Holm-adjusted).

    Args:
        run: Preferences for the response that probes edit, from 0 to 1. Controls edit the other
            response, so that the sign of their change is reversed.

    Returns:
        `preference_shift/<probe>` by probe and control.
    """
    score_changes = compute_score_changes(run)
    shifts = {}
    for name in run.probes:
        factor = 1 if find_control(name) is None else -1
        shifts[f"preference_shift/{name}"] = _rescale(score_changes[f"score_change/{name}"], factor)
    return shifts


def _edited_shifts(outcomes: JudgeOutcomes, intervals: bool) -> dict[str, Estimate]:
    """Return the shifts of pairs in which each response is edited in turn; empty without one.

    The largest is over the probes with at least a quarter of the items of the probe with most. A
    judge that always gives the same verdict, whatever it reads, has none.
    """
    edited = [outcome for outcome in outcomes if find_cosmetic_edit(outcome.variant)]
    names = {outcome.variant for outcome in edited}
    rows = ((outcome, _score_choice(outcome, outcome.extra.edited_response)) for outcome in edited)
    table = _build_table(rows, intervals) if edited else None
    samples = {}
    for control in sorted(names):
        probe = find_control(control)
        if table and probe in names:
            change = table.scores_under(probe) - table.scores_under(control)
            samples[probe] = table.sample(change / 2).used()
    if not samples:
        return {}
    most = max(sample.values.size for sample in samples.values())
    large = [s for s in samples.values() if s.values.size and 4 * s.values.size >= most]
    largest = NO_ESTIMATE
    if len({_find_choice(outcome) for outcome in edited if outcome.answer is not None}) > 1:
        largest = largest_difference([summarize_pairs(s) for s in large]) if large else largest
    by_probe = {f"edited_shift/{probe}": difference(sample) for probe, sample in samples.items()}
    return {"max_edited_shift": largest, **holm_adjusted(by_probe)}


def _find_choice(outcome: Outcome[JudgeBiasExtra]) -> int | str:
    """Return the displayed position of the preferred response, or `tie`."""
    if outcome.answer is None or outcome.answer == TIE:
        return TIE
    return outcome.extra.response_order.index(int(outcome.answer))


def _score_shifts(outcomes: JudgeOutcomes, intervals: bool) -> dict[str, Estimate]:
    """Return how cosmetic edits shift the scores of `judge_single`; empty if none was run.

    Each response of a pair is a row of its own, and counts if it was scored with an edit.
    """
    edited = {
        (outcome.item, outcome.extra.response)
        for outcome in outcomes
        if outcome.extra.response is not None and find_cosmetic_edit(remove_role(outcome.variant))
    }
    low, high = SCALE
    rows = []
    for outcome in outcomes:
        variant, response = remove_role(outcome.variant), outcome.extra.response
        is_compared = variant == BASELINE or find_cosmetic_edit(variant)
        if is_compared and (outcome.item, response) in edited:
            share = None if outcome.score is None else (outcome.score - low) / (high - low)
            # The responses of a pair are rows of their own, in the cluster of the item.
            row = replace(outcome, item=f"{outcome.item}/{response}", variant=variant)
            rows.append((row, share))
    return compute_score_shifts(_build_table(rows, intervals)) if rows else {}


def compute_score_shifts(run: ProbeTable) -> dict[str, Estimate]:
    """Compute by how many points the score of a response changes once it is edited (Holm-adjusted).

    Args:
        run: Scores under the baseline and cosmetic edits, as shares of the scale from 0 to 1.

    Returns:
        `score_shift/<probe>` by probe and control.
    """
    score_changes, width = compute_score_changes(run), SCALE[1] - SCALE[0]
    return {
        f"score_shift/{name}": _rescale(score_changes[f"score_change/{name}"], width)
        for name in run.probes
    }


def _rescale(estimate: Estimate, factor: float) -> Estimate:
    """Return an estimate times a factor, which may be negative."""
    low, high = sorted((factor * estimate.ci_low, factor * estimate.ci_high))
    # Adding 0.0 turns a negative zero into zero, which prints without a sign.
    value = factor * estimate.value + 0.0
    return replace(estimate, value=value, ci_low=low + 0.0, ci_high=high + 0.0)


def _build_table(
    rows: Iterable[tuple[Outcome[Extra], float | None]], intervals: bool
) -> ProbeTable:
    """Return the table of outcomes, each with the score that a metric averages."""
    return build_probe_table([replace(outcome, score=score) for outcome, score in rows], intervals)


def _score_tie(outcome: Outcome[Extra]) -> float | None:
    return None if outcome.answer is None else float(outcome.answer == TIE)


def _score_choice(outcome: Outcome[Extra], response: int | None) -> float | None:
    """Return 1 if a response is preferred, 0.5 for a tie, 0 for the other; None if unparsed."""
    if outcome.answer is None:
        return None
    return 0.5 if outcome.answer == TIE else float(outcome.answer == str(response))
