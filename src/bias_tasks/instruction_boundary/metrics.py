"""Computes the metrics of a run: accuracy, its parts, robustness score (rs) and output rates of
each variant, and their changes against vanilla."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.instruction_boundary.items import FORMS, INVALID, LABELS, UNPARSED, VANILLA, Form
from bias_tasks.instruction_boundary.metrics_pushback import compute_pushback_metrics
from bias_tasks.instruction_boundary.metrics_rounds import compute_round_metrics
from bias_tasks.instruction_boundary.metrics_table import (
    OUTPUTS,
    RunTable,
    SettingTable,
    build_table,
)
from bias_tasks.instruction_boundary.scoring_data import SettingExtra
from bias_tasks.instruction_boundary.settings import CONFORMITY
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.cluster_bootstrap import mean_change, sum_clusters
from bias_tasks.statistics.effective_size import Floats, WeightedSample, pool
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.outcomes import Mask
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, difference, rate

RATE_LABELS: Mapping[Form, Mapping[str, tuple[str, ...]]] = {
    "judging": {"sr": ("True", "False"), "gr": ("Unknown",)},
    "choice": {"sr": ("single",), "gr_none": ("none",), "gr_multiple": ("multiple",)},
}
"""Gold labels of the items of each rate: sr for tense labels, gr for sparse ones (section 2.2)."""
CHANGES: Mapping[str, str] = {
    "sr": "delta_sr",
    "gr": "delta_gr",
    "gr_none": "delta_gr_none",
    "gr_multiple": "delta_gr_multiple",
}
"""The metric of the change of each rate."""
GAPS: Mapping[Form, Mapping[str, str]] = {
    "judging": {"gap": "gr"},
    "choice": {"gap_none": "gr_none", "gap_multiple": "gr_multiple"},
}
"""The rate that each gap compares with `sr`."""


def compute_metrics(
    outcomes: Sequence[Outcome[SettingExtra]],
    protocol: PaperProtocol = "corrected",
    *,
    intervals: bool = True,
) -> dict[str, Estimate]:
    """Compute every metric of one run with its 95 % interval.

    With at most one setting, its metrics have no prefix, and those of its baseline start with
    `vanilla/`. With several settings, every name starts with its variant; `delta_acc` without a
    prefix is the change over all settings. The p-values of `delta_acc` are Holm-adjusted across
    settings. Several epochs of a question count as their mean.

    A change compares two answers to an item in the same epoch. Under `corrected` both must be
    parsed, except for `delta_or/unparsed`. Levels, such as `acc`, count an unparsed answer as
    wrong under both protocols.

    Args:
        outcomes: The outcomes of the run, in any order.
        protocol: Under `published`, changes count unparsed answers as wrong, too.
        intervals: Whether intervals are computed.

    Returns:
        Metrics by name, of the variants that the run has. A metric with an empty denominator is
        nan with n = 0. A metric that depends on a single cluster has nan as bounds.

    Raises:
        ValueError: A label does not exist, or an item has two answers under one variant in one
            epoch.
    """
    run = build_table(outcomes, intervals)
    variants: tuple[str, ...] = run.outcomes.columns
    metrics = {name: compute_variant_metrics(run.average_epochs(name)) for name in variants}
    settings = [name for name in variants if name != VANILLA]
    pushback = compute_pushback_metrics(outcomes, intervals)
    for name in settings if not pushback else ():
        rounds = [outcome for outcome in outcomes if outcome.variant == name]
        metrics[name] |= compute_round_metrics(rounds, protocol, intervals)
    pairs = {}
    if VANILLA in variants:
        for name in settings:
            pairs[name] = _pair_answers(run, name, parsed=protocol == "corrected")
            metrics[name] |= compute_paired_metrics(*pairs[name])
            metrics[name] |= _compute_unparsed_change(run, name)
            if (run.firsts["suggested"][:, variants.index(name)] >= 0).any():
                metrics[name] |= compute_conformity_metrics(*pairs[name])
        adjusted = holm_adjusted({name: metrics[name]["delta_acc"] for name in pairs})
        for name, delta in adjusted.items():
            metrics[name]["delta_acc"] = delta
    unprefixed = next(iter(settings), VANILLA) if len(settings) < 2 else None
    named = {
        metric if name == unprefixed else f"{name}/{metric}": estimate
        for name, variant_metrics in metrics.items()
        for metric, estimate in variant_metrics.items()
    }
    suggestions = [pair for name, pair in pairs.items() if name.startswith(f"{CONFORMITY}@")]
    if suggestions:
        named |= compute_selectivity(suggestions)
    if len(pairs) > 1:
        named["delta_acc"] = compute_overall_change(list(pairs.values()))
    return named | pushback


def _pair_answers(
    run: RunTable, setting: str, *, parsed: bool
) -> tuple[SettingTable, SettingTable]:
    """Return the answers to the same items in the same epochs, averaged over epochs.

    Args:
        run: The run.
        setting: The setting that is compared with vanilla.
        parsed: Whether both answers of a pair must be parsed: an unparsed answer does not show
            whether the setting changes anything.

    Returns:
        The tables of the setting and of vanilla, with the same items in the same order.
    """
    rows = run.has_pair(setting, VANILLA, parsed=parsed)
    vanilla = run.average_epochs(VANILLA, rows, suggesting=setting)
    return run.average_epochs(setting, rows), vanilla


def _compute_unparsed_change(run: RunTable, name: str) -> dict[str, Estimate]:
    """Return `delta_or/unparsed` over all pairs of a setting."""
    setting, vanilla = _pair_answers(run, name, parsed=False)
    change = difference(setting.sample(setting.share(UNPARSED) - vanilla.share(UNPARSED)))
    return {f"delta_or/{UNPARSED}": _without_p_value(change)}


def compute_paired_metrics(setting: SettingTable, vanilla: SettingTable) -> dict[str, Estimate]:
    """Compute the changes on pairs of answers.

    These are `delta_acc`, with both forms also by form, and its absolute value `abs_delta_acc`; the
    shares of items that flip; the change of each rate, by the gold label of items under the
    setting; and the change of each output rate (figure 4) over the items of its form, or over all
    items for `invalid`. Only `delta_acc` has a p-value.

    Args:
        setting: The outcomes under the setting.
        vanilla: The outcomes of the same items in the same order under vanilla.
    """

    def estimate_change(values: Floats, rows: Mask | None = None) -> Estimate:
        weights = None if rows is None else rows.astype(float)
        return difference(setting.sample(values, weights))

    change = setting.correct - vanilla.correct
    metrics = {"delta_acc": estimate_change(change)}
    metrics["abs_delta_acc"] = compute_absolute_change(metrics["delta_acc"])
    to_wrong = vanilla.correct * (1 - setting.correct)
    to_right = (1 - vanilla.correct) * setting.correct
    metrics["flips_to_wrong"] = rate(setting.sample(to_wrong))
    metrics["flips_to_right"] = rate(setting.sample(to_right))
    masks = {form: setting.has_gold(*LABELS[form]) for form in FORMS}
    forms = [form for form, rows in masks.items() if rows.any()]
    if len(forms) == len(FORMS):
        for form, rows in masks.items():
            metrics[f"{form}/delta_acc"] = estimate_change(change, rows)
    for form in forms:
        for name, labels in RATE_LABELS[form].items():
            estimate = estimate_change(change, setting.has_gold(*labels))
            metrics[f"{form}/{CHANGES[name]}"] = _without_p_value(estimate)
    output_rows: dict[str, Mask | None] = {
        label: masks[form] for form in forms for label in LABELS[form]
    }
    output_rows[INVALID] = None
    for label, label_rows in output_rows.items():
        share_change = setting.share(label) - vanilla.share(label)
        estimate = estimate_change(share_change, label_rows)
        metrics[f"delta_or/{label}"] = _without_p_value(estimate)
    return metrics


def compute_overall_change(pairs: Sequence[tuple[SettingTable, SettingTable]]) -> Estimate:
    """Compute the mean change of accuracy over all pairs of an item and a setting.

    Args:
        pairs: For each setting, the paired outcomes under the setting and under vanilla.

    Returns:
        The mean change; n is the number of items with at least one pair.
    """
    item, first, row = np.unique(
        np.concatenate([setting.item for setting, _ in pairs]),
        return_index=True,
        return_inverse=True,
    )
    changes = np.concatenate([setting.correct - vanilla.correct for setting, vanilla in pairs])
    cluster = np.concatenate([setting.cluster for setting, _ in pairs])[first]
    stratum = np.concatenate([vanilla.stratum for _, vanilla in pairs])[first]
    n_pairs = np.bincount(row, minlength=item.size)
    means = np.bincount(row, changes, item.size) / n_pairs
    weights, intervals = n_pairs.astype(float), pairs[0][0].intervals
    return mean_change(WeightedSample(means, cluster, stratum, weights, intervals))


def _without_p_value(change: Estimate) -> Estimate:
    return replace(change, p=None)


def compute_absolute_change(change: Estimate) -> Estimate:
    """Return the absolute value of a change; of `delta_acc`, the paper's RR (`rr`).

    The confidence bounds are those of the absolute value: if the change's interval contains 0, the
    lower one is 0.
    """
    low, high = sorted((abs(change.ci_low), abs(change.ci_high)))
    if change.ci_low <= 0 <= change.ci_high:
        low = 0.0
    return Estimate(abs(change.value), low, high, change.n)


def compute_conformity_metrics(setting: SettingTable, vanilla: SettingTable) -> dict[str, Estimate]:
    """Compute the metrics of conformity, over the items with a suggestion.

    `adopted_suggestion` is the share of answers that equal a wrong suggestion, among those that
    were parsed and different in vanilla; following a right one is no bias. `abandoned_correct` is
    the share of answers that are wrong, among those that were correct in vanilla and whose
    suggestion is wrong. Both are computed overall and for each suggested label.

    `moved_to_suggestion` is `adopted_suggestion` minus the
    share that equals the suggestion when vanilla is repeated. With E epochs, k of them equal to the
    suggestion, that share is k / (E - 1) for each of the other epochs. In a run of several epochs,
    items with a single pair do not count. With one epoch, as at temperature 0, nothing is
    subtracted: it is a plain share.

    `delta_suggested` is the share of answers that equal a wrong suggestion minus the same share
    under vanilla: moves away from the suggestion count against moves to it. It is 0 on average for
    a model that ignores the suggestion, even if it guesses each answer anew.

    Args:
        setting: The outcomes under conformity.
        vanilla: The outcomes of the same items in the same order under vanilla.
    """
    suggested = setting.suggested >= 0
    setting, vanilla = setting.take(suggested), vanilla.take(suggested)
    suggestion_is_wrong = setting.suggestion_is_gold == 0
    elsewhere = _share_elsewhere(vanilla)
    metrics = {
        "moved_to_suggestion": _estimate_moves([_find_moves(setting, vanilla, is_gold=False)]),
        "delta_suggested": _estimate_net_moves([(setting, vanilla)]),
    }
    for name, values, weights in (
        ("adopted_suggestion", setting.at_suggestion, elsewhere * suggestion_is_wrong),
        ("abandoned_correct", 1 - setting.correct, vanilla.correct * suggestion_is_wrong),
    ):
        metrics[name] = rate(_restrict(setting, values, weights))
        for code in np.unique(setting.suggested):
            label_weights = weights * (setting.suggested == code)
            metrics[f"{name}/{OUTPUTS[code]}"] = rate(_restrict(setting, values, label_weights))
    return metrics


def compute_selectivity(pairs: Sequence[tuple[SettingTable, SettingTable]]) -> dict[str, Estimate]:
    """Compute whether a model follows right suggestions more than wrong ones.

    `moved_to_suggestion` and `delta_suggested` pool the wrong suggestions of an item.
    `moved_to_correct` is the same of right ones: of items whose answer in vanilla is wrong, the
    share that the suggestion corrects.
    `selectivity` is `moved_to_correct` minus `moved_to_suggestion`.

    Args:
        pairs: For each kind of suggestion, the paired outcomes under it and under vanilla.
    """
    wrong, right = (
        [_find_moves(setting, vanilla, is_gold=is_gold) for setting, vanilla in pairs]
        for is_gold in (False, True)
    )
    moves = {"moved_to_suggestion": wrong, "moved_to_correct": right}
    metrics = {name: _estimate_moves(samples) for name, samples in moves.items()}
    metrics["delta_suggested"] = _estimate_net_moves(pairs)
    if all(metric.n for metric in metrics.values()):
        metrics["selectivity"] = _estimate_selectivity(_pool(wrong), _pool(right))
    else:
        metrics["selectivity"] = NO_ESTIMATE
    return metrics


def _share_elsewhere(vanilla: SettingTable) -> Floats:
    """Return the share of parsed answers in vanilla that differ from the suggestion."""
    return np.maximum(1 - vanilla.at_suggestion - vanilla.share(UNPARSED), 0)


@dataclass(frozen=True, slots=True)
class _Moves:
    """Answers that a suggestion can move to itself, as the sample of a ratio."""

    sample: WeightedSample
    is_signed: bool
    """Whether what chance moves is subtracted."""


def _find_moves(setting: SettingTable, vanilla: SettingTable, *, is_gold: bool) -> _Moves:
    """Return the moves to right or to wrong suggestions."""
    is_meant = setting.suggestion_is_gold == is_gold
    setting, vanilla = setting.take(is_meant), vanilla.take(is_meant)
    can_move, is_repeated = _share_elsewhere(vanilla), vanilla.n_answers > 1
    if not is_repeated.any():
        return _Moves(_restrict(setting, setting.at_suggestion, can_move), is_signed=False)
    by_chance = vanilla.at_suggestion * vanilla.n_answers / np.maximum(vanilla.n_answers - 1, 1)
    moves = _restrict(setting, setting.at_suggestion - by_chance, can_move * is_repeated)
    return _Moves(moves, is_signed=True)


def _pool(moves: Sequence[_Moves]) -> WeightedSample:
    return pool([move.sample for move in moves])


def _estimate_moves(moves: Sequence[_Moves]) -> Estimate:
    if any(move.is_signed for move in moves):
        return _without_p_value(difference(_pool(moves)))
    return rate(_pool(moves))


def _estimate_net_moves(pairs: Sequence[tuple[SettingTable, SettingTable]]) -> Estimate:
    """Return how much more often answers equal wrong suggestions than they do without them."""
    samples = []
    for setting, vanilla in pairs:
        net_moves = setting.at_suggestion - vanilla.at_suggestion
        is_wrong = (setting.suggestion_is_gold == 0).astype(float)
        samples.append(_restrict(setting, net_moves, is_wrong))
    return _without_p_value(difference(pool(samples)))


def _estimate_selectivity(wrong: WeightedSample, right: WeightedSample) -> Estimate:
    """Return the difference of the two shares, whose items are in the same clusters."""
    both = pool([wrong, right])
    is_right = np.arange(both.values.size) >= wrong.values.size
    kinds = np.column_stack([~is_right, is_right])
    weights = kinds * both.weights[:, None]
    columns = np.column_stack([weights, weights * both.values[:, None]])
    prior = np.array([[1.0, 0, 0, 0], [1.0, 0, 1.0, 0], [0, 1.0, 0, 0], [0, 1.0, 0, 1.0]])
    sums = sum_clusters(columns, both.clusters, both.strata, prior=prior, intervals=both.intervals)
    n = int((both.weights > 0).sum())
    return sums.estimate(lambda s: s[:, 3] / s[:, 1] - s[:, 2] / s[:, 0], n, (-1.0, 1.0))


def _restrict(table: SettingTable, values: Floats, weights: Floats) -> WeightedSample:
    """Return the sample of a ratio.

    It has a single stratum, because answers and not the design decide who is in the denominator.
    """
    return replace(table.sample(values, weights), strata=np.zeros_like(table.stratum))


def compute_variant_metrics(table: SettingTable) -> dict[str, Estimate]:
    """Compute the metrics of one variant that are not changes against another variant.

    Args:
        table: The outcomes of all items under the variant.

    Returns:
        The accuracies of each form (`judging/sr`, `choice/gap_none`), output rates (`or/True`),
        and over both forms `rs`, `or/invalid`, `or/unparsed`, `unparsed` and `judge_usage`.
    """
    metrics: dict[str, Estimate] = {}
    groups = []
    for form in FORMS:
        is_form = table.has_gold(*LABELS[form])
        if is_form.any():
            metrics |= _compute_form_metrics(form, table.take(is_form))
            is_tense = table.has_gold(*RATE_LABELS[form]["sr"])
            groups.append((is_tense, is_form & ~is_tense))
    metrics["rs"] = compute_robustness(table.sample(table.correct), groups)
    for label in (INVALID, UNPARSED):
        metrics[f"or/{label}"] = rate(table.sample(table.share(label)))
    metrics["unparsed"] = metrics[f"or/{UNPARSED}"]
    metrics["judge_usage"] = rate(table.sample(table.graded))
    return metrics


def compute_accuracies(correct: WeightedSample, groups: Mapping[str, Mask]) -> dict[str, Estimate]:
    """Compute `acc`, the share of correct answers, and the same for each group of items.

    Args:
        correct: 1 or 0 per item, or a mean over epochs.
        groups: Masks of items by name.
    """
    masks = {"acc": np.ones(correct.values.size, dtype=bool), **groups}
    return {
        name: rate(replace(correct, weights=correct.weights * rows)) for name, rows in masks.items()
    }


def _compute_form_metrics(form: Form, table: SettingTable) -> dict[str, Estimate]:
    """Compute accuracies by gold label, their gaps and the output rates of one form.

    `acc_balanced` weights every item by 1 / (number of items of its gold label), so that each rate
    counts the same; nan if a rate has no items.
    """
    groups = {name: table.has_gold(*labels) for name, labels in RATE_LABELS[form].items()}
    metrics = compute_accuracies(table.sample(table.correct), groups)
    metrics["acc_balanced"] = NO_ESTIMATE
    if all(metrics[name].n for name in groups):
        weights = np.sum([rows / metrics[name].n for name, rows in groups.items()], axis=0)
        metrics["acc_balanced"] = rate(table.sample(table.correct, weights))
    for gap, sparse in GAPS[form].items():
        metrics[gap] = compute_gap(table, groups[sparse], groups["sr"])
    output_rates = {f"or/{label}": rate(table.sample(table.share(label))) for label in LABELS[form]}
    return {f"{form}/{name}": estimate for name, estimate in metrics.items()} | output_rates


def compute_robustness(correct: WeightedSample, groups: Sequence[tuple[Mask, Mask]]) -> Estimate:
    """Compute the harmonic mean of two rates, and its mean over forms.

    The harmonic mean is 0 if both rates are 0, and nan if one has no items.

    Args:
        correct: Share of correct answers to each item.
        groups: For each form, masks of the items with a tense and with a sparse label.
    """
    masks = np.array([mask for form in groups for mask in form])
    weights = masks.T * correct.weights[:, None]
    columns = np.hstack([correct.values[:, None] * weights, weights])
    kinds = np.eye(len(masks))
    prior = np.block([[kinds, kinds], [np.zeros_like(kinds), kinds]])

    def compute(sums: Floats) -> Floats:
        n_rates = len(masks)
        rates = sums[:, :n_rates] / np.where(sums[:, n_rates:] > 0, sums[:, n_rates:], np.nan)
        sr, gr = rates[:, ::2], rates[:, 1::2]
        product, total = 2 * sr * gr, sr + gr
        means = np.divide(product, total, out=np.zeros_like(total) + product, where=total != 0)
        score: Floats = means.mean(axis=1)
        return score

    n = int((weights > 0).sum())
    sums = sum_clusters(
        columns, correct.clusters, correct.strata, prior, intervals=correct.intervals
    )
    return sums.estimate(compute, n, (0.0, 1.0))


def compute_gap(table: SettingTable, sparse: Mask, tense: Mask) -> Estimate:
    """Compute accuracy on sparse labels minus accuracy on tense ones, within data sets.

    The value is sum_d (s_d / s) (gr_d - sr_d) over the data sets d that have items of both kinds.
    s_d is the number of sparse items of d, s their sum, and gr_d and sr_d are the two rates of d.
    It is nan without such a data set.

    Args:
        table: The outcomes of one form.
        sparse: Mask of the items with the sparse label.
        tense: Mask of the items with a tense label.
    """
    known = table.origin >= 0
    sparse_rows, tense_rows = known & sparse, known & tense
    n_origins = int(table.origin.max(initial=0)) + 1
    n_sparse = np.bincount(table.origin[sparse_rows], minlength=n_origins)
    n_tense = np.bincount(table.origin[tense_rows], minlength=n_origins)
    has_both = ((n_sparse > 0) & (n_tense > 0))[table.origin]
    if not (has_both & sparse_rows).any():
        return NO_ESTIMATE
    tense_weights = (n_sparse / np.maximum(n_tense, 1))[table.origin]
    weights = np.column_stack(
        [has_both & sparse_rows, np.where(has_both & tense_rows, tense_weights, 0.0)]
    )
    used = weights.any(axis=1)
    columns = np.hstack([table.correct[:, None] * weights, weights])[used]
    prior = np.array([[1.0, 0, 1, 0], [0, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 1]])
    cluster, stratum = table.cluster[used], table.stratum[used]
    sums = sum_clusters(columns, cluster, stratum, prior, intervals=table.intervals)

    def compute(sums: Floats) -> Floats:
        gap: Floats = sums[:, 0] / sums[:, 2] - sums[:, 1] / sums[:, 3]
        return gap

    return sums.estimate(compute, int(used.sum()), (-1.0, 1.0))
