"""Ranks the models of one task: who is probably best, and who cannot be told apart."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fnmatch import filter as filter_names
from glob import escape
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

from bias_tasks.contract.metrics import MetricSpec
from bias_tasks.families import PROBING
from bias_tasks.results.answers import RunAnswers, compute_run_metrics
from bias_tasks.results.comparison import MetricComparison, compare_runs, group_comparable
from bias_tasks.results.other_tasks import is_other_task
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.statistics.cluster_bootstrap import bootstrap_errors
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.rate_intervals import NO_ESTIMATE

_SIGNIFICANCE_LEVEL = 0.05
_REPEATS = 30
"""Simulated repeats of a run with several epochs."""
_BASELINE_SCORE, _SCORE_CHANGE = "score/baseline", "score_change/"
_OPTION_PROBES = ("order", "labels", "separator", "casing")
_EQUIVALENT_PROBES = (*_OPTION_PROBES, "paraphrase", "system", "instruction", "format")
"""Probes that ask the same question in an equally valid way: they neither help nor mislead."""


class RankedRun(NamedTuple):
    """A run in a ranking."""

    run: Run
    label: str
    """The model; if several runs are of it, with the path of the log."""
    estimate: Estimate
    p_best: float
    """Probability that it is the best, from 0 to 1; nan if an interval is missing."""
    group: int
    """Number of its tie group, from 1: it does not differ significantly from the group's best."""


class RankedPair(NamedTuple):
    """Two runs of a ranking, of which the first is ranked higher."""

    comparison: MetricComparison
    """The difference is the second run minus the first. p-values are Holm-adjusted over the pairs
    of the ranking."""
    reversal_by_prompt: float
    """Probability that another equally valid prompt reverses their order; nan if not known."""
    reversal_by_repeat: float
    """Probability that a repeat reverses their order; nan without epochs."""


class Ranking(NamedTuple):
    """The runs of one task by one metric, on the items that all of them have."""

    task: str
    spec: MetricSpec
    name: str
    """The printed name of the metric."""
    items: int
    left_out: int
    """Number of items that some of the runs have, and not all of them."""
    ranked: tuple[RankedRun, ...]
    """The best first."""
    pairs: Mapping[tuple[int, int], RankedPair]
    """By indices in `ranked`, the smaller one first."""


def rank_runs(
    runs: Sequence[RunAnswers], metric: str | None = None
) -> tuple[list[Ranking], list[str]]:
    """Rank the runs of each task with the same parameters, on the items that all of them have.

    Args:
        runs: The runs.
        metric: Pattern of the names of metrics; by default the headline metric, and each metric of
            another package's task.

    Returns:
        The rankings, and what is not ranked with the reason.

    Raises:
        UnusableRunError: Nothing can be ranked.
    """
    rankings: list[Ranking] = []
    not_ranked: list[str] = []
    for group in group_comparable(runs):
        first = group[0].run
        known = dict.fromkeys(name for answers in group for name in answers.run.metrics)
        scores = dict.fromkeys(name for answers in group for name in answers.run.metric_specs)
        default = [first.headline] if first.headline else [*scores]
        names = default if metric is None else filter_names(known, metric)
        if not names:
            not_ranked.append(f"{first.record.task}: no metric matches {metric!r}")
        for name in names:
            try:
                rankings.append(_rank(group, name))
            except UnusableRunError as error:
                not_ranked.append(f"{first.record.task}: {name}: {error}")
    if not rankings:
        raise UnusableRunError(f"there is nothing to rank: {'; '.join(not_ranked)}")
    return rankings, not_ranked


def _rank(group: Sequence[RunAnswers], name: str) -> Ranking:
    """Rank runs by one metric.

    Raises:
        UnusableRunError: Runs cannot be compared, one has no value, or no direction is better.
    """
    if is_other_task(group[0].run):  # The other scores of a sample are other variants.
        group = [_select_answers(run, lambda key: key[1] == name) for run in group]
    shared, left_out = _select_shared(group)
    spec = group[0].run.metric_spec(name)
    if spec.better is None:
        raise UnusableRunError("neither direction is better; choose another metric (--score)")
    sign = 1 if spec.better == "higher" else -1
    values = {}
    for answers in shared:
        metrics_of_run = compute_run_metrics(answers, intervals=False)
        values[answers] = sign * metrics_of_run.get(name, NO_ESTIMATE).value
        if math.isnan(values[answers]):
            raise UnusableRunError(f"{answers.run.path} has no value")
    ordered = sorted(shared, key=values.__getitem__, reverse=True)
    compared = compare_runs(ordered, all_pairs=True, metric=escape(name))
    if compared.not_compared:
        raise UnusableRunError(compared.not_compared[0].reason)
    indices = list(combinations(range(len(ordered)), 2))
    metrics = dict(zip(indices, compared.metrics, strict=True))
    results = {j: metric.result.second for (_, j), metric in metrics.items()}
    estimates = [metrics[0, 1].result.first, *(results[j] for j in range(1, len(ordered)))]
    models = [answers.run.model for answers in ordered]
    labels = [
        f"{model} ({answers.run.path})" if models.count(model) > 1 else model
        for model, answers in zip(models, ordered, strict=True)
    ]
    best = _compute_best(estimates, metrics, sign)
    groups = _group_ties(len(ordered), metrics)
    return Ranking(
        group[0].run.record.task,
        spec,
        name,
        compared.pairs[0].paired.items,
        left_out,
        tuple(map(RankedRun, [a.run for a in ordered], labels, estimates, best, groups)),
        _add_reversals(ordered, metrics, name),
    )


def _select_shared(runs: Sequence[RunAnswers]) -> tuple[list[RunAnswers], int]:
    """Return the runs with the answers to the questions that all have; number of other items."""
    keys = [{(o.item, o.variant) for o in run.outcomes()} for run in runs]
    shared = set.intersection(*keys)
    if len(runs) < 2:
        raise UnusableRunError(f"there is no other run like {runs[0].run.path}")
    if not shared:
        raise UnusableRunError("its runs have no item in common")
    left_out = {item for item, _ in set.union(*keys)} - {item for item, _ in shared}
    return [_select_answers(run, shared.__contains__) for run in runs], len(left_out)


def _select_answers(run: RunAnswers, is_kept: Callable[[tuple[str, str]], bool]) -> RunAnswers:
    """Return the run with some of its answers, selected by item and variant."""
    kept = (a for a in run.answers if is_kept((a.outcome.item, a.outcome.variant)))
    return replace(run, answers=tuple(kept))


def _compute_best(
    estimates: Sequence[Estimate], metrics: Mapping[tuple[int, int], MetricComparison], sign: int
) -> list[float]:
    """Return the probability of each run to be the best, by normal draws; equal draws share it."""
    arms = np.array([(estimate.ci_high - estimate.ci_low) / 2 for estimate in estimates])
    if np.isnan(arms).any():
        return [math.nan] * len(estimates)
    related = np.eye(len(estimates))
    for (i, j), metric in metrics.items():
        related[i, j] = related[j, i] = metric.result.correlation
    values = np.array([estimate.value for estimate in estimates])
    draws = sign * (values + bootstrap_errors(arms, related))
    is_best = draws == draws.max(axis=1, keepdims=True)
    shares: list[float] = (is_best / is_best.sum(axis=1, keepdims=True)).mean(axis=0).tolist()
    return shares


def _group_ties(count: int, metrics: Mapping[tuple[int, int], MetricComparison]) -> list[int]:
    """Return the tie group of each run: the first whose best it does not differ from."""
    leaders: list[int] = []
    groups = []
    for index in range(count):
        for number, leader in enumerate(leaders, start=1):
            if not metrics[leader, index].p_adjusted < _SIGNIFICANCE_LEVEL:
                groups.append(number)
                break
        else:
            leaders.append(index)
            groups.append(len(leaders))
    return groups


def _add_reversals(
    runs: Sequence[RunAnswers], metrics: Mapping[tuple[int, int], MetricComparison], name: str
) -> dict[tuple[int, int], RankedPair]:
    """Return the pairs with the probabilities that their order changes.

    The next difference is normal about the mean of the m that were observed, with the variance
    s^2 (1 + 1 / m), as in the prediction interval of a normal sample; s^2 is estimated.
    """
    prompts = [_list_prompt_values(run, name) for run in runs]
    errors = [_estimate_repeat_error(run, name) for run in runs]
    pairs = {}
    for (i, j), metric in metrics.items():
        shared = prompts[i].keys() & prompts[j].keys()
        changes = np.array([prompts[j][prompt] - prompts[i][prompt] for prompt in shared])
        m, by_prompt = changes.size, math.nan
        if m > 1:
            error = float(changes.std(ddof=1)) * math.sqrt(1 + 1 / m)
            by_prompt = estimate_reversal(float(changes.mean()), error, m - 1)
        error = math.hypot(errors[i], errors[j])
        by_repeat = estimate_reversal(metric.result.difference.value, error, _REPEATS - 1)
        pairs[i, j] = RankedPair(metric, by_prompt, by_repeat)
    return pairs


def estimate_reversal(difference: float, error: float, df: int) -> float:
    """Return the probability that another difference has the other sign; nan if one is nan.

    Args:
        difference: The observed difference.
        error: Standard error with which it predicts the other one.
        df: Degrees of freedom of the error.
    """
    if error == 0:
        return 0.0 if difference else 0.5
    return float(stdtr(df, -abs(difference) / error))


def _list_prompt_values(answers: RunAnswers, name: str) -> dict[str, float]:
    """Return the score under each equally valid prompt of a probed task; else an empty dict."""
    if answers.run.record.family != PROBING or name != _BASELINE_SCORE:
        return {}
    metrics = compute_run_metrics(answers, intervals=False)
    names = (f"{_SCORE_CHANGE}{probe}" for probe in _EQUIVALENT_PROBES)
    changes = {"": 0.0} | {n: metrics[n].value for n in names if n in metrics}
    return {prompt: metrics[name].value + change for prompt, change in changes.items()}


def _estimate_repeat_error(answers: RunAnswers, name: str) -> float:
    """Return the standard error with which a run predicts its repeat; nan without epochs.

    Each of several simulated repeats has a random epoch of each item. With m epochs, the variance
    among them is (m - 1) / m of the true one.
    """
    m = max(outcome.epoch for outcome in answers.outcomes())
    if m == 1:
        return math.nan
    items, codes = np.unique([o.item for o in answers.outcomes()], return_inverse=True)
    rng, values = np.random.default_rng(0), []
    for _ in range(_REPEATS):
        epochs = rng.integers(1, m + 1, items.size)[codes].tolist()
        subset = tuple(
            a for a, e in zip(answers.answers, epochs, strict=True) if a.outcome.epoch == e
        )
        metrics = compute_run_metrics(replace(answers, answers=subset), intervals=False)
        values.append(metrics.get(name, NO_ESTIMATE).value)
    return float(np.std(values, ddof=1)) * math.sqrt(m / (m - 1) * (1 + 1 / m))
