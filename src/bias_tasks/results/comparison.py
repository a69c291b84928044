"""Compares finished runs of either framework: differences of metrics, intervals and verdicts."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import filter as filter_names
from fnmatch import fnmatchcase
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, TypeAlias

from scipy.special import bdtrc

from bias_tasks.contract.metrics import Better, MetricSpec, find_headline
from bias_tasks.contract.outcomes import AnyOutcome
from bias_tasks.results.answer_distribution import count_unparsed
from bias_tasks.results.answers import RunAnswers, compute_run_metrics, pause_garbage_collection
from bias_tasks.results.caveats import format_headline
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.results.run_pairing import Attempt, PairedRuns, find_differences, pair_runs
from bias_tasks.results.verdicts import Verdict, explain_unparsed
from bias_tasks.statistics import paired_metrics
from bias_tasks.statistics.effective_size import Ints
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.holm import holm, holm_adjusted
from bias_tasks.statistics.paired_metrics import ClusterGroups, PairedMetric, Replicated
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE
from bias_tasks.user_names import did_you_mean

SHARES = ""
"""The pattern of a margin for all shares and differences of shares."""
_SIGNIFICANCE_LEVEL = 0.05
_WITHOUT_VALUE = ("unparsed", "unscored")
"""Statuses of attempts at questions that gave no value."""
_MAX_RISE_WITHOUT_VALUE = 0.1
"""A run is worse if its share of answers without a value under a variant rises significantly by
more. It is the share from which a run reports them."""
_MAX_LISTED = 12
"""Metrics that a message lists."""
_MAX_SHARE_WITHOUT_VALUE = 0.5
"""A run is worse than any other if more of its answers have no value."""


class MetricComparison(NamedTuple):
    """One metric in two runs, over the items that both have."""

    name: str
    headline: bool
    """Whether it is the headline metric of the task; of another package's, each metric is."""
    spec: MetricSpec
    result: PairedMetric
    margin: float | None
    """Largest difference that counts as equivalent; None if nothing is equivalent."""
    verdict: Verdict
    """Verdict on the second run against the first."""
    reason: str = ""
    """Why nothing is known if the verdict is NO VALUE or UNPARSED; else empty."""
    p_adjusted: float = math.nan
    """p-value, Holm-adjusted over all headlines or over all other metrics of the comparison."""


class PairComparison(NamedTuple):
    """The comparison of a baseline run with another run of the same task."""

    first: Run
    second: Run
    paired: PairedRuns
    metrics: tuple[MetricComparison, ...]
    regressions: tuple[str, ...] = ()
    """Reasons, besides metrics, why the second run is worse: its answers without a value."""

    @property
    def not_measured(self) -> list[MetricComparison]:
        """The headline, or all metrics if none of them has a verdict that says something."""
        unknown = [metric for metric in self.metrics if metric.reason]
        is_all = len(unknown) == len(self.metrics)
        return [metric for metric in unknown if metric.headline or is_all]


class NotCompared(NamedTuple):
    """A run that is in no pair."""

    run: Run
    reason: str
    failed: bool
    """Whether it is incompatible with its baseline, or named as a baseline."""


class RunComparison(NamedTuple):
    """All pairs of runs of one comparison."""

    pairs: tuple[PairComparison, ...]
    not_compared: tuple[NotCompared, ...] = ()

    @property
    def metrics(self) -> list[MetricComparison]:
        """The metrics of all pairs."""
        return [metric for pair in self.pairs for metric in pair.metrics]

    def tests(self, *, headline: bool) -> int:
        """Return the number of p-values over which Holm's adjustment is made.

        Args:
            headline: Count those of headlines; otherwise those of all other metrics.
        """
        return sum(
            metric.headline == headline and not math.isnan(metric.p_adjusted)
            for metric in self.metrics
        )


_ReplicateCache: TypeAlias = dict[
    frozenset[tuple[str, str]], tuple[ClusterGroups, dict[Run, Replicated]]
]
"""Groups of clusters and metrics of runs, by the items and variants that two runs share. They are
computed once for all pairs of a run."""


def compare_runs(
    runs: Sequence[RunAnswers],
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    metric: str | None = None,
    all_metrics: bool = False,
    margins: Mapping[str, float] | None = None,
) -> RunComparison:
    """Compare each run with the baseline run of its task, on the items that both have.

    Args:
        runs: The runs, in the order of the output.
        baseline: Path of a log or name of a model; by default the first run of each task.
        all_pairs: Compare all pairs of runs instead.
        metric: Pattern of the names of metrics; by default the headline metric, and each metric of
            another package's task.
        all_metrics: Compare all metrics.
        margins: Largest differences that count as equivalent, by patterns of metrics and `SHARES`.

    Raises:
        UnusableRunError: There is nothing to compare, no such baseline, or no such metric.
    """
    pairs, not_compared = _select_pairs(runs, baseline, all_pairs=all_pairs)
    cache: _ReplicateCache = {}
    margins = margins or {}
    names: set[str] = set()
    compared: list[PairComparison] = []
    with pause_garbage_collection():
        for first, second in pairs:
            try:
                paired = pair_runs(first, second)
                metrics = _compute_paired_metrics(paired, cache)
            except UnusableRunError as error:
                not_compared.append(NotCompared(second.run, str(error), failed=True))
                continue
            names |= metrics.keys()
            pattern = "*" if all_metrics else metric
            compared.append(_compare_pair(paired, metrics, pattern, margins))
    if not compared:
        reasons = "; ".join(dict.fromkeys(left.reason for left in not_compared))
        raise UnusableRunError(f"there is nothing to compare: {reasons}")
    for pattern in filter(None, [metric, *margins]):
        if not any(fnmatchcase(name, pattern) for name in names):
            near = did_you_mean([pattern], names)
            hint = "`bias-tasks results --all` lists all metrics"
            if len(names) <= _MAX_LISTED:
                hint = f"expected {', '.join(sorted(names))}"
            raise UnusableRunError(f"no metric matches {pattern!r}{near}; {hint}")
    return RunComparison(_add_verdicts(compared), tuple(not_compared))


def _select_pairs(
    runs: Sequence[RunAnswers], baseline: str | None, *, all_pairs: bool
) -> tuple[list[tuple[RunAnswers, RunAnswers]], list[NotCompared]]:
    """Return the pairs to compare (`group_comparable`) and the runs without a counterpart."""
    pairs: list[tuple[RunAnswers, RunAnswers]] = []
    not_compared: list[NotCompared] = []
    for of_task in _group_runs(runs, lambda run: [run.record.family, run.record.task]):
        task = of_task[0].run.record.task
        named = [run for run in of_task if baseline is not None and _matches(run.run, baseline)]
        for group in _group_by_parameters(of_task):
            baselines = group[:1] if baseline is None else [run for run in group if run in named]
            if len(group) > 1 and all_pairs:
                pairs += combinations(group, 2)
            elif len(group) > 1 and len(baselines) == 1:
                pairs += [(baselines[0], run) for run in group if run is not baselines[0]]
            elif len(baselines) > 1:
                count = f"{len(baselines)} runs of {task} match --baseline {baseline}"
                raise UnusableRunError(f"{count}: give the path of one log")
            else:
                if named or baseline is None:
                    reason = _explain_no_counterpart(task, group, of_task)
                else:
                    reason = f"no run of {task} matches --baseline {baseline}: name another"
                not_compared += [NotCompared(run.run, reason, run in named) for run in group]
    return pairs, not_compared


def group_comparable(runs: Sequence[RunAnswers]) -> list[list[RunAnswers]]:
    """Return the groups of runs that are compared with each other.

    Runs of a task with the same parameters are compared; `n` may differ if each model has one run.
    If there are no two of these, runs with different parameters are compared.

    Args:
        runs: The runs of any tasks.
    """
    by_task = _group_runs(runs, lambda run: [run.record.family, run.record.task])
    return [group for of_task in by_task for group in _group_by_parameters(of_task)]


def _group_by_parameters(of_task: Sequence[RunAnswers]) -> list[list[RunAnswers]]:
    groups = _group_runs(of_task, lambda run: _list_parameters(run) | {"n": None})
    if any(len({run.run.model for run in group}) < len(group) for group in groups):
        groups = _group_runs(of_task, _list_parameters)
    return [list(of_task)] if all(len(group) == 1 for group in groups) else groups


def _group_runs(runs: Iterable[RunAnswers], key: Callable[[Run], object]) -> list[list[RunAnswers]]:
    groups: dict[str, list[RunAnswers]] = {}
    for run in runs:
        groups.setdefault(json.dumps(key(run.run), sort_keys=True, default=str), []).append(run)
    return list(groups.values())


def _list_parameters(run: Run) -> dict[str, object]:
    return {**run.record.parameters, "metrics_of": run.record.metrics_of}


def _matches(run: Run, baseline: str) -> bool:
    """Return whether a run is of the model, or its log is at or below the path, `baseline`."""
    path, log = Path(baseline).resolve(), run.path.resolve()
    return run.model == baseline or path in (log, *log.parents)


def _explain_no_counterpart(
    task: str, group: Sequence[RunAnswers], of_task: Sequence[RunAnswers]
) -> str:
    other = next((run.run for run in of_task if run not in group), None)
    if other is None:
        return f"there is no other run of {task}: give two or more"
    differences = find_differences(group[0].run, other)
    listed = "; ".join(str(d) for d in differences if d.kind == "parameter")
    return f"its parameters differ from those of the compared runs of {task} ({listed})"


def _compute_paired_metrics(paired: PairedRuns, cache: _ReplicateCache) -> dict[str, PairedMetric]:
    """Compute the metrics of two runs and their differences."""
    outcomes = paired.first.outcomes()
    keys = frozenset((outcome.item, outcome.variant) for outcome in outcomes)
    if keys not in cache:
        golds = [outcome.gold or "" for outcome in outcomes]
        cache[keys] = paired_metrics.group_clusters([o.cluster for o in outcomes], golds), {}
    groups, replicated = cache[keys]
    for answers in (paired.first, paired.second):
        if answers.run not in replicated:
            replicated[answers.run] = _replicate(answers, groups)
    first, second = (replicated[answers.run] for answers in (paired.first, paired.second))
    return paired_metrics.paired_metrics(first, second, groups)


def _replicate(answers: RunAnswers, groups: ClusterGroups) -> Replicated:
    """Compute the metrics of a run, and of each group of its clusters."""

    def compute_subset(indices: Ints) -> Mapping[str, Estimate]:
        subset = tuple(answers.answers[index] for index in indices)
        return compute_run_metrics(replace(answers, answers=subset), intervals=False)

    clusters = [outcome.cluster for outcome in answers.outcomes()]
    by_group = paired_metrics.replicates(compute_subset, clusters, groups)
    return Replicated(compute_run_metrics(answers), by_group)


def _compare_pair(
    paired: PairedRuns,
    metrics: Mapping[str, PairedMetric],
    pattern: str | None,
    margins: Mapping[str, float],
) -> PairComparison:
    """Return the selected metrics, the headline first; `_add_verdicts` sets their verdicts."""
    run = paired.second.run
    known = [*metrics, *paired.first.run.metrics, *run.metrics]
    headline = run.record.headline or find_headline(run.spec, known)
    of_other_task = paired.first.run.metric_specs | run.metric_specs
    headlines = dict.fromkeys([headline] if headline else of_other_task)
    selected = list(headlines) if pattern is None else filter_names(metrics, pattern)
    comparisons = []
    for name in sorted(selected, key=lambda name: name not in headlines):
        result, spec = metrics.get(name, _NOTHING), _find_metric_spec(paired, name)
        is_count = _is_count(result.first) and _is_count(result.second)
        if is_count and name not in headlines:
            continue
        margin = _find_margin(name, spec, margins)
        verdict, reason = _explain_not_measured(paired, name, spec, result)
        bounded = _bound_difference(result, spec.high - spec.low)
        comparison = MetricComparison(
            name, name in headlines, spec, bounded, margin, verdict, reason
        )
        comparisons.append(comparison)
    regressions = tuple(find_regressions(paired))
    return PairComparison(paired.first.run, run, paired, tuple(comparisons), regressions)


def _find_metric_spec(paired: PairedRuns, name: str) -> MetricSpec:
    """Return the declaration of a metric; a score that one run alone has in [0, 1] is no share."""
    first, second = (answers.run.metric_spec(name) for answers in (paired.first, paired.second))
    return first if first.unit == "score" and second.unit == "share" else second


def find_regressions(paired: PairedRuns) -> Iterator[str]:
    """Yield the reasons, besides metrics, why the second run is worse: answers without a value.

    Samples without a score count like unparsed answers. A task that measures the form of answers
    may have mostly unparsed ones in runs that are equally good.

    Args:
        paired: The two runs.
    """
    attempts = paired.second_attempts
    statuses = Counter(attempt.status for attempt in attempts)
    kind = "unparsed or unscored" if statuses["unscored"] else "unparsed"
    is_form = paired.second.run.family.measures_form
    count = statuses["unscored"] + (0 if is_form else statuses["unparsed"])
    if count > _MAX_SHARE_WITHOUT_VALUE * len(attempts):
        yield f"{count:,} of {len(attempts):,} answers are {kind}"
        return
    before, after = (_compute_shares(a) for a in (paired.first_attempts, attempts))
    p_values = _test_rise(paired)
    for variant, share in after.items():
        rises = share - before[variant] > _MAX_RISE_WITHOUT_VALUE
        if rises and p_values[variant] < _SIGNIFICANCE_LEVEL:
            shares = f"{share:.0%}, and {before[variant]:.0%} in the first run"
            yield f"the share of {kind} answers under {variant} rises: {shares}"


def _compute_shares(attempts: Iterable[Attempt]) -> dict[str, float]:
    """Return the share of attempts without a value by variant, from 0 to 1."""
    by_variant: dict[str, list[bool]] = {}
    for attempt in attempts:
        by_variant.setdefault(attempt.variant, []).append(attempt.status in _WITHOUT_VALUE)
    return {variant: fmean(values) for variant, values in by_variant.items()}


def _test_rise(paired: PairedRuns) -> dict[str, float]:
    """Return Holm-adjusted p-values of more answers without a value in the second run, by variant.

    They are from one-sided sign tests over the clusters in which the runs differ.
    """
    changes: dict[str, Counter[str]] = {}
    # Runs may differ in their number of epochs; each is weighted with the attempts of the other.
    first, second = paired.first_attempts, paired.second_attempts
    for attempts, weight in ((second, len(first)), (first, -len(second))):
        for attempt in attempts:
            change = changes.setdefault(attempt.variant, Counter())
            change[attempt.cluster] += weight * (attempt.status in _WITHOUT_VALUE)
    p_values = []
    for change in changes.values():
        rises, falls = (sum(sign * n > 0 for n in change.values()) for sign in (1, -1))
        p_values.append(float(bdtrc(rises - 1, rises + falls, 0.5)))
    return dict(zip(changes, holm(p_values), strict=True))


_NOTHING = PairedMetric(NO_ESTIMATE, NO_ESTIMATE, NO_ESTIMATE, math.nan)
"""A metric that neither run has."""


def _explain_not_measured(
    paired: PairedRuns, name: str, spec: MetricSpec, result: PairedMetric
) -> tuple[Verdict, str]:
    """Return NO VALUE or UNPARSED with the reason; INCONCLUSIVE without one if there is a value."""
    runs = (paired.first, paired.second)
    if _all_unparsed(name, [outcome for run in runs for outcome in run.outcomes()]):
        return "UNPARSED", "neither run has a parsed answer"
    for run in runs:
        counts = count_unparsed(run.distributions())
        if reason := explain_unparsed(run.run.family, spec, name, counts):
            return "UNPARSED", f"{run.run.model}: {reason}"
    reasons = [
        f"{answers.run.model}: {format_headline(answers.run, name).interval}"
        for answers in runs
        if math.isnan(answers.run.metrics.get(name, NO_ESTIMATE).value)
    ]
    if math.isnan(result.difference.value):
        reason = "; ".join(dict.fromkeys(reasons)) or "the questions of both runs give no value"
        return "NO VALUE", reason
    return "INCONCLUSIVE", ""


def _is_count(estimate: Estimate) -> bool:
    """Return whether a value is not an estimate but counts items or answers."""
    return math.isfinite(estimate.value) and math.isnan(estimate.ci_low)


def _find_margin(name: str, spec: MetricSpec, margins: Mapping[str, float]) -> float | None:
    """Return the margin of the last pattern that matches; None if there is no margin."""
    matching = [m for pattern, m in margins.items() if pattern and fnmatchcase(name, pattern)]
    if matching:
        return matching[-1]
    return margins.get(SHARES) if spec.unit in ("share", "difference") else None


def _bound_difference(result: PairedMetric, max_difference: float) -> PairedMetric:
    """Return the metric with confidence bounds that lie within the possible differences."""
    change = result.difference
    low, high = max(change.ci_low, -max_difference), min(change.ci_high, max_difference)
    return replace(result, difference=replace(change, ci_low=low, ci_high=high))


def _all_unparsed(name: str, outcomes: Sequence[AnyOutcome]) -> bool:
    """Return whether all answers are unparsed under the variants that the metric's name states."""
    parts = set(name.split("/"))
    in_variants = [outcome for outcome in outcomes if outcome.variant in parts]
    return all(outcome.answer is None for outcome in in_variants or outcomes)


def _add_verdicts(pairs: Sequence[PairComparison]) -> tuple[PairComparison, ...]:
    """Return the pairs with adjusted p-values, and the verdicts that follow from these."""
    adjusted: dict[str, Estimate] = {}
    for headline in (True, False):
        metrics = [m for pair in pairs for m in pair.metrics if m.headline == headline]
        adjusted |= holm_adjusted({str(id(m)): m.result.difference for m in metrics})

    def add_verdict(metric: MetricComparison) -> MetricComparison:
        change = adjusted[str(id(metric))]
        verdict = metric.verdict
        if not metric.reason:
            verdict = decide_verdict(change, metric.margin, metric.spec.better)
        p_adjusted = math.nan if change.p is None else change.p
        return metric._replace(p_adjusted=p_adjusted, verdict=verdict)

    return tuple(pair._replace(metrics=tuple(map(add_verdict, pair.metrics))) for pair in pairs)


def decide_verdict(difference: Estimate, margin: float | None, better: Better | None) -> Verdict:
    """Return the verdict on a difference whose p-value is adjusted.

    EQUIVALENT has priority: a significant difference may be too small to matter.

    Args:
        difference: Second run minus first run.
        margin: Largest difference that counts as equivalent, or None.
        better: Which direction is better, or None.
    """
    low, high = difference.ci_low, difference.ci_high
    if math.isnan(low) or difference.p is None or math.isnan(difference.p):
        return "INCONCLUSIVE"
    if margin is not None and -margin < low and high < margin:
        return "EQUIVALENT"
    if difference.p >= _SIGNIFICANCE_LEVEL:
        return "INCONCLUSIVE"
    rises = difference.value > 0
    if better is None:
        return "HIGHER" if rises else "LOWER"
    return "BETTER" if rises == (better == "higher") else "WORSE"
