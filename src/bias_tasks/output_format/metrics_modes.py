"""Metrics of modes of asking: each mode's, and its change against the baseline `free`.

Changes are paired: they are means over the items whose answers fit in both modes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.output_format.metrics import (
    FORMAT_METRICS,
    FormatTable,
    Metrics,
    build_sample,
    build_table,
    find_estimate,
)
from bias_tasks.output_format.metrics_groups import group_outcomes
from bias_tasks.output_format.modes import FREE, MODES
from bias_tasks.output_format.scoring_data import FormatExtra
from bias_tasks.statistics.effective_size import Floats, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm_adjusted, smallest_difference
from bias_tasks.statistics.mean import mean
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, difference, rate, summarize_pairs

HEADLINE = "worst_est_true_diff"
_FIRST = "first"
"""The label that the schema lists first, whichever it is."""
_SIGNIFICANCE_LEVEL = 0.05
_RARE = 0.5
"""A mode that a smaller share of the answers fits is named."""


@dataclass(frozen=True)
class ModeTable:
    """The outcomes of n items in k modes."""

    outcomes: Sequence[Outcome[FormatExtra]]
    table: FormatTable
    """n x k, by `build_table`; the columns are the modes in alphabetical order."""

    @cached_property
    def modes(self) -> tuple[str, ...]:
        """The modes in the order of `MODES`."""
        return tuple(name for name in MODES if name in self.table.formats)

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        items = sorted({outcome.item for outcome in self.outcomes})
        return {item: row for row, item in enumerate(items)}

    def column(self, mode: str) -> int:
        """Return the column of a mode."""
        return self.table.formats.index(mode)

    def scores(self, mode: str) -> Floats:
        """Return by item the mean score of its answers that follow the mode; nan if none does."""
        column = self.column(mode)
        return divide(self.table.score[:, column], self.table.follows[:, column])

    def collect(self, mode: str, values: Sequence[float | None]) -> Floats:
        """Return by item the mean of values of outcomes; nan if it has none.

        Args:
            mode: The mode whose outcomes count.
            values: A value per outcome; None if the outcome does not count.
        """
        sums, counts = np.zeros((2, len(self._rows)))
        for outcome, value in zip(self.outcomes, values, strict=True):
            if outcome.extra.format == mode and value is not None:
                sums[self._rows[outcome.item]] += value
                counts[self._rows[outcome.item]] += 1
        return divide(sums, counts)

    def sample(self, values: Floats) -> WeightedSample:
        """Return the values that are not nan as a sample."""
        known = ~np.isnan(values)
        sample = build_sample(self.table, np.where(known, values, 0.0), known.astype(float))
        return sample.used()


def divide(sums: Floats, counts: Floats) -> Floats:
    """Return quotients; nan where the count is 0."""
    quotients: Floats = np.divide(sums, counts, out=np.full(counts.size, np.nan), where=counts > 0)
    return quotients


def build_mode_table(outcomes: Sequence[Outcome[FormatExtra]], intervals: bool = True) -> ModeTable:
    """Return the outcomes of a run, of all its data sets together, as a table."""
    rows = list(chain.from_iterable(group_outcomes(outcomes).values()))
    return ModeTable(outcomes, build_table(rows, intervals=intervals))


def compute_mode_metrics(
    outcomes: Sequence[Outcome[FormatExtra]], *, intervals: bool = True
) -> Metrics:
    """Return the metrics of a run by name, with 95 % intervals.

    `worst_est_true_diff` is the least of the `est_true_diff` of modes in which at least half of the
    items asked fit in both; its bounds account for the selection (`smallest_difference`).

    Args:
        outcomes: At least one outcome, in any order.
        intervals: Whether intervals are computed.
    """
    run = build_mode_table(outcomes, intervals)
    metrics: Metrics = {}
    for mode in run.modes:
        for name in FORMAT_METRICS:
            metrics[f"{name}/{mode}"] = find_estimate(run.table, name, run.column(mode))
        metrics |= _call_metrics(run, mode)
    changes = {mode: run.sample(score_changes(run, mode)) for mode in run.modes if mode != FREE}
    large = [
        summarize_pairs(sample)
        for mode, sample in changes.items()
        if sample.values.size
        and 2 * sample.values.size >= run.table.answered[:, run.column(mode)].sum()
    ]
    differences = {f"est_true_diff/{mode}": difference(s) for mode, s in changes.items()}
    worst = smallest_difference(large) if large else NO_ESTIMATE
    return {HEADLINE: worst} | holm_adjusted(differences) | metrics | label_metrics(run)


def score_changes(run: ModeTable, mode: str) -> Floats:
    """Return by item its score in a mode minus that in `free`; nan if an answer does not fit."""
    if FREE not in run.modes:
        return np.full(run.table.cluster.size, np.nan)
    return run.scores(mode) - run.scores(FREE)


def _call_metrics(run: ModeTable, mode: str) -> Metrics:
    """Return refusals, answers cut, tokens and seconds, as far as the framework reports them."""
    metrics = {}
    refused: list[float | None] = [float(o.reason == "refusal") for o in run.outcomes]
    collected = {"refusals": refused}
    for name, attribute in (("cut", "is_cut"), ("tokens", "tokens"), ("seconds", "seconds")):
        collected[name] = [getattr(o.extra.call, attribute, None) for o in run.outcomes]
    for name, values in collected.items():
        sample = run.sample(run.collect(mode, values))
        if sample.values.size:
            metrics[f"{name}/{mode}"] = mean(sample)
    return metrics


def label_metrics(run: ModeTable) -> Metrics:
    """Return output rates of the options' letters and of the schema's first label, with changes.

    The answers are those that follow the mode, to items that have the label. A change is against
    `free`, over items whose answers follow both modes, and Holm-adjusted over modes and labels.
    """
    metrics: Metrics = {}
    changes: Metrics = {}
    most = max((outcome.extra.form for outcome in run.outcomes), default=0)
    for label in (_FIRST, *map(chr, range(ord("A"), ord("A") + most))):
        values = [find_label_share(outcome, label) for outcome in run.outcomes]
        baseline = run.collect(FREE, values)
        for mode in run.modes:
            rates = run.collect(mode, values)
            if not np.isnan(rates).all():
                metrics[f"{mode}/or/{label}"] = rate(run.sample(rates))
            change = rates - baseline
            if mode != FREE and not np.isnan(change).all():
                changes[f"{mode}/or_diff/{label}"] = difference(run.sample(change))
    return metrics | holm_adjusted(changes)


def find_label_share(outcome: Outcome[FormatExtra], label: str) -> float | None:
    """Return 1 if an answer is a label, else 0; None if it does not fit, or has no such label.

    An answer that is a set of labels counts for each of them.
    """
    extra = outcome.extra
    first = extra.call.first_label if extra.call else None
    letter = first if label == _FIRST else label
    if not (extra.form and extra.follows and outcome.answer and letter):
        return None
    if ord(letter) - ord("A") >= extra.form:
        return None
    return float(letter in outcome.answer.split(", "))


def describe_modes(outcomes: Sequence[Outcome[FormatExtra]]) -> Iterator[str]:
    """Yield what the modes change, and which modes most answers do not fit.

    Modes are described whose change of the score or of a label's rate is significant, and the worst
    one.
    """
    run = build_mode_table(outcomes)
    metrics = compute_mode_metrics(outcomes)
    for mode in run.modes:
        fi = metrics[f"fi/{mode}"]
        if fi.value < _RARE:
            hint = ": the server may ignore what enforces it" if MODES[mode].enforced else ""
            yield f"mode {mode}: only {fi.value:.0%} of {fi.n:,} answers fit{hint}"
    for mode in run.modes:
        change = metrics.get(f"est_true_diff/{mode}", NO_ESTIMATE)
        labels = {
            name: metric for name, metric in metrics.items() if name.startswith(f"{mode}/or_diff/")
        }
        largest = max(labels, key=lambda name: abs(labels[name].value), default="")
        shifted = labels.get(largest, NO_ESTIMATE)
        is_worst = change.n and change.value == metrics[HEADLINE].value
        if is_worst or _is_significant(change) or _is_significant(shifted):
            yield _describe_change(run, mode, metrics, largest)


def _is_significant(estimate: Estimate) -> bool:
    return estimate.p is not None and estimate.p < _SIGNIFICANCE_LEVEL


def _describe_change(run: ModeTable, mode: str, metrics: Metrics, largest: str) -> str:
    """Return how many answers a mode makes wrong or right, and which label it prefers.

    Args:
        run: The run.
        mode: The mode.
        metrics: The metrics of the run.
        largest: Name of the `or_diff` of the label that changes most; empty without labels.
    """
    change = run.sample(score_changes(run, mode)).values
    lost, gained = int((change < 0).sum()), int((change > 0).sum())
    text = f"in mode {mode}, {lost:,} of {change.size:,} answers become worse and {gained:,} better"
    if not largest:
        return text
    label = largest.rpartition("/")[2]
    name = "the option that the schema lists first" if label == _FIRST else f"option {label}"
    shares = [metrics[f"{each}/or/{label}"].value for each in (mode, FREE)]
    return f"{text}; the model answers {name} in {shares[0]:.0%} of items (free: {shares[1]:.0%})"
