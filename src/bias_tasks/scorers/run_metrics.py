"""The metrics of a run for Inspect: all of them, or those that the task reports."""

import logging
from collections.abc import Callable, Sequence
from time import perf_counter

from inspect_ai.scorer import Metric, SampleScore, metric

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.logged_outcomes import LoggedOutcome, find_logged_outcome
from bias_tasks.contract.metrics import summarize_metrics, with_headline
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.unparsed_notice import unparsed_notice
from bias_tasks.families import load_family
from bias_tasks.solvers.inspect_api import register_logged_name, sample_state
from bias_tasks.statistics.estimate import flatten

logger = logging.getLogger(__name__)

_MIN_PAUSE = 50
"""While a run is going on, metrics are recomputed after this many times their own duration."""


def compute_rarely(compute: Callable[[Sequence[SampleScore], bool], dict[str, float]]) -> Metric:
    """Return a metric that recomputes its values rarely while a run is going on.

    Inspect requests the metrics of all scores after every sample, for its display. The metrics in
    the log are always those of all answers.

    Args:
        compute: Returns metrics of scores. Its second argument is True while the run is going on.
    """
    latest: dict[str, tuple[float, dict[str, float]]] = {}

    def metric(scores: list[SampleScore]) -> dict[str, float]:
        model = _running_model(scores)
        if model is None:
            return compute(scores, False)
        start = perf_counter()
        if model not in latest or start >= latest[model][0]:
            values = compute(scores, True)
            end = perf_counter()
            latest[model] = (end + _MIN_PAUSE * (end - start), values)
        return latest[model][1]

    return metric


def _running_model(scores: Sequence[SampleScore]) -> str | None:
    """Return the model of the sample whose completion makes Inspect request metrics.

    That sample has the last of the scores. None if no sample is running, or another run's, as at
    the end of a run that a sample of another run started.
    """
    state = sample_state()
    if state is None or not scores or not state.completed or not state.scores:
        return None
    return str(state.model) if scores[-1].sample_id == state.sample_id else None


@metric(scores="unreduced")
def all_metrics(options: ParameterValues | None = None, run_digest: str | None = None) -> Metric:
    """Compute every metric of the run.

    The values are `<name>`, its 95 % interval `<name>_ci_low` to `<name>_ci_high`, the number of
    its items `<name>_n` and, for several differences side by side, its Holm-adjusted p-value
    `<name>_p`. Several epochs are several runs of the whole plan.

    Args:
        options: The task's parameters on which metrics depend, by name; by default those that the
            scores hold.
        run_digest: Digest of the run. A run that `inspect eval-retry` mixed with answers to other
            prompts, as after a change of a data file, has no metrics.
    """

    def compute(scores: Sequence[SampleScore], running: bool) -> dict[str, float]:
        family, logged = _select_outcomes(scores, run_digest)
        if family is None:
            return {}
        values = logged[0].options if options is None else options
        return flatten(family.compute_metrics([row.outcome for row in logged], values))

    return compute_rarely(compute)


@metric(scores="unreduced")
def headline(
    task: str,
    options: ParameterValues | None = None,
    run_digest: str | None = None,
    planned: str | None = None,
) -> Metric:
    """Compute the headline metric of the task with its interval, and the task's reported metrics.

    The first value is the headline under its name. Then follow its `stderr`, `ci_low` and
    `ci_high`, `<name>` and `<name>_stderr` for each other metric that the task reports, and
    `items`. `bias-tasks results --all` prints every metric of a log with its interval, and the
    metric `all_metrics` logs them.

    Args:
        task: The task's name in its family.
        options: As in `all_metrics`.
        run_digest: As in `all_metrics`.
        planned: The printed name of the headline metric. It has no value if its questions were not
            answered. By default the first of the task's headlines that the run has.
    """

    def compute(scores: Sequence[SampleScore], running: bool) -> dict[str, float]:
        family, logged = _select_outcomes(scores, run_digest)
        if family is None:
            return {}
        outcomes = [row.outcome for row in logged]
        if not running:
            findings = family.findings(outcomes, options or {})
            for notice in filter(None, (unparsed_notice(family, outcomes), *findings)):
                logger.warning("%s: %s", task, notice)
        metrics = with_headline(family.compute_metrics(outcomes, options or {}), planned)
        return summarize_metrics(family.tasks[task], metrics)

    return compute_rarely(compute)


def _select_outcomes(
    scores: Sequence[SampleScore], run_digest: str | None
) -> tuple[AnyFamily | None, list[LoggedOutcome]]:
    """Return the family of a run and its outcomes; None and no outcomes if it has none.

    Raises:
        ValueError: Samples belong to a run with other prompts.
    """
    logged = [
        outcome
        for score in scores
        if (outcome := find_logged_outcome(score.score, score.sample_metadata, load_family))
    ]
    others = sum(outcome.run_digest not in (None, run_digest) for outcome in logged)
    if run_digest is not None and others:
        raise ValueError(
            f"{others} of {len(logged)} samples belong to a run with other prompts: data, a "
            "template or bias-tasks has changed since then. Start a new run with `inspect eval`."
        )
    family = load_family(logged[0].family) if logged else None
    return family, logged


register_logged_name(all_metrics)
register_logged_name(headline)
