"""Metrics of a whole run: per data set, prompting and category, and averages over these.

The averages are the paper's distilled tables (appendix C). Every data set under every prompting is
a *part*, and all parts have the same weight, whatever their numbers of items.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.output_format.formats.mappings import KEY_FLAWS, UNREADABLE
from bias_tasks.output_format.items import Category, Prompting, texts_of
from bias_tasks.output_format.metrics import (
    FORMAT_METRICS,
    FormatOutcome,
    FormatTable,
    MetricOptions,
    Metrics,
    build_table,
    compute_format_metrics,
    error_covariance,
    find_comparable,
    find_estimate,
    square_root,
    variance_metrics,
)
from bias_tasks.output_format.scoring_data import FormatExtra
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.delta_method import correlation
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.mover import mover_mean
from bias_tasks.statistics.outcomes import build_outcome_table
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, rate

AVERAGE = "average"
"""Replaces the data set or the prompting in the name of an average."""
Part = tuple[str, str]
"""A data set and a prompting."""


class Group(NamedTuple):
    """Outcomes whose formats are compared with each other."""

    dataset: str
    prompting: Prompting | str
    """The prompting, or `AVERAGE`."""
    category: Category


class _Varying(NamedTuple):
    """Whether a run has several data sets, promptings or categories."""

    dataset: bool
    prompting: bool
    category: bool


def compute_run_metrics(
    outcomes: Sequence[Outcome[FormatExtra]],
    options: MetricOptions,
    only_format: str | None = None,
    *,
    intervals: bool = True,
) -> Metrics:
    """Compute every metric of a run.

    Names begin with the data set, the prompting and the category if the run has several of these
    (docs/output_format.md).

    Args:
        outcomes: The outcomes of a run, in any order.
        options: Parameters on which metrics depend.
        only_format: The only format whose metrics are returned; None for all formats.
        intervals: Whether intervals are computed.
    """
    groups = group_outcomes(outcomes)
    varying = _Varying(*(len(set(names)) > 1 for names in zip(*groups, strict=True)))
    by_group = {
        group: compute_format_metrics(rows, options, intervals=intervals)
        for group, rows in groups.items()
    }
    for group, metrics_of_group in by_group.items():
        if group.category == "mapping":
            rows = [outcome for outcome in outcomes if _find_group(outcome) == group]
            metrics_of_group |= compute_key_rates(rows, intervals=intervals)
    averages = {
        group: average_metrics(parts, options.protocol, intervals=intervals)
        for group, parts in _collect_averages(groups, varying).items()
    }
    metrics: Metrics = {}
    for group, group_metrics in (by_group | averages).items():
        metrics |= _add_group_names(group, varying, group_metrics)
    if len(by_group) > 1:
        variances = {group: values["bias_f_corrected"] for group, values in by_group.items()}
        metrics["mean_bias_f"] = mean_over_groups(variances)
        metrics["mean_format_std"] = square_root(metrics["mean_bias_f"])
    metrics |= compute_reliable_shares(by_group)
    if only_format is not None:
        return {name: value for name, value in metrics.items() if name.endswith(f"/{only_format}")}
    return metrics


def group_outcomes(
    outcomes: Sequence[Outcome[FormatExtra]],
) -> dict[Group, list[FormatOutcome]]:
    """Return the mean outcome of each item in each format over epochs, by group."""
    by_question: dict[tuple[Group, str, str], list[Outcome[FormatExtra]]] = {}
    for outcome in outcomes:
        key = (_find_group(outcome), outcome.item, outcome.extra.format)
        by_question.setdefault(key, []).append(outcome)
    groups: dict[Group, list[FormatOutcome]] = {}
    for (group, item, name), epochs in by_question.items():
        follows = sum(outcome.extra.follows for outcome in epochs) / len(epochs)
        score = sum(outcome.score or 0.0 for outcome in epochs) / len(epochs)
        scores = [o.extra.recovered_score for o in epochs]
        recovered = [value for value in scores if value is not None]
        means = len(recovered) / len(epochs), sum(recovered) / len(epochs)
        mean = FormatOutcome(item, epochs[0].cluster, name, follows, score, *means)
        groups.setdefault(group, []).append(mean)
    return groups


def _find_group(outcome: Outcome[FormatExtra]) -> Group:
    extra = outcome.extra
    return Group(extra.dataset, extra.prompting, extra.category)


def compute_key_rates(
    outcomes: Sequence[Outcome[FormatExtra]], *, intervals: bool = True
) -> Metrics:
    """Compute how many answers in each mapping have flawed keys (sections 5.4 and C.4).

    `unreadable_keys` is the share of answers without a mapping. The others are shares of the
    answers with one, whether they follow the format or not: `invented_keys`, `missing_keys`,
    `duplicate_keys` and `split_keys`. An answer can have several flaws.

    Args:
        outcomes: The outcomes of one group. Those of old logs, which lack the flaws, do not count.
        intervals: Whether intervals are computed.
    """
    table = build_outcome_table(outcomes, column=attrgetter("extra.format"), intervals=intervals)

    def has_flaw(flaw: str, outcome: Outcome[FormatExtra]) -> bool | None:
        flaws = outcome.extra.key_flaws
        is_unknown = flaws is None or (flaw != UNREADABLE and UNREADABLE in flaws)
        return None if is_unknown else flaw in (flaws or ())

    metrics: Metrics = {}
    for flaw in (UNREADABLE, *KEY_FLAWS):
        flawed = table.grid(partial(has_flaw, flaw))
        for column, name in enumerate(table.columns):
            metrics[f"{flaw}_keys/{name}"] = rate(table.sample(flawed[:, column]))
    return metrics


def compute_reliable_shares(by_group: Mapping[Group, Metrics]) -> Metrics:
    """Compute the share of reliable results over formats, data sets and promptings (section 5).

    A format that no answer follows is not reliable. A verdict without a value, since all scores
    are equal, does not count.

    Args:
        by_group: The metrics of each group.

    Returns:
        `reliable_share` of all results, and of each category if there are several; nan without any
        verdict.
    """
    verdicts: dict[str, list[float]] = {}
    for group, metrics in by_group.items():
        for name, verdict in metrics.items():
            if name.startswith("reliable/") and not (verdict.n and math.isnan(verdict.value)):
                value = verdict.value if verdict.n else 0.0
                verdicts.setdefault(group.category, []).append(value)
    categories = sorted({group.category for group in by_group})
    pooled = {"reliable_share": [value for values in verdicts.values() for value in values]}
    if len(categories) > 1:
        pooled |= {f"{name}/reliable_share": verdicts.get(name, []) for name in categories}
    return {
        name: Estimate.without_interval(sum(values) / len(values), len(values))
        if values
        else NO_ESTIMATE
        for name, values in pooled.items()
    }


def mean_over_groups(variances: Mapping[Group, Estimate]) -> Estimate:
    """Compute `mean_bias_f`, the mean of `bias_f_corrected`, with a MOVER interval.

    Errors of one data set add up, because its groups may share items. Those of different data sets
    add up in squares, unless the data sets are about the same texts (`texts_of`).

    Args:
        variances: `bias_f_corrected` by group.

    Returns:
        The mean; nan if one of the variances is nan.
    """
    texts = np.array([texts_of(group.dataset) for group in variances])
    same_texts = (texts[:, None] == texts).astype(float)
    return mover_mean(list(variances.values()), same_texts)


def average_metrics(
    parts: Mapping[Part, Sequence[FormatOutcome]],
    protocol: PaperProtocol,
    *,
    intervals: bool = True,
) -> Metrics:
    """Average FI, Sys and EstTrue of each format over parts, and compare the averages.

    Only formats that every part has are averaged. An average of EstTrue is undefined if no answer
    of a part follows the format; published, the part counts as 0, as in the paper's tables.
    Corrected, the variance is of the formats that enough answers of every part follow. The errors
    of parts about the same texts correlate, because they share clusters.

    Args:
        parts: The outcomes by data set and prompting.
        protocol: `corrected` or `published`.
        intervals: Whether intervals are computed.
    """
    qualified = (
        replace(
            outcome,
            item=_qualify(part[:1], outcome.item),
            cluster=_qualify([texts_of(part[0])], outcome.cluster),
            format=_qualify(part, outcome.format),
        )
        for part, outcomes in parts.items()
        for outcome in outcomes
    )
    run = build_table(qualified, intervals=intervals)
    shared = set.intersection(*({row.format for row in rows} for rows in parts.values()))
    columns = {
        name: [run.formats.index(_qualify(part, name)) for part in parts] for name in sorted(shared)
    }
    metrics: Metrics = {}
    for metric in FORMAT_METRICS:
        covariance, n_clusters = _part_covariance(run, metric)
        averages: Metrics = {}
        for name, indices in columns.items():
            estimates = [find_estimate(run, metric, column) for column in indices]
            if metric == "est_true" and protocol == "published":
                zero = Estimate(0.0, 0.0, 0.0, 0)
                estimates = [estimate if estimate.n else zero for estimate in estimates]
            error_correlation = _part_correlation(covariance[np.ix_(indices, indices)], parts)
            averages[name] = _average(estimates, error_correlation)
        metrics |= {f"{metric}/{name}": average for name, average in averages.items()}
        if metric == "sys":
            continue
        compared = np.full(len(run.formats), True)
        if metric == "est_true" and protocol == "corrected":
            compared = find_comparable(run, protocol)
        defined = [name for name in averages if compared[columns[name]].all()]
        weights = np.zeros((len(defined), len(run.formats)))
        for row, name in enumerate(defined):
            weights[row, columns[name]] = 1 / len(parts)
        variance = variance_metrics(
            [averages[name] for name in defined],
            weights @ covariance @ weights.T,
            n_clusters,
            run.cluster.size,
        )
        metrics |= {"fi_var": variance["bias_f"]} if metric == "fi" else variance
    return metrics


def _qualify(prefixes: Sequence[str], name: str) -> str:
    """Return a name that is unique across parts."""
    return "\n".join((*prefixes, name))


def _part_covariance(run: FormatTable, metric: str) -> tuple[Floats, int]:
    """Return the covariance of a metric's errors over the columns of all parts.

    It is 0 for columns without any denominator, such as EstTrue if no answer follows.
    """
    defined = run.ratio(metric)[1].sum(axis=0) > 0
    covariance = np.zeros((defined.size, defined.size))
    covariance[np.ix_(defined, defined)], n_clusters = error_covariance(
        run.select_formats(defined), metric
    )
    return covariance, n_clusters


def _part_correlation(covariance: Floats, parts: Mapping[Part, Any]) -> Floats:
    """Return the correlations of the parts' errors.

    A part without variance has correlation 1 with the parts about the same texts.
    """
    correlations = correlation(covariance)
    texts = np.array([texts_of(dataset) for dataset, _ in parts])
    no_variance = np.diagonal(covariance) == 0
    same_texts = texts[:, None] == texts
    correlations[same_texts & (no_variance[:, None] | no_variance)] = 1.0
    return correlations


def _average(estimates: Sequence[Estimate], error_correlation: Floats) -> Estimate:
    """Return the mean of the parts' estimates with a MOVER interval."""
    mean = mover_mean(estimates, error_correlation)
    if math.isnan(mean.value):
        return mean
    high = min(mean.ci_high, max(mean.value, 1.0))
    return replace(mean, ci_low=max(mean.ci_low, 0.0), ci_high=high)


def _collect_averages(
    groups: Mapping[Group, Sequence[FormatOutcome]], varying: _Varying
) -> dict[Group, dict[Part, Sequence[FormatOutcome]]]:
    """Return the parts of each average, by its group with `AVERAGE` for what is averaged."""
    averages: dict[Group, dict[Part, Sequence[FormatOutcome]]] = {}
    for over_datasets, over_promptings in ((True, False), (False, True), (True, True)):
        if (over_datasets and not varying.dataset) or (over_promptings and not varying.prompting):
            continue
        for group, outcomes in groups.items():
            average = group
            if over_datasets:
                average = average._replace(dataset=AVERAGE)
            if over_promptings:
                average = average._replace(prompting=AVERAGE)
            averages.setdefault(average, {})[group.dataset, group.prompting] = outcomes
    return {group: parts for group, parts in averages.items() if len(parts) > 1}


def _add_group_names(group: Group, varying: _Varying, metrics: Metrics) -> Metrics:
    """Return the metrics with the names of their group that vary within the run."""
    prefix = [name for name, varies in zip(group[:2], varying[:2], strict=True) if varies]
    if set(prefix) == {AVERAGE}:
        prefix = [AVERAGE]
    # Metrics of one format (`fi/bolding`) need no category.
    category = [group.category] if varying.category else []
    return {
        "/".join([*prefix, *([] if "/" in name else category), name]): metric
        for name, metric in metrics.items()
    }
