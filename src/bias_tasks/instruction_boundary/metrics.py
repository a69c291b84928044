"""Computes the metrics of a run: accuracy, its parts, robustness score (rs) and output rates of
each variant, and their changes against vanilla."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.instruction_boundary.items import FORMS, INVALID, LABELS, UNPARSED, VANILLA, Form
from bias_tasks.instruction_boundary.metrics_rounds import compute_round_metrics
from bias_tasks.instruction_boundary.metrics_table import GOLD, OUTPUTS, SettingTable, build_tables
from bias_tasks.instruction_boundary.scoring_data import SettingExtra
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.delta_method import correlation, ratio_covariance
from bias_tasks.statistics.effective_size import (
    Floats,
    WeightedSample,
    design_factor,
    independent_size,
)
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.mover import mover, mover_mean
from bias_tasks.statistics.outcomes import Mask
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, difference, rate, wilson

RATE_LABELS: Mapping[Form, Mapping[str, tuple[str, ...]]] = {
    "judging": {"sr": ("True", "False"), "gr": ("Unknown",)},
    "choice": {"sr": ("single",), "gr_none": ("none",), "gr_multiple": ("multiple",)},
}
"""Gold labels of the items of each rate: sr for tense labels, gr for sparse ones (section 2.2)."""


def compute_metrics(
    outcomes: Sequence[Outcome[SettingExtra]], protocol: PaperProtocol = "corrected"
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

    Returns:
        Metrics by name, of the variants that the run has. A metric with an empty denominator is
        nan with n = 0. A metric that depends on a single cluster has nan as bounds.

    Raises:
        ValueError: A label does not exist, or the baseline outcome of a conformity outcome does
            not say whether it equals the suggestion.
    """
    answers = build_tables(outcomes)
    tables = {name: table.average_epochs() for name, table in answers.items()}
    metrics = {name: compute_variant_metrics(table) for name, table in tables.items()}
    vanilla = answers.pop(VANILLA, None)
    for name in answers:
        rounds = [outcome for outcome in outcomes if outcome.variant == name]
        metrics[name] |= compute_round_metrics(rounds, protocol)
    pairs = {}
    if vanilla is not None:
        for name, table in answers.items():
            setting, baseline = pairs[name] = _pair_answers(table, vanilla, protocol)
            metrics[name] |= compute_paired_metrics(setting, baseline)
            metrics[name] |= _compute_unparsed_change(table, vanilla)
            if (table.suggested >= 0).any():
                metrics[name] |= compute_conformity_metrics(setting, baseline)
        adjusted = holm_adjusted({name: metrics[name]["delta_acc"] for name in pairs})
        for name, delta in adjusted.items():
            metrics[name]["delta_acc"] = delta
    unprefixed = next(iter(answers), VANILLA) if len(answers) < 2 else None
    named = {
        metric if name == unprefixed else f"{name}/{metric}": estimate
        for name, variant_metrics in metrics.items()
        for metric, estimate in variant_metrics.items()
    }
    if len(pairs) > 1:
        named["delta_acc"] = compute_overall_change(list(pairs.values()), tables[VANILLA])
    return named


def _pair_answers(
    setting: SettingTable, vanilla: SettingTable, protocol: PaperProtocol
) -> tuple[SettingTable, SettingTable]:
    """Return the answers to the same items in the same epochs, averaged over epochs.

    Args:
        setting: Every answer under the setting.
        vanilla: Every answer under vanilla.
        protocol: Under `corrected`, both answers of a pair are parsed: an unparsed answer does not
            show whether the setting changes anything.

    Returns:
        Both tables, with the same items in the same order.
    """
    _, rows, vanilla_rows = np.intersect1d(setting.answer, vanilla.answer, return_indices=True)
    if protocol == "corrected":
        is_parsed = setting.share(UNPARSED)[rows] + vanilla.share(UNPARSED)[vanilla_rows] == 0
        rows, vanilla_rows = rows[is_parsed], vanilla_rows[is_parsed]
    return setting.take(rows).average_epochs(), vanilla.take(vanilla_rows).average_epochs()


def _compute_unparsed_change(setting: SettingTable, vanilla: SettingTable) -> dict[str, Estimate]:
    """Return `delta_or/unparsed` over all pairs, from tables with one row per answer."""
    setting, vanilla = _pair_answers(setting, vanilla, "published")
    change = difference(build_sample(setting, setting.share(UNPARSED) - vanilla.share(UNPARSED)))
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
        return difference(build_sample(setting, values, weights))

    change = setting.correct - vanilla.correct
    metrics = {"delta_acc": estimate_change(change)}
    metrics["abs_delta_acc"] = compute_absolute_change(metrics["delta_acc"])
    to_wrong = vanilla.correct * (1 - setting.correct)
    to_right = (1 - vanilla.correct) * setting.correct
    metrics["flips_to_wrong"] = rate(build_sample(setting, to_wrong))
    metrics["flips_to_right"] = rate(build_sample(setting, to_right))
    masks = {form: setting.has_gold(*LABELS[form]) for form in FORMS}
    forms = [form for form, rows in masks.items() if rows.any()]
    if len(forms) == len(FORMS):
        for form, rows in masks.items():
            metrics[f"{form}/delta_acc"] = estimate_change(change, rows)
    for form in forms:
        for name, labels in RATE_LABELS[form].items():
            estimate = estimate_change(change, setting.has_gold(*labels))
            metrics[f"{form}/delta_{name}"] = _without_p_value(estimate)
    output_rows: dict[str, Mask | None] = {
        label: masks[form] for form in forms for label in LABELS[form]
    }
    output_rows[INVALID] = None
    for label, label_rows in output_rows.items():
        share_change = setting.share(label) - vanilla.share(label)
        estimate = estimate_change(share_change, label_rows)
        metrics[f"delta_or/{label}"] = _without_p_value(estimate)
    return metrics


def compute_overall_change(
    pairs: Sequence[tuple[SettingTable, SettingTable]], vanilla: SettingTable
) -> Estimate:
    """Compute the mean change of accuracy over all pairs of an item and a setting.

    The interval combines those of the settings' own changes, weighted by their numbers of pairs
    (MOVER; Zou and Donner 2008). With a single setting, it is that setting's interval.

    The settings' errors correlate, since an item has the same vanilla answer in all its pairs. The
    correlations are estimated from the changes of each cluster, as if half an item more changed
    under all settings, and half an item more under each single one. If nothing changes, they are
    therefore 0.5: the value for settings and vanilla whose answers are drawn anew. Negative ones
    count as 0: settings whose changes happen to cancel out are not more precise than independent
    ones.

    Args:
        pairs: For each setting, the paired outcomes under the setting and under vanilla.
        vanilla: The outcomes of all items under vanilla.

    Returns:
        The mean change; n is the number of items with at least one pair. The bounds are nan if the
        pairs of one setting are from a single cluster.
    """
    changes = np.zeros((vanilla.correct.size, len(pairs)))
    paired = np.zeros_like(changes)
    for column, (setting, paired_vanilla) in enumerate(pairs):
        _, rows, paired_rows = np.intersect1d(vanilla.item, setting.item, return_indices=True)
        changes[rows, column] = (setting.correct - paired_vanilla.correct)[paired_rows]
        paired[rows, column] = 1
    n_pairs = paired.sum(axis=0)
    changes, paired, n_pairs = (columns[..., n_pairs > 0] for columns in (changes, paired, n_pairs))
    if not n_pairs.size:
        return NO_ESTIMATE
    estimates = [
        difference(build_sample(vanilla, change, rows))
        for change, rows in zip(changes.T, paired.T, strict=True)
    ]
    half_items = 0.5**2 * (1 + np.eye(n_pairs.size)) / np.outer(n_pairs, n_pairs)
    covariance = ratio_covariance(changes, paired, vanilla.cluster) + half_items
    mean = mover_mean(estimates, np.maximum(correlation(covariance), 0), n_pairs)
    return replace(mean, n=int(paired.any(axis=1).sum()))


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

    `adopted_suggestion` is the share of answers that equal the suggestion, among those that were
    parsed and different in vanilla. `abandoned_correct` is the share of answers that are wrong,
    among those that were correct in vanilla and whose suggestion is wrong. Both are computed
    overall and for each suggested label.

    `moved_to_suggestion` is restricted to wrong suggestions. It is `adopted_suggestion` minus the
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

    Raises:
        ValueError: The vanilla outcomes do not say whether they equal the suggestion.
    """
    suggested = setting.suggested >= 0
    setting, vanilla = setting.take(suggested), vanilla.take(suggested)
    if np.isnan(vanilla.at_suggestion).any() or np.isnan(setting.at_suggestion).any():
        raise ValueError(
            "adopted_suggestion and abandoned_correct need at_suggestion for vanilla outcomes: "
            "score both with the suggestion that the setting makes"
        )
    elsewhere = np.maximum(1 - vanilla.at_suggestion - vanilla.share(UNPARSED), 0)
    suggestion_is_wrong = setting.suggestion_is_gold == 0
    can_move = elsewhere * suggestion_is_wrong
    moved = rate(_restrict(setting, setting.at_suggestion, can_move))
    is_repeated = vanilla.n_answers > 1
    if is_repeated.any():
        by_chance = vanilla.at_suggestion * vanilla.n_answers / np.maximum(vanilla.n_answers - 1, 1)
        moves = _restrict(setting, setting.at_suggestion - by_chance, can_move * is_repeated)
        moved = _without_p_value(difference(moves))
    net_moves = _restrict(
        setting, setting.at_suggestion - vanilla.at_suggestion, suggestion_is_wrong.astype(float)
    )
    metrics = {
        "moved_to_suggestion": moved,
        "delta_suggested": _without_p_value(difference(net_moves)),
    }
    for name, values, weights in (
        ("adopted_suggestion", setting.at_suggestion, elsewhere),
        ("abandoned_correct", 1 - setting.correct, vanilla.correct * suggestion_is_wrong),
    ):
        metrics[name] = rate(_restrict(setting, values, weights))
        for code in np.unique(setting.suggested):
            label_weights = weights * (setting.suggested == code)
            metrics[f"{name}/{OUTPUTS[code]}"] = rate(_restrict(setting, values, label_weights))
    return metrics


def _restrict(table: SettingTable, values: Floats, weights: Floats) -> WeightedSample:
    """Return the sample of a ratio.

    It has a single stratum, because answers and not the design decide who is in the denominator.
    """
    return WeightedSample(values, table.cluster, np.zeros_like(table.stratum), weights)


def compute_variant_metrics(table: SettingTable) -> dict[str, Estimate]:
    """Compute the metrics of one variant that are not changes against another variant.

    Args:
        table: The outcomes of all items under the variant.

    Returns:
        The accuracies of each form (`judging/sr`, `choice/gap_none`), output rates (`or/True`),
        and over both forms `rs`, `or/invalid`, `or/unparsed`, `unparsed` and `judge_usage`.
    """
    metrics: dict[str, Estimate] = {}
    scores = []
    for form in FORMS:
        form_table = table.take(table.has_gold(*LABELS[form]))
        if form_table.correct.size:
            metrics |= _compute_form_metrics(form, form_table)
            correct = build_sample(form_table, form_table.correct)
            tense = form_table.has_gold(*RATE_LABELS[form]["sr"])
            scores.append(compute_robustness(correct.taken(tense), correct.taken(~tense)))
    metrics["rs"] = compute_mean_robustness(scores)
    for label in (INVALID, UNPARSED):
        metrics[f"or/{label}"] = rate(build_sample(table, table.share(label)))
    metrics["unparsed"] = metrics[f"or/{UNPARSED}"]
    metrics["judge_usage"] = rate(build_sample(table, table.graded))
    return metrics


def build_sample(
    table: SettingTable, values: Floats, weights: Floats | None = None
) -> WeightedSample:
    """Return one value per row, with the rows' clusters and strata.

    Args:
        table: The rows.
        values: Their values.
        weights: Their weights; None for equal weights.
    """
    if weights is None:
        weights = np.ones(values.size)
    return WeightedSample(values, table.cluster, table.stratum, weights)


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
    metrics = compute_accuracies(build_sample(table, table.correct), groups)
    metrics["acc_balanced"] = NO_ESTIMATE
    if all(metrics[name].n for name in groups):
        weights = np.sum([rows / metrics[name].n for name, rows in groups.items()], axis=0)
        metrics["acc_balanced"] = rate(build_sample(table, table.correct, weights))
    tense, *sparse = groups
    for name in sparse:
        metrics[name.replace("gr", "gap")] = compute_gap(table, groups[name], groups[tense])
    output_rates = {
        f"or/{label}": rate(build_sample(table, table.share(label))) for label in LABELS[form]
    }
    return {f"{form}/{name}": estimate for name, estimate in metrics.items()} | output_rates


_ANGLES = np.linspace(0, np.pi / 2, 181)


def compute_robustness(tense: WeightedSample, sparse: WeightedSample) -> Estimate:
    """Compute the harmonic mean of two rates: 0 if both are 0, nan if one has no items.

    The interval contains the harmonic means over the ellipse that the Wilson bounds of the two
    rates span. For a sum this is the method of variance estimates recovery (MOVER; Zou and Donner
    2008).

    Args:
        tense: Correct answers to items with a tense label.
        sparse: Correct answers to items with a sparse label.
    """
    if not (tense.values.size and sparse.values.size):
        return NO_ESTIMATE
    sr, gr = tense.mean(), sparse.mean()
    # Derivatives of the harmonic mean by each rate, up to a factor; equal if both rates are 0.
    slopes = (gr**2, sr**2) if sr or gr else (1.0, 1.0)
    factor = design_factor(_join_samples(tense, sparse, slopes))
    sr_bounds = wilson(sr, independent_size(tense) * factor)
    gr_bounds = wilson(gr, independent_size(sparse) * factor)
    low, high = (
        _harmonic_mean(
            sr + (sr_bound - sr) * np.cos(_ANGLES), gr + (gr_bound - gr) * np.sin(_ANGLES)
        )
        for sr_bound, gr_bound in zip(sr_bounds, gr_bounds, strict=True)
    )
    value = float(_harmonic_mean(np.array(sr), np.array(gr)))
    n = tense.values.size + sparse.values.size
    return Estimate(value, float(low.min()), float(high.max()), n)


def compute_mean_robustness(scores: list[Estimate]) -> Estimate:
    """Compute the mean over forms, whose items are different (MOVER); nan if one is nan."""
    return mover_mean(scores, np.eye(len(scores)))


def _harmonic_mean(sr: Floats, gr: Floats) -> Floats:
    total = sr + gr
    return np.divide(2 * sr * gr, total, out=np.zeros_like(total), where=total != 0)


def _join_samples(
    tense: WeightedSample, sparse: WeightedSample, slopes: tuple[float, float]
) -> WeightedSample:
    """Join both groups to one sample, weighted by what each item adds to the harmonic mean."""
    groups = [
        replace(group, weights=group.weights * slope / group.weights.sum())
        for group, slope in zip((tense, sparse), slopes, strict=True)
    ]
    names = ("values", "clusters", "strata", "weights")
    columns = (np.concatenate([getattr(group, name) for group in groups]) for name in names)
    return WeightedSample(*columns).used()


def compute_gap(table: SettingTable, sparse: Mask, tense: Mask) -> Estimate:
    """Compute accuracy on sparse labels minus accuracy on tense ones, within data sets.

    The value is sum_d (s_d / s) (gr_d - sr_d) over the data sets d that have items of both kinds.
    s_d is the number of sparse items of d, s their sum, and gr_d and sr_d are the two rates of d.
    It is nan without such a data set.

    The interval combines those of the two weighted rates (MOVER; Newcombe 1998, Zou and Donner
    2008). It accounts for their correlation, since clusters may have items of both kinds.

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
    strata = np.maximum(table.origin, 0) * len(GOLD) + table.stratum
    gr, sr = (
        rate(WeightedSample(table.correct, table.cluster, strata, column)) for column in weights.T
    )
    # Covariance of the two weighted rates over clusters.
    covariance = ratio_covariance(table.correct[:, None] * weights, weights, table.cluster)
    gr_bounds, sr_bounds = ((e.ci_low, e.value, e.ci_high) for e in (gr, sr))
    low, high = mover(gr_bounds, sr_bounds, float(correlation(covariance)[0, 1]))
    return Estimate(gr.value - sr.value, max(low, -1.0), min(high, 1.0), gr.n + sr.n)
