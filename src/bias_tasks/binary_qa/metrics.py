"""All metrics of a run: overall, by domain, and over the domains."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bias_tasks.binary_qa.items import (
    BINARY_LABELS,
    COMPARED_VARIANTS,
    REFORMULATIONS,
    VARIANTS,
    Variant,
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
from bias_tasks.binary_qa.metrics_table import MISSING, UNPARSED, BinaryTable, compute_agreement
from bias_tasks.names import PaperProtocol
from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.estimate import QUANTILE, Estimate, standard_error
from bias_tasks.statistics.intervals import NO_ESTIMATE, intervals_enabled, rate
from bias_tasks.statistics.magnitude import Magnitude, magnitude
from bias_tasks.statistics.outcomes import Mask

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
        protocol: Under `published`, unparsed answers are consistent with each other, and the
            opposite of every parsed answer.
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
        is_yes = table.average_epochs(answer == _YES, answer != MISSING)
        metrics["yes_rate"] = rate(table.weighted_sample(is_yes))
    for name, variants in COMPARED_VARIANTS.items():
        if table.has_answers("original", *variants):
            metrics[name] = _estimate_agreement(table, variants, protocol)
    # Not every question has every rewording: these metrics cover only the questions that do.
    for kind in REFORMULATIONS:
        if table.has_answers("original", kind):
            metrics[f"agreement/{kind}"] = _estimate_agreement(table, (kind,), protocol)
            metrics[f"coverage/{kind}"] = _compute_coverage(table, (kind,))
    for name in ("prc", "nrc"):
        if table.has_answers("original", *COMPARED_VARIANTS[name]):
            metrics[f"coverage/{name}"] = _compute_coverage(table, COMPARED_VARIANTS[name])
    for variant in VARIANTS:
        if table.has_answers(variant):
            answer = table.answers_under(variant)
            is_correct = answer == table.correct_answers(variant)
            correct = table.average_epochs(is_correct, answer != MISSING)
            metrics[f"acc/{variant}"] = rate(table.weighted_sample(correct))
    n_answers = (table.answers != MISSING).sum(axis=1)
    unparsed = (table.answers == UNPARSED).sum(axis=1) / n_answers
    unparsed_shares = table.average_epochs(unparsed, n_answers > 0)
    return metrics | {"unparsed": rate(table.weighted_sample(unparsed_shares))}


def _estimate_agreement(
    table: BinaryTable, variants: Sequence[Variant], protocol: PaperProtocol
) -> Estimate:
    return rate(table.weighted_sample(compute_agreement(table, variants, protocol)))


def _compute_coverage(table: BinaryTable, variants: Sequence[Variant]) -> Estimate:
    """Return the share of questions with all variants; it is known and needs no interval."""
    share = float(_find_complete_questions(table, variants).mean())
    return Estimate.without_interval(share, table.gold.size)


def _find_complete_questions(table: BinaryTable, variants: Sequence[str]) -> Mask:
    """Return which questions have the original and all these variants in one epoch."""
    complete = np.logical_and.reduce(
        [table.answers_under(variant) != MISSING for variant in ("original", *variants)]
    )
    return table.average_epochs(complete, complete).known


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
    and is nan if too few questions are reworded (`explain_missing_mbs`).

    Args:
        run: All questions.
        tables: The questions of each domain.
        metrics: The metrics of the run.
        by_domain: The metrics of each domain.
        protocol: As for `compute_table_metrics`.
        weights: As `normalize_weights` returns them.
    """
    composites = {f"std/{name}": NO_ESTIMATE for name in CORE_METRICS if name in metrics}
    several_domains = len(tables) > 1
    if several_domains and all(name in metrics for name in weights):
        composites["mbs"] = NO_ESTIMATE
    defined = [
        name for name in CORE_METRICS if all(part.get(name, NO_ESTIMATE).n for part in by_domain)
    ]
    if not several_domains or not defined:
        return composites | compute_averages(run, by_domain, {}, protocol)
    std = {name: float(np.std([part[name].value for part in by_domain])) for name in defined}
    for name, value in std.items():
        composites[f"std/{name}"] = Estimate.without_interval(value, metrics[name].n)
    has_mbs = set(weights) <= set(defined) and _has_enough_rewordings(run, weights)
    if has_mbs:
        value = compute_mbs({name: metrics[name].value for name in weights}, std, weights)
        n = min(metrics[name].n for name in weights)
        composites["mbs"] = Estimate.without_interval(value, n)
    if not intervals_enabled() or any(np.unique(table.cluster).size < 2 for table in tables):
        return composites | compute_averages(run, by_domain, {}, protocol)
    # Precision is far from linear if an answer is rare, so its own interval is more reliable.
    is_precision = np.array([name == "delta_precision" for name in defined])
    own_errors = [[standard_error(part[name]) for name in defined] for part in by_domain]
    min_errors = np.where(is_precision, own_errors, 0.0)
    overall, within = simulate_errors(run, tables, defined, min_errors, protocol)
    errors = dict(zip(defined, overall.T, strict=True))
    domain_errors = {name: within[:, :, index] for index, name in enumerate(defined)}
    spreads: dict[str, Magnitude] = {}
    for name, value in std.items():
        values = [part[name].value for part in by_domain]
        spreads[name] = compute_spread(values, domain_errors[name])
        low, high = spreads[name].interval(_MISSED_BELOW, _MISSED_ABOVE)
        composites[f"std/{name}"] = _build_estimate(value, low, high, metrics[name].n)
    if has_mbs:
        composites["mbs"] = estimate_mbs(composites["mbs"], metrics, spreads, errors, weights)
    return composites | compute_averages(run, by_domain, domain_errors, protocol)


def compute_spread(values: Sequence[float], errors: Floats) -> Magnitude:
    """Return the population standard deviation of a metric over domains.

    Args:
        values: The metric in each of k domains.
        errors: Its simulated errors, draws by k.
    """
    deviations = np.array(values) - np.mean(values)
    return magnitude(deviations, errors - errors.mean(axis=1, keepdims=True))


def _has_enough_rewordings(run: BinaryTable, weights: Mapping[str, float]) -> bool:
    kinds = select_weighted_reformulations(weights)
    complete = _find_complete_questions(run, kinds)
    reworded = {
        name: complete[run.domain == code].tolist() for code, name in enumerate(run.domains)
    }
    return not kinds or explain_missing_mbs(reworded) is None


def _build_estimate(value: float, low: float, high: float, n: int) -> Estimate:
    """Return an estimate whose interval includes its value."""
    return Estimate(value, min(low, value), max(high, value), n)


def compute_averages(
    run: BinaryTable,
    by_domain: Sequence[Metrics],
    errors: Mapping[str, Floats],
    protocol: PaperProtocol,
) -> Metrics:
    """Return `average/<metric>` of every core metric, with equal domain weights (tables 3 to 6).

    If all domains have the same size, the average of a consistency is the share over all questions.
    F1 and the precisions are not means, and a file's domains can differ in size.

    Args:
        run: All questions.
        by_domain: The metrics of each domain.
        errors: Simulated errors of core metrics, draws by domains; without them the averages of F1
            and the deltas have nan bounds.
        protocol: As for `compute_table_metrics`.

    Returns:
        Empty for fewer than two domains; nan for a metric that a domain does not define.
    """
    if len(by_domain) < 2:
        return {}
    compute_averages: Metrics = {}
    for name in CORE_METRICS:
        if any(name not in part for part in by_domain):
            continue
        parts = [part[name] for part in by_domain]
        value, n = float(np.mean([part.value for part in parts])), sum(part.n for part in parts)
        if not all(part.n for part in parts):
            average = NO_ESTIMATE
        elif name in COMPARED_VARIANTS:  # a share in which all domains have the same total weight
            agreement = compute_agreement(run, COMPARED_VARIANTS[name], protocol)
            sample = run.weighted_sample(agreement)
            sizes = np.bincount(run.domain, sample.weights)
            average = rate(replace(sample, weights=sample.weights / sizes[run.domain]))
        elif name not in errors:
            average = Estimate.without_interval(value, n)
        else:
            simulated = errors[name].mean(axis=1)
            low, high = value - np.quantile(simulated, [QUANTILE, 1 - QUANTILE])
            lowest = -1.0 if name in SIGNED_METRICS else 0.0
            average = _build_estimate(value, max(float(low), lowest), min(float(high), 1.0), n)
        compute_averages[f"average/{name}"] = average
    return compute_averages
