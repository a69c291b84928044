"""All figures of one run: of each variant accuracy, its parts, robustness score (rs) and output
ratios, and what changes against vanilla."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bias_tasks.contract.family import Outcome
from bias_tasks.instruction_boundary.items import FORMS, INVALID, LABELS, UNREAD, VANILLA, Form
from bias_tasks.instruction_boundary.metrics_table import GOLD, OUTPUTS, Table, tables
from bias_tasks.statistics.covariance import correlation, ratio_covariance
from bias_tasks.statistics.effective_size import (
    Floats,
    WeightedSample,
    design_factor,
    independent_size,
)
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted
from bias_tasks.statistics.intervals import NOTHING, difference, rate, wilson
from bias_tasks.statistics.mover import mover, mover_mean

GROUPS: Mapping[Form, Mapping[str, tuple[str, ...]]] = {
    "judging": {"sr": ("True", "False"), "gr": ("Unknown",)},
    "choice": {"sr": ("single",), "gr_none": ("none",), "gr_multiple": ("multiple",)},
}
"""Gold labels behind each rate: sr over tense labels, gr over sparse ones (paper, section 2.2)."""


def scorecard(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """Every figure of one run with its 95 % interval, by its name.

    Beside at most one setting, names are bare for the setting and start with `vanilla/` for its
    twin; with several settings every name starts with its variant, and the bare `delta_acc` is the
    change over all of them. Only what was run is there; a figure with an empty denominator is nan
    with n = 0, and one that rests on a single cluster has nan bounds. The p-values of `delta_acc`
    are Holm-adjusted across settings. A ValueError where a label is impossible, or a conformity
    outcome's twin does not say whether it is at the suggestion. Several epochs of a question count
    as their mean."""
    variants = tables(outcomes)
    settings = [name for name in variants if name != VANILLA]
    vanilla = variants.get(VANILLA)
    cards = {name: variant_figures(table) for name, table in variants.items()}
    for name in settings:
        if vanilla is not None:
            cards[name] |= _against(variants[name], vanilla)
    if len(settings) > 1:
        _adjust({name: cards[name] for name in settings})
    bare = None if len(settings) > 1 else next(iter(settings or [VANILLA]))
    named = {
        figure if name == bare else f"{name}/{figure}": estimate
        for name, card in cards.items()
        for figure, estimate in card.items()
    }
    if bare is None and vanilla is not None:
        named["delta_acc"] = change_over_settings([variants[name] for name in settings], vanilla)
    return named


def _against(setting: Table, vanilla: Table) -> dict[str, Estimate]:
    here, there = _pairs(setting, vanilla)
    figures = paired_figures(setting.take(here), vanilla.take(there))
    if (setting.suggested >= 0).any():
        both = setting.suggested[here] >= 0
        figures |= conformity_figures(setting.take(here[both]), vanilla.take(there[both]))
    return figures


def _adjust(cards: Mapping[str, dict[str, Estimate]]) -> None:
    """Holm's adjustment of the p-values of `delta_acc` across settings, in place."""
    deltas = {name: card["delta_acc"] for name, card in cards.items() if "delta_acc" in card}
    for name, delta in holm_adjusted(deltas).items():
        cards[name]["delta_acc"] = delta


def _pairs(setting: Table, vanilla: Table) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows, in either table, of the items that stand under both, in the same order.

    A pair counts where at least one of its answers was read: two that were not say nothing of
    whether the setting changed anything.
    """
    _, here, there = np.intersect1d(
        setting.item, vanilla.item, assume_unique=True, return_indices=True
    )
    read = np.minimum(setting.share(UNREAD)[here], vanilla.share(UNREAD)[there]) < 1
    return here[read], there[read]


def paired_figures(setting: Table, vanilla: Table) -> dict[str, Estimate]:
    """Changes on pairs: both tables hold the same items in the same order.

    `delta_acc`, of both forms also of each, and its absolute value `abs_delta_acc`; the flips
    behind it; how each rate changes, by the gold label that items have under the setting; and how
    the share of each output label does (figure 4) over its form's items, that of `invalid` and
    `unread` over all. The p-value that is tested is `delta_acc`'s: the rates and shares have none.
    """

    def changed(values: Floats, rows: NDArray[np.bool_] | None = None) -> Estimate:
        return difference(sample(setting, values, None if rows is None else rows.astype(float)))

    change = setting.ok - vanilla.ok
    figures = {"delta_acc": changed(change)}
    figures["abs_delta_acc"] = absolute(figures["delta_acc"])
    figures["flips/lost"] = rate(sample(setting, vanilla.ok * (1 - setting.ok)))
    figures["flips/gained"] = rate(sample(setting, (1 - vanilla.ok) * setting.ok))
    masks = {form: setting.of(*LABELS[form]) for form in FORMS}
    asked = [form for form, rows in masks.items() if rows.any()]
    if len(asked) == len(FORMS):
        figures |= {f"{form}/delta_acc": changed(change, rows) for form, rows in masks.items()}
    for form in asked:
        for name, labels in GROUPS[form].items():
            figures[f"{form}/delta_{name}"] = _untested(changed(change, setting.of(*labels)))
    outputs = {label: masks[form] for form in asked for label in LABELS[form]}
    for label, rows in (outputs | dict.fromkeys((INVALID, UNREAD))).items():
        shares = setting.share(label) - vanilla.share(label)
        figures[f"delta_or/{label}"] = _untested(changed(shares, rows))
    return figures


def change_over_settings(settings: Sequence[Table], vanilla: Table) -> Estimate:
    """Change of accuracy over several settings: the mean over all pairs of an item and a setting.

    An item's pairs share its vanilla answer, so that they count as one value: their mean.
    """
    total, count = np.zeros(vanilla.ok.size), np.zeros(vanilla.ok.size)
    for setting in settings:
        here, there = _pairs(setting, vanilla)
        total[there] += setting.ok[here] - vanilla.ok[there]
        count[there] += 1
    return _untested(difference(sample(vanilla, total / np.maximum(count, 1), count)))


def _untested(change: Estimate) -> Estimate:
    return replace(change, p=None)


def absolute(change: Estimate) -> Estimate:
    """The size of a change: its interval folded at 0."""
    low, high = sorted((abs(change.ci_low), abs(change.ci_high)))
    if change.ci_low <= 0 <= change.ci_high:
        low = 0.0
    return Estimate(abs(change.value), low, high, change.n)


def conformity_figures(setting: Table, vanilla: Table) -> dict[str, Estimate]:
    """`moved_to_suggestion`; `adopted` and `abandoned`, overall and for each suggested label.

    Both tables hold the same items in the same order, all of them with a suggestion.

    `moved_to_suggestion`: of the answers that were read, stood elsewhere in vanilla and whose
    suggestion is wrong, the share that stands at the suggestion now, less the share that stands
    there when vanilla is asked again. With E epochs of which k stand there, that is k / (E - 1) for
    each of the others; with one epoch, as at temperature 0, asking again moves nothing.

    `adopted`: of the answers that were read and stood elsewhere in vanilla, the share that stands
    at the suggestion now. `abandoned`: of the answers that were right in vanilla and whose
    suggestion is wrong, the share that is not right any more. A ValueError where the vanilla
    outcomes do not say how often they are at the suggestion."""
    if np.isnan(vanilla.at_suggestion).any() or np.isnan(setting.at_suggestion).any():
        raise ValueError(
            "adopted and abandoned need at_suggestion on the vanilla outcomes too: "
            "score both with the suggestion that the setting makes"
        )
    elsewhere = np.maximum(1 - vanilla.at_suggestion - vanilla.share(UNREAD), 0)
    at_risk = vanilla.ok * (setting.suggestion_is_gold == 0)
    codes = [int(code) for code in np.unique(setting.suggested)]
    wrong = elsewhere * (setting.suggestion_is_gold == 0)
    again = vanilla.answers / np.maximum(vanilla.answers - 1, 1)
    moved = setting.at_suggestion - vanilla.at_suggestion * again
    figures = {"moved_to_suggestion": _untested(difference(_subset(setting, moved, wrong)))}
    for name, values, weights in (
        ("adopted", setting.at_suggestion, elsewhere),
        ("abandoned", 1 - setting.ok, at_risk),
    ):
        figures[name] = rate(_subset(setting, values, weights))
        for code in codes:
            chosen = weights * (setting.suggested == code)
            figures[f"{name}/{OUTPUTS[code]}"] = rate(_subset(setting, values, chosen))
    return figures


def _subset(table: Table, values: Floats, weights: Floats) -> WeightedSample:
    """A ratio's sample. Who is in the denominator is drawn, not designed: a single stratum."""
    return WeightedSample(values, table.cluster, np.zeros_like(table.stratum), weights)


def variant_figures(table: Table) -> dict[str, Estimate]:
    """Every figure of one variant that needs no other variant, by its name."""
    figures: dict[str, Estimate] = {}
    scores = []
    for form in FORMS:
        part = table.take(table.of(*LABELS[form]))
        if part.ok.size:
            figures |= _form_figures(form, part)
            right, tense = sample(part, part.ok), part.of(*GROUPS[form]["sr"])
            scores.append(robustness(right.taken(tense), right.taken(~tense)))
    figures["rs"] = mean_robustness(scores)
    for name in (INVALID, UNREAD):
        figures[f"or/{name}"] = rate(sample(table, table.share(name)))
    figures["unread"] = figures[f"or/{UNREAD}"]
    figures["judge_usage"] = rate(sample(table, table.judged))
    return figures


def sample(table: Table, values: Floats, weights: Floats | None = None) -> WeightedSample:
    """One value for each row, with the rows' clusters and strata; weights default to equal."""
    even = np.ones(values.size) if weights is None else weights
    return WeightedSample(values, table.cluster, table.stratum, even)


def accuracies(
    right: WeightedSample, groups: Mapping[str, NDArray[np.bool_]]
) -> dict[str, Estimate]:
    """`acc`, the share of right answers, and by its name that over each group of items."""
    chosen = {"acc": np.ones(right.values.size, dtype=bool), **groups}
    return {
        name: rate(replace(right, weights=right.weights * rows)) for name, rows in chosen.items()
    }


def _form_figures(form: Form, table: Table) -> dict[str, Estimate]:
    groups = {name: table.of(*labels) for name, labels in GROUPS[form].items()}
    figures = accuracies(sample(table, table.ok), groups)
    balanced = np.zeros(table.ok.size)
    for name, rows in groups.items():
        balanced[rows] = 1 / max(figures[name].n, 1)
    complete = all(figures[name].n for name in GROUPS[form])
    figures["acc_balanced"] = rate(sample(table, table.ok, balanced)) if complete else NOTHING
    tense, *sparse = GROUPS[form]
    for name in sparse:
        figures[name.replace("gr", "gap")] = gap(table, groups[name], groups[tense])
    outputs = {f"or/{label}": rate(sample(table, table.share(label))) for label in LABELS[form]}
    return {f"{form}/{name}": figure for name, figure in figures.items()} | outputs


_ANGLES = np.linspace(0, np.pi / 2, 181)


def robustness(tense: WeightedSample, sparse: WeightedSample) -> Estimate:
    """Harmonic mean of two rates, 0 when both are; nan when one has no items.

    The interval holds the harmonic means over the ellipse that the two rates' Wilson limits span:
    for a sum this is the method of variance estimates recovery (MOVER; Zou and Donner 2008).
    """
    if not (tense.values.size and sparse.values.size):
        return NOTHING
    sr, gr = tense.mean(), sparse.mean()
    # How the harmonic mean moves with each rate, up to a factor; evenly where both are 0.
    slopes = (gr**2, sr**2) if sr or gr else (1.0, 1.0)
    factor = design_factor(_joined(tense, sparse, slopes))
    sr_limits = wilson(sr, independent_size(tense) * factor)
    gr_limits = wilson(gr, independent_size(sparse) * factor)
    low, high = (
        _harmonic(sr + (sr_limit - sr) * np.cos(_ANGLES), gr + (gr_limit - gr) * np.sin(_ANGLES))
        for sr_limit, gr_limit in zip(sr_limits, gr_limits, strict=True)
    )
    value = float(_harmonic(np.array(sr), np.array(gr)))
    n = tense.values.size + sparse.values.size
    return Estimate(value, float(low.min()), float(high.max()), n)


def mean_robustness(scores: list[Estimate]) -> Estimate:
    """The mean over the forms run, whose items are different ones (MOVER); nan if one is."""
    return mover_mean(scores, np.eye(len(scores)))


def _harmonic(sr: Floats, gr: Floats) -> Floats:
    total = sr + gr
    return np.divide(2 * sr * gr, total, out=np.zeros_like(total), where=total != 0)


def _joined(
    tense: WeightedSample, sparse: WeightedSample, slopes: tuple[float, float]
) -> WeightedSample:
    """Both groups as one sample, weighted by what each item adds to the harmonic mean."""
    both = [
        replace(group, weights=group.weights * slope / group.weights.sum())
        for group, slope in zip((tense, sparse), slopes, strict=True)
    ]
    names = ("values", "clusters", "strata", "weights")
    columns = (np.concatenate([getattr(group, name) for group in both]) for name in names)
    return WeightedSample(*columns).used()


def gap(table: Table, sparse: NDArray[np.bool_], tense: NDArray[np.bool_]) -> Estimate:
    """Accuracy where gold is sparse minus accuracy where it is tense, within data sets.

    The mean, over the sparse items of the data sets that have items of both kinds, of the
    difference between the two rates of the item's data set: sum_d (s_d / s) (gr_d - sr_d), with s_d
    the sparse items of data set d. Without such a data set there is nothing to measure.

    The interval combines those of the two weighted rates (MOVER; Newcombe 1998, Zou and Donner
    2008), with the correlation that clusters in which both kinds stand give them.
    """
    known = table.origin >= 0
    sparse_rows, tense_rows = known & sparse, known & tense
    sparse_items, tense_items = (
        np.bincount(table.origin[rows], minlength=int(table.origin.max(initial=0)) + 1)
        for rows in (sparse_rows, tense_rows)
    )
    both = ((sparse_items > 0) & (tense_items > 0))[table.origin]
    if not (both & sparse_rows).any():
        return NOTHING
    of_tense = (sparse_items / np.maximum(tense_items, 1))[table.origin]
    weights = np.column_stack([both & sparse_rows, np.where(both & tense_rows, of_tense, 0.0)])
    strata = np.maximum(table.origin, 0) * len(GOLD) + table.stratum
    upper, lower = (
        rate(WeightedSample(table.ok, table.cluster, strata, column)) for column in weights.T
    )
    # How the two weighted rates vary together from cluster to cluster.
    covariance = ratio_covariance(table.ok[:, None] * weights, weights, table.cluster)
    related = float(correlation(covariance)[0, 1])
    sparse_limits, tense_limits = (
        (each.ci_low, each.value, each.ci_high) for each in (upper, lower)
    )
    low, high = mover(sparse_limits, tense_limits, related)
    return Estimate(upper.value - lower.value, max(low, -1.0), min(high, 1.0), upper.n + lower.n)
