"""All metrics of a run: overall, by domain, and over the domains."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bias_tasks.binary_qa.items import (
    BINARY_LABELS,
    COMPARED_VARIANTS,
    REFORMULATIONS,
    VARIANTS,
    explain_missing_mbs,
    select_weighted_reformulations,
)
from bias_tasks.binary_qa.metrics_core import (
    CLASS_METRICS,
    SIGNED_METRICS,
    CoreMetrics,
    compute_core_metrics,
)
from bias_tasks.binary_qa.metrics_mbs import (
    CORE_METRICS,
    DEFAULT_WEIGHTS,
    compute_mbs,
    estimate_mbs,
    normalize_weights,
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
from bias_tasks.statistics.cluster_bootstrap import estimate_by_draws
from bias_tasks.statistics.correlation import spearman
from bias_tasks.statistics.effective_size import Floats, WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.magnitude import Magnitude, magnitude
from bias_tasks.statistics.outcomes import Mask
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE, rate

Metrics = dict[str, Estimate]
_YES = BINARY_LABELS.index("Yes")
_MISSED_BELOW, _MISSED_ABOVE = 0.03, 0.02
"""Error rates of a standard deviation's interval: how often the true value is below it, and above.
They differ because a true value of 0 can only be below."""


class _Share(NamedTuple):
    """A metric that is a mean over questions, and the variants without which it does not exist."""

    sample: WeightedSample
    variants: tuple[str, ...]


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
    shares = dict(_collect_shares(run, protocol))
    everything = np.ones_like(run.gold, dtype=np.bool_)
    consistencies = {
        name: shares[name].sample
        for name, variants in COMPARED_VARIANTS.items()
        if run.has_answers(everything, ("original", *variants))
    }
    core = compute_core_metrics(run, consistencies)
    metrics = _compute_scope(run, shares, core, everything, 0)
    by_domain = [
        _compute_scope(run, shares, core, run.domain == code, code + 1)
        for code in range(len(run.domains))
    ]
    metrics |= _compute_composites(run, core, metrics, by_domain, normalized)
    for domain, domain_metrics in zip(run.domains, by_domain, strict=True):
        metrics |= {f"{domain}/{name}": metric for name, metric in domain_metrics.items()}
    n_domains = Estimate.without_interval(float(len(run.domains)), run.gold.size)
    return metrics | {"n_domains": n_domains}


def _collect_shares(run: BinaryTable, protocol: PaperProtocol) -> Iterator[tuple[str, _Share]]:
    """Yield the means over questions by name; those of variants that were not run are empty."""
    original, is_parsed = ("original",), find_parsed(run, ("original",))
    answer = run.answers_under("original")
    yield "yes_rate", _Share(run.average_epochs(answer == _YES, is_parsed), original)
    compared = {**COMPARED_VARIANTS, **{f"agreement/{kind}": (kind,) for kind in REFORMULATIONS}}
    for name, others in compared.items():
        variants = ("original", *others)
        yield name, _Share(compute_agreement(run, others, protocol), variants)
        all_parsed = find_parsed(run, variants)
        coverage = run.average_epochs(all_parsed, np.ones_like(all_parsed))
        yield f"coverage/{name.removeprefix('agreement/')}", _Share(coverage, variants)
    for variant in VARIANTS:
        answer = run.answers_under(variant)
        is_correct = answer == run.correct_answers(variant)
        yield (
            f"acc/{variant}",
            _Share(run.average_epochs(is_correct, answer != MISSING), (variant,)),
        )
    n_answers = (run.answers != MISSING).sum(axis=1)
    unparsed = (run.answers == UNPARSED).sum(axis=1) / n_answers
    yield "unparsed", _Share(run.average_epochs(unparsed, n_answers > 0), ())


def _compute_scope(
    run: BinaryTable,
    shares: Mapping[str, _Share],
    core: CoreMetrics,
    questions: Mask,
    scope: int,
) -> Metrics:
    """Return the metrics that exist both for a run and for each of its domains.

    Args:
        run: The run.
        shares: The means over questions by name.
        core: The core metrics of the run.
        questions: The questions of the scope.
        scope: Its number in `core`.
    """
    metrics: Metrics = {}
    if run.has_answers(questions, ("original",)):
        metrics |= {name: core.estimate_class_metric(name, scope) for name in CLASS_METRICS}
        metrics |= _compute_confidence(run, questions)
    return metrics | {
        name: rate(share.sample.taken(questions))
        for name, share in shares.items()
        if run.has_answers(questions, share.variants)
    }


def _compute_confidence(run: BinaryTable, questions: Mask) -> Metrics:
    """Return the metrics of questions whose likelihoods were compared; empty without any."""
    probability = run.yes_probability
    is_known = ~np.isnan(probability) & questions[run.outcomes.item]
    if not is_known.any():
        return {}
    is_parsed = find_parsed(run, ("original",))
    is_correct = run.answers_under("original") == run.correct_answers("original")
    chosen = np.maximum(probability, 1 - probability)
    metrics = {
        f"confidence/{name}": rate(run.average_epochs(chosen, rows & is_known & is_parsed))
        for name, rows in (("correct", is_correct), ("wrong", ~is_correct))
    }
    others = [variant for variant in VARIANTS if variant != "original"]
    has_pair = np.array([find_parsed(run, ("original", variant)) for variant in others])
    agrees = np.array([find_agreement(run, variant) for variant in others])
    n_pairs = has_pair.sum(axis=0)
    inconsistency = (has_pair & ~agrees).sum(axis=0) / np.maximum(n_pairs, 1)
    is_compared = is_known & (n_pairs > 0)
    margins = run.average_epochs(2 * chosen - 1, is_compared).used()
    shares = run.average_epochs(inconsistency, is_compared).used()
    both = np.column_stack([margins.values, shares.values])
    metrics["inconsistency_spearman"] = spearman(
        both, margins.clusters, intervals=margins.intervals
    )
    return metrics


def _compute_composites(
    run: BinaryTable,
    core: CoreMetrics,
    metrics: Metrics,
    by_domain: Sequence[Metrics],
    weights: Mapping[str, float],
) -> Metrics:
    """Return `std/<metric>` and `average/<metric>` of every core metric of a run, and `mbs`.

    A run over one domain has no average and no `mbs`. `mbs` needs every metric that has a weight,
    and is nan if too few questions are reworded (`explain_missing_mbs`). `mbs_consistent` is the
    `mbs` of the same answers to the original questions if all other answers were consistent.

    Args:
        run: All questions.
        core: Its core metrics.
        metrics: The metrics of the run.
        by_domain: The metrics of each domain.
        weights: As `normalize_weights` returns them.
    """
    composites = {f"std/{name}": NO_ESTIMATE for name in CORE_METRICS if name in metrics}
    if len(by_domain) < 2:
        return composites
    if all(name in metrics for name in weights):
        composites |= dict.fromkeys(("mbs", "mbs_consistent"), NO_ESTIMATE)
    defined = [
        name for name in CORE_METRICS if all(part.get(name, NO_ESTIMATE).n for part in by_domain)
    ]
    values = {name: core.values[name][1:] for name in defined}
    has_intervals = core.draws is not None and (core.n_clusters > 1).all()
    errors: dict[str, Floats] = {}
    if core.draws is not None and has_intervals:
        errors = {name: core.draws[name] - core.draws[name].mean(axis=0) for name in defined}
    for name in CORE_METRICS:
        if all(name in part for part in by_domain):
            composites[f"average/{name}"] = _compute_average(name, by_domain, errors.get(name))
    composites |= {
        f"std/{name}": _compute_deviation(values[name], errors.get(name), metrics[name].n)
        for name in defined
    }
    if set(weights) <= set(defined) and _has_enough_rewordings(run, weights):
        composites |= _compute_scores(core, values, errors, metrics, weights)
    return composites


def _has_enough_rewordings(run: BinaryTable, weights: Mapping[str, float]) -> bool:
    """Return whether enough of the questions that are asked under every variant are reworded."""
    kinds = select_weighted_reformulations(weights)
    if not kinds:
        return True
    # Under `published`, a question counts whether or not its answers are parsed.
    complete = compute_agreement(run, kinds, "published").weights > 0
    # Every question has the variant `reversed`, unless it is asked under those of `nrc` alone.
    is_asked = run.answers_under("reversed") != MISSING
    is_full = run.average_epochs(is_asked, is_asked).weights > 0
    domains = [run.domains[code] for code in run.domain[is_full]]
    return explain_missing_mbs(domains, complete[is_full].tolist()) is None


def _compute_average(name: str, by_domain: Sequence[Metrics], errors: Floats | None) -> Estimate:
    """Return the mean of a core metric over the domains, which have equal weights (tables 3 to 6).

    If all domains have the same size, the average of a consistency is the share over all questions.
    F1 and the precisions are not means, and a file's domains can differ in size.

    Args:
        name: Name of the metric.
        by_domain: The metrics of each domain.
        errors: Its simulated errors, draws by scopes; None without intervals.
    """
    parts = [metrics[name] for metrics in by_domain]
    if not all(part.n for part in parts):
        return NO_ESTIMATE
    value, n = float(np.mean([part.value for part in parts])), sum(part.n for part in parts)
    if errors is None:
        return Estimate.without_interval(value, n)
    lowest = -1.0 if name in SIGNED_METRICS else 0.0
    return estimate_by_draws(value, value + errors[:, 1:].mean(axis=1), n, (lowest, 1.0))


def _compute_deviation(values: Floats, errors: Floats | None, n: int) -> Estimate:
    """Return the standard deviation of a core metric over the domains.

    Args:
        values: The metric of each domain.
        errors: Its simulated errors, draws by scopes; None without intervals.
        n: Number of questions.
    """
    std = float(np.std(values))
    if errors is None:
        return Estimate.without_interval(std, n)
    low, high = _measure_deviation(values, errors).interval(_MISSED_BELOW, _MISSED_ABOVE)
    return Estimate(std, min(low, std), max(high, std), n)


def _measure_deviation(values: Floats, errors: Floats) -> Magnitude:
    """Return the standard deviation of a metric over the domains as a size with noise."""
    noise = errors[:, 1:] - errors[:, 1:].mean(axis=1, keepdims=True)
    return magnitude(values - values.mean(), noise)


def _compute_scores(
    core: CoreMetrics,
    domain_values: Mapping[str, Floats],
    errors: Mapping[str, Floats],
    metrics: Metrics,
    weights: Mapping[str, float],
) -> Metrics:
    """Return `mbs` and `mbs_consistent`.

    Args:
        core: The core metrics of the run.
        domain_values: Each core metric by domain.
        errors: Their simulated errors; empty without intervals.
        metrics: The metrics of the run.
        weights: As `normalize_weights` returns them.
    """
    values = {name: float(core.values[name][0]) for name in weights}
    std = {name: float(np.std(domain_values[name])) for name in weights}
    n = min(metrics[name].n for name in weights)
    score = Estimate.without_interval(compute_mbs(values, std, weights), n)
    consistent = compute_mbs(
        values | dict.fromkeys(COMPARED_VARIANTS, 1.0),
        std | dict.fromkeys(COMPARED_VARIANTS, 0.0),
        weights,
    )
    if errors:
        whole = {name: errors[name][:, 0] for name in weights}
        deviations = {
            name: _measure_deviation(domain_values[name], errors[name]) for name in weights
        }
        score = estimate_mbs(score, values, whole, deviations, weights)
    return {"mbs": score, "mbs_consistent": Estimate.without_interval(consistent, n)}
