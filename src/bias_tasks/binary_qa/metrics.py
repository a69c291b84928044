"""All metrics of a run: overall, by domain, and over the domains."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bias_tasks.binary_qa.items import (
    BINARY_LABELS,
    COMPARED_VARIANTS,
    REFORMULATIONS,
    VARIANTS,
    explain_missing_mbs,
    select_weighted_reformulations,
)
from bias_tasks.binary_qa.metrics_classes import compute_class_metrics
from bias_tasks.binary_qa.metrics_mbs import (
    CORE_METRICS,
    DEFAULT_WEIGHTS,
    SIGNED_METRICS,
    compute_mbs,
    estimate_mbs,
    normalize_weights,
    simulate_errors,
)
from bias_tasks.binary_qa.metrics_table import (
    MISSING,
    UNPARSED,
    BinaryTable,
    compute_agreement,
    find_agreement,
    find_parsed,
)
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.correlation import spearman
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import QUANTILE, Estimate, standard_error
from bias_tasks.statistics.magnitude import Magnitude, magnitude
from bias_tasks.statistics.outcomes import Mask
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, intervals_enabled, rate

Metrics = dict[str, Estimate]
_YES = BINARY_LABELS.index("Yes")
_MISSED_BELOW, _MISSED_ABOVE = 0.03, 0.02
"""Error rates of a standard deviation's interval: how often the true value is below it, and above.
They differ because a true value of 0 can only be below."""


def compute_table_metrics(
    run: BinaryTable, protocol: PaperProtocol, weights: Mapping[str, float] | None = None
) -> Metrics:
    """Return every metric of a run with its 95 % interval, by name.

    Only metrics whose variants occur are included. A metric that is undefined (an empty
    denominator, the precision of a class that is never predicted, a standard deviation over one
    domain) is nan with n = 0, and so is every metric computed from it. A metric over a single
    cluster has nan bounds. Answers are compared within an epoch, and a question's value is the mean
    over its epochs.

    Args:
        run: The outcomes.
        protocol: Consistency compares parsed answers only. Under `published`, unparsed answers are
            consistent with each other, and the opposite of every parsed answer.
        weights: Weights of the core metrics in `mbs`; None for the paper's.

    Raises:
        ValueError: The weights are invalid (`normalize_weights`).
    """
    normalized = normalize_weights(DEFAULT_WEIGHTS if weights is None else weights)
    tables = [run.select_domain(code) for code in range(len(run.domains))]
    by_domain = [_compute_shared_metrics(table, protocol) for table in tables]
    metrics = _compute_shared_metrics(run, protocol)
    metrics |= compute_composites(run, tables, metrics, by_domain, protocol, normalized)
    for domain, domain_metrics in zip(run.domains, by_domain, strict=True):
        metrics |= {f"{domain}/{name}": metric for name, metric in domain_metrics.items()}
    n_domains = Estimate.without_interval(float(len(run.domains)), run.gold.size)
    return metrics | {"n_domains": n_domains}


def _compute_shared_metrics(table: BinaryTable, protocol: PaperProtocol) -> Metrics:
    """Return the metrics that exist both for a run and for each of its domains."""
    metrics: Metrics = {}
    if table.has_answers("original"):
        answer = table.answers_under("original")
        metrics |= compute_class_metrics(table)
        is_parsed = find_parsed(table, ("original",))
        metrics["yes_rate"] = rate(table.average_epochs(answer == _YES, is_parsed))
        metrics |= _compute_confidence(table, is_parsed)
    compared = {**COMPARED_VARIANTS, **{f"agreement/{kind}": (kind,) for kind in REFORMULATIONS}}
    for name, variants in compared.items():
        if table.has_answers("original", *variants):
            metrics[name] = rate(compute_agreement(table, variants, protocol))
            is_parsed = find_parsed(table, ("original", *variants))
            coverage = table.average_epochs(is_parsed, np.ones_like(is_parsed))
            metrics[f"coverage/{name.removeprefix('agreement/')}"] = rate(coverage)
    for variant in VARIANTS:
        if table.has_answers(variant):
            answer = table.answers_under(variant)
            is_correct = answer == table.correct_answers(variant)
            metrics[f"acc/{variant}"] = rate(table.average_epochs(is_correct, answer != MISSING))
    n_answers = (table.answers != MISSING).sum(axis=1)
    unparsed = (table.answers == UNPARSED).sum(axis=1) / n_answers
    return metrics | {"unparsed": rate(table.average_epochs(unparsed, n_answers > 0))}


def _compute_confidence(table: BinaryTable, is_parsed: Mask) -> Metrics:
    """Return the metrics of a run that compared likelihoods; empty for other runs.

    Args:
        table: The run.
        is_parsed: The rows whose original question has a parsed answer.
    """
    probability = table.yes_probability
    is_known = ~np.isnan(probability)
    if not is_known.any():
        return {}
    is_correct = table.answers_under("original") == table.correct_answers("original")
    chosen = np.maximum(probability, 1 - probability)
    metrics = {
        f"confidence/{name}": rate(table.average_epochs(chosen, rows & is_known & is_parsed))
        for name, rows in (("correct", is_correct), ("wrong", ~is_correct))
    }
    others = [variant for variant in VARIANTS if variant != "original"]
    has_pair = np.array([find_parsed(table, ("original", variant)) for variant in others])
    agrees = np.array([find_agreement(table, variant) for variant in others])
    n_pairs = has_pair.sum(axis=0)
    inconsistency = (has_pair & ~agrees).sum(axis=0) / np.maximum(n_pairs, 1)
    is_compared = is_known & (n_pairs > 0)
    margins = table.average_epochs(2 * chosen - 1, is_compared)
    used = margins.weights > 0
    shares = table.average_epochs(inconsistency, is_compared)
    both = np.column_stack([margins.values, shares.values])
    metrics["inconsistency_spearman"] = spearman(both[used], table.cluster[used])
    return metrics


def _find_complete_questions(table: BinaryTable, variants: Sequence[str]) -> Mask:
    """Return which questions have the original and all these variants in one epoch."""
    return compute_agreement(table, variants, "published").weights > 0


def compute_composites(
    run: BinaryTable,
    tables: Sequence[BinaryTable],
    metrics: Metrics,
    by_domain: Sequence[Metrics],
    protocol: PaperProtocol,
    weights: Mapping[str, float],
) -> Metrics:
    """Return `std/<metric>` and `average/<metric>` of every core metric of a run, and `mbs`.

    A run over one domain has no average and no `mbs`. `mbs` needs every metric that has a weight,
    and is nan if too few questions are reworded (`explain_missing_mbs`). `mbs_consistent` is the
    `mbs` of the same answers to the original questions if all other answers were consistent.

    Args:
        run: All questions.
        tables: The questions of each domain.
        metrics: The metrics of the run.
        by_domain: The metrics of each domain.
        protocol: As for `compute_table_metrics`.
        weights: As `normalize_weights` returns them.
    """
    composites = {f"std/{name}": NO_ESTIMATE for name in CORE_METRICS if name in metrics}
    if len(tables) < 2:
        return composites
    if all(name in metrics for name in weights):
        composites |= dict.fromkeys(("mbs", "mbs_consistent"), NO_ESTIMATE)
    defined = [
        name for name in CORE_METRICS if all(part.get(name, NO_ESTIMATE).n for part in by_domain)
    ]
    values = {name: np.array([part[name].value for part in by_domain]) for name in defined}
    std = {name: float(np.std(values[name])) for name in defined}
    for name, value in std.items():
        composites[f"std/{name}"] = Estimate.without_interval(value, metrics[name].n)
    has_mbs = set(weights) <= set(defined) and _has_enough_rewordings(run, weights)
    if has_mbs:
        core = {name: metrics[name].value for name in weights}
        n = min(metrics[name].n for name in weights)
        composites["mbs"] = Estimate.without_interval(compute_mbs(core, std, weights), n)
        consistent = core | dict.fromkeys(COMPARED_VARIANTS, 1.0)
        score = compute_mbs(consistent, std | dict.fromkeys(COMPARED_VARIANTS, 0.0), weights)
        composites["mbs_consistent"] = Estimate.without_interval(score, n)
    domain_errors: Mapping[str, Floats] = {}
    several_clusters = all(np.unique(table.cluster).size > 1 for table in tables)
    if defined and intervals_enabled() and several_clusters:
        # Precision is far from linear if an answer is rare, so its own interval is more reliable.
        min_errors = [
            [standard_error(part[name]) if name == "delta_precision" else 0.0 for name in defined]
            for part in by_domain
        ]
        errors, domain_errors = simulate_errors(run, tables, defined, min_errors, protocol)
        spreads: dict[str, Magnitude] = {}
        for name, value in std.items():
            noise = domain_errors[name] - domain_errors[name].mean(axis=1, keepdims=True)
            spreads[name] = magnitude(values[name] - values[name].mean(), noise)
            low, high = spreads[name].interval(_MISSED_BELOW, _MISSED_ABOVE)
            composites[f"std/{name}"] = _build_estimate(value, low, high, metrics[name].n)
        if has_mbs:
            composites["mbs"] = estimate_mbs(composites["mbs"], metrics, spreads, errors, weights)
    for name in CORE_METRICS:
        if all(name in part for part in by_domain):
            parts = [part[name] for part in by_domain]
            average = _compute_average(name, run, parts, domain_errors.get(name), protocol)
            composites[f"average/{name}"] = average
    return composites


def _has_enough_rewordings(run: BinaryTable, weights: Mapping[str, float]) -> bool:
    kinds = select_weighted_reformulations(weights)
    if not kinds:
        return True
    complete = _find_complete_questions(run, kinds)
    domains = [run.domains[code] for code in run.domain]
    return explain_missing_mbs(domains, complete.tolist()) is None


def _build_estimate(value: float, low: float, high: float, n: int) -> Estimate:
    """Return an estimate whose interval includes its value."""
    return Estimate(value, min(low, value), max(high, value), n)


def _compute_average(
    name: str,
    run: BinaryTable,
    parts: Sequence[Estimate],
    errors: Floats | None,
    protocol: PaperProtocol,
) -> Estimate:
    """Return the mean of a core metric over the domains, which have equal weights (tables 3 to 6).

    If all domains have the same size, the average of a consistency is the share over all questions.
    F1 and the precisions are not means, and a file's domains can differ in size.

    Args:
        name: Name of the metric.
        run: All questions.
        parts: The metric of each domain.
        errors: Its simulated errors, draws by domains; without them F1 and the deltas have nan
            bounds.
        protocol: As for `compute_table_metrics`.
    """
    if not all(part.n for part in parts):
        return NO_ESTIMATE
    if name in COMPARED_VARIANTS:  # a share in which all domains have the same total weight
        sample = compute_agreement(run, COMPARED_VARIANTS[name], protocol)
        sizes = np.bincount(run.domain, sample.weights)
        return rate(replace(sample, weights=sample.weights / sizes[run.domain]))
    value, n = float(np.mean([part.value for part in parts])), sum(part.n for part in parts)
    if errors is None:
        return Estimate.without_interval(value, n)
    low, high = value - np.quantile(errors.mean(axis=1), [QUANTILE, 1 - QUANTILE])
    lowest = -1.0 if name in SIGNED_METRICS else 0.0
    return _build_estimate(value, max(float(low), lowest), min(float(high), 1.0), n)
