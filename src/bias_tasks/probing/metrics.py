"""The metrics of a probed task. `spread` and `variance` are in `metrics_spread`."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.probing.items import BASELINE, REPEAT, is_repeat
from bias_tasks.probing.metrics_spread import compute_spread, compute_variance_shares
from bias_tasks.statistics.effective_size import Floats, Ints, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted, largest_difference, smallest_difference
from bias_tasks.statistics.outcomes import Mask, OutcomeTable, build_outcome_table, index_values
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, difference, rate, summarize_pairs

HEADLINE = "max_answers_changed"


@dataclass(frozen=True, slots=True)
class ProbeTable:
    """Outcomes as columns: n items in r rows, one per epoch of an item, under v variants."""

    outcomes: OutcomeTable
    """The columns are the variants, the baseline first."""
    score: Floats
    """r x v, in [0, 1]; nan if there is no score."""
    answer: Ints
    """r x v: number of the answer among all answers to the item; -1 if it is unparsed."""

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants, the baseline first."""
        return self.outcomes.columns

    @property
    def has_outcome(self) -> Mask:
        """r x v: whether the item has an outcome under the variant."""
        return self.outcomes.has_outcome

    @property
    def probes(self) -> tuple[str, ...]:
        """The variants that are probes."""
        return tuple(name for name in self.variants if name != BASELINE and not is_repeat(name))

    @property
    def repeats(self) -> tuple[str, ...]:
        """The variants that repeat the baseline prompt."""
        return tuple(name for name in self.variants if is_repeat(name))

    def find_columns(self, variants: Sequence[str]) -> list[int]:
        """Return the columns of some variants."""
        return [self.variants.index(variant) for variant in variants]

    def select_scores(self, variants: Sequence[str]) -> Floats:
        """Return the scores under some variants, one column each."""
        return self.score[:, self.find_columns(variants)]

    def select_parsed_scores(self, variants: Sequence[str]) -> Floats:
        """Return the scores under some variants, nan for unparsed answers.

        A scorer that never reports an answer, but gives scores above 0, has parsed every answer.
        """
        never_reported = (self.answer < 0).all() and np.nansum(self.score) > 0
        is_parsed = self.has_outcome if never_reported else self.answer >= 0
        return np.where(is_parsed, self.score, np.nan)[:, self.find_columns(variants)]

    def scores_under(self, variant: str) -> Floats:
        """Return the scores under a variant, one per row."""
        return self.score[:, self.variants.index(variant)]

    def sample(self, values: Floats, weights: Floats | None = None) -> WeightedSample:
        """Return one value per item: the mean of its rows whose value is not nan.

        Args:
            values: One value per row.
            weights: Weights of the rows, at least 0; equal by default.
        """
        item, n_items = self.outcomes.item, self.outcomes.n_items
        row_weights = np.ones(values.size) if weights is None else weights
        row_weights = np.where(np.isnan(values), 0.0, row_weights)
        total = np.bincount(item, np.nan_to_num(values) * row_weights, n_items)
        weight = np.bincount(item, row_weights, n_items)
        value = np.divide(total, weight, out=np.zeros(n_items), where=weight > 0)
        sample = self.outcomes.sample(np.zeros(item.size))
        return replace(sample, values=value, weights=weight / np.bincount(item))


def build_probe_table(outcomes: Sequence[Outcome[Extra]], intervals: bool = True) -> ProbeTable:
    """Return outcomes as arrays: a row per item and epoch, a column per variant.

    Args:
        outcomes: At least one outcome, in any order.
        intervals: Whether intervals are computed.

    Raises:
        ValueError: An item has two outcomes under one variant and epoch, or two clusters, or a
            score outside of [0, 1].
    """
    # Sorted: `bootstrap_errors` draws errors column by column, so the order of columns matters.
    variants = (BASELINE, *sorted({outcome.variant for outcome in outcomes} - {BASELINE}))
    table = build_outcome_table(outcomes, variants, intervals=intervals)
    for outcome in outcomes:
        if outcome.score is not None and not 0 <= outcome.score <= 1:
            raise ValueError(f"{outcome.item}: the score {outcome.score} is not in [0, 1]")
    answers, names = index_values((outcome.item, outcome.answer) for outcome in outcomes)
    answers[np.array([name is None for _, name in names])[answers]] = -1
    return ProbeTable(
        outcomes=table,
        score=table.grid(lambda outcome: outcome.score),
        answer=np.append(answers, -1)[table.cell],
    )


def row_means(values: Floats) -> tuple[Floats, Floats]:
    """Return the mean of each row without its nans (nan if it has no other), and their count."""
    count = (~np.isnan(values)).sum(axis=1).astype(float)
    total = np.nansum(values, axis=1)
    return np.divide(total, count, out=np.full(count.size, np.nan), where=count > 0), count


def probe_metrics(
    outcomes: Sequence[Outcome[Extra]],
    probes_tried: Iterable[str] = (),
    *,
    intervals: bool = True,
) -> dict[str, Estimate]:
    """Return the metrics by name; none without outcomes.

    Changes compare parsed answers: an unparsed answer does not show whether a probe changes it. The
    mean scores `score` count it with the score that it has.

    The same parsed answer everywhere, if it is not always correct, does not indicate what probes
    change: then `max_answers_changed` has no value.

    Args:
        outcomes: Outcomes in any order.
        probes_tried: The probes that the run tries, whether or not they apply to an item.
        intervals: Whether intervals are computed.
    """
    if not outcomes:
        return {}
    metrics = compute_table_metrics(build_probe_table(outcomes, intervals), set(probes_tried))
    has_items = len({outcome.item for outcome in outcomes}) > 1
    parsed = [outcome for outcome in outcomes if outcome.answer is not None]
    same_answer = len({outcome.answer for outcome in parsed}) < 2
    if has_items and same_answer and any(outcome.score != 1 for outcome in parsed):
        metrics[HEADLINE] = NO_ESTIMATE
    return metrics


def compute_table_metrics(
    table: ProbeTable, probes_tried: Collection[str] = ()
) -> dict[str, Estimate]:
    """Return the metrics of a table by name; see `probe_metrics`."""
    baseline = rate(table.sample(table.scores_under(BASELINE)))
    metrics = compute_answers_changed(table) | {f"score/{BASELINE}": baseline}
    metrics |= compute_score_changes(table) | compute_agreement(table, probes_tried)
    if table.probes:
        scores, cluster, *noise = _complete_item_scores(table)
        metrics["worst_score_change"] = compute_worst_score_change(table)
        metrics |= compute_spread(scores, cluster, intervals=table.outcomes.intervals)
        if table.repeats:
            shares = compute_variance_shares(
                scores, cluster, *noise, intervals=table.outcomes.intervals
            )
            metrics |= {f"variance/{part}": share for part, share in shares.items()}
    return metrics | {"unparsed": compute_unparsed_rate(table)}


def compute_answers_changed(table: ProbeTable) -> dict[str, Estimate]:
    """Return `max_answers_changed`, then `answers_changed/<probe>` (Holm), the largest first.

    `answers_changed` is the share of pairs of a baseline answer and one under the probe that
    differ, minus the share of pairs of two baseline answers that differ. Repeats count as baseline
    answers. Epochs of an item in which one of these answers is unparsed are skipped.

    `max_answers_changed` is the largest over the probes that count at least half of the items, or
    over all probes if none does (see `largest_difference`). Probes that count less than half of the
    items to which they apply are excluded.
    """
    baseline_columns = table.find_columns((BASELINE, *table.repeats))
    unparsed = table.has_outcome & (table.answer < 0)
    noise = _differing_share(table, list(combinations(baseline_columns, 2)))
    metrics, samples = {}, []
    for probe, column in zip(table.probes, table.find_columns(table.probes), strict=True):
        pairs = [(baseline, column) for baseline in baseline_columns]
        excess = _differing_share(table, pairs) - noise
        has_unparsed = unparsed[:, [*baseline_columns, column]].any(axis=1)
        sample = table.sample(np.where(has_unparsed, np.nan, excess))
        metrics[f"answers_changed/{probe}"] = difference(sample)
        used, n_items = (
            sample.used(),
            np.unique(table.outcomes.item[table.has_outcome[:, column]]).size,
        )
        if used.values.size and 2 * used.values.size >= n_items:
            samples.append(used)
    values = {name: estimate.value for name, estimate in metrics.items()}
    order = sorted(values, key=lambda name: (math.isnan(values[name]), -round(values[name], 12)))
    large = [sample for sample in samples if 2 * sample.values.size >= table.outcomes.n_items]
    greatest = (
        largest_difference([summarize_pairs(s) for s in large or samples])
        if samples
        else NO_ESTIMATE
    )
    return {HEADLINE: greatest} | holm_adjusted({name: metrics[name] for name in order})


def _differing_share(table: ProbeTable, pairs: Sequence[tuple[int, int]]) -> Floats:
    """Return by row the share of pairs of columns whose answers differ; nan without a pair."""
    differs = np.full((table.outcomes.item.size, len(pairs)), np.nan)
    for number, (first, second) in enumerate(pairs):
        both = table.has_outcome[:, first] & table.has_outcome[:, second]
        differs[both, number] = (table.answer[:, first] != table.answer[:, second])[both]
    return row_means(differs)[0]


def compute_unparsed_rate(table: ProbeTable) -> Estimate:
    """Return the share of unparsed answers."""
    n_answers: Floats = table.has_outcome.sum(axis=1).astype(float)
    n_unparsed: Floats = ((table.answer < 0) & table.has_outcome).sum(axis=1)
    return rate(table.sample(n_unparsed / n_answers, n_answers))


def compute_score_changes(table: ProbeTable) -> dict[str, Estimate]:
    """Return `score_change`, `score`, `flips_to_wrong` and `flips_to_right` by variant.

    All repeats of the baseline are the variant `repeat`. The changes are Holm-adjusted over the
    probes. Both answers of a change are parsed.
    """
    metrics: dict[str, Estimate] = {}
    changes: dict[str, Estimate] = {}
    groups: dict[str, tuple[str, ...]] = {probe: (probe,) for probe in table.probes}
    if table.repeats:
        groups = {REPEAT: table.repeats, **groups}
    for name, variants in groups.items():
        change = _score_change(table, variants)
        for metric, values in (
            ("score", table.select_scores(variants)),
            ("flips_to_wrong", np.maximum(-change, 0)),
            ("flips_to_right", np.maximum(change, 0)),
        ):
            metrics[f"{metric}/{name}"] = rate(table.sample(row_means(values)[0]))
        changes[name] = difference(table.sample(row_means(change)[0]))
    changes |= holm_adjusted({name: changes[name] for name in table.probes})
    return {f"score_change/{name}": change for name, change in changes.items()} | metrics


def compute_worst_score_change(table: ProbeTable) -> Estimate:
    """Return the least of the probes' score changes, with bounds of the least true change."""
    samples = [table.sample(_score_change(table, [probe])[:, 0]).used() for probe in table.probes]
    pairs = [summarize_pairs(sample) for sample in samples if sample.values.size]
    return smallest_difference(pairs) if pairs else NO_ESTIMATE


def _score_change(table: ProbeTable, variants: Sequence[str]) -> Floats:
    """Return the score under each variant minus the baseline score, one column each.

    nan if either answer is unparsed.
    """
    return table.select_parsed_scores(variants) - table.select_parsed_scores([BASELINE])


def compute_agreement(table: ProbeTable, probes_tried: Collection[str] = ()) -> dict[str, Estimate]:
    """Return `same_answer` and `same_score` by probe and over all probes, and `coverage` by probe.

    Both answers are parsed.
    """
    baseline = table.answer[:, table.find_columns([BASELINE])]
    comparable = (table.answer >= 0) & (baseline >= 0)
    change = _score_change(table, table.variants)
    same = {
        "same_answer": np.where(comparable, table.answer == baseline, np.nan),
        "same_score": np.where(np.isnan(change), np.nan, change == 0),
    }
    groups: dict[str, tuple[str, ...]] = {f"/{probe}": (probe,) for probe in table.probes}
    groups |= {f"/{REPEAT}": table.repeats, "": table.probes}
    metrics = {
        f"{metric}{name}": rate(table.sample(*row_means(values[:, table.find_columns(variants)])))
        for name, variants in groups.items()
        for metric, values in same.items()
        if variants
    }
    for probe, column in zip(table.probes, table.find_columns(table.probes), strict=True):
        covered = table.has_outcome[:, column].astype(float)
        metrics[f"coverage/{probe}"] = rate(table.sample(covered))
    for probe in sorted(set(probes_tried) - set(table.variants)):
        metrics[f"coverage/{probe}"] = rate(table.sample(np.zeros(table.outcomes.item.size)))
    return metrics


def _complete_item_scores(table: ProbeTable) -> tuple[Floats, Ints, Floats, Floats]:
    """Return the arguments of `compute_variance_shares`.

    The items have a parsed answer with a score under the baseline and all probes.
    """
    scores = table.select_parsed_scores((BASELINE, *table.probes))
    complete = ~np.isnan(scores).any(axis=1)
    n_items = table.outcomes.n_items
    n_epochs = np.bincount(table.outcomes.item[complete], minlength=n_items).astype(float)
    sums = np.zeros((n_items, scores.shape[1]))
    np.add.at(sums, table.outcomes.item[complete], scores[complete])
    kept = n_epochs > 0
    means = sums[kept] / n_epochs[kept, None]
    return means, table.outcomes.clusters[kept], _noise_variance(table)[kept], n_epochs[kept]


def _noise_variance(table: ProbeTable) -> Floats:
    """Return by item the variance of the scores of its parsed baseline answers, repeats among them.

    nan for fewer than two.
    """
    scores = table.select_parsed_scores((BASELINE, *table.repeats))
    known, n_items = ~np.isnan(scores), table.outcomes.n_items
    item, values = np.broadcast_to(table.outcomes.item[:, None], scores.shape)[known], scores[known]
    count = np.bincount(item, minlength=n_items)
    mean = np.bincount(item, values, n_items) / np.maximum(count, 1)
    squares = np.bincount(item, (values - mean[item]) ** 2, n_items)
    variance: Floats = np.divide(squares, count - 1, out=np.full(n_items, np.nan), where=count > 1)
    return variance
