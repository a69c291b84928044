"""The answers of a finished run of either framework with their outcomes, and its metrics."""

import gc
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from bias_tasks.contract.metrics import with_headline
from bias_tasks.contract.outcomes import AnyOutcome
from bias_tasks.contract.unparsed_notice import unparsed_notice
from bias_tasks.results.answer_distribution import AnswerDistribution, count_labels
from bias_tasks.results.frameworks.harness_output import read_harness_answers, read_harness_scores
from bias_tasks.results.frameworks.record import metric_options
from bias_tasks.results.other_tasks import (
    count_left_out,
    describe_metrics,
    is_other_task,
    split_scores,
)
from bias_tasks.results.run import (
    FAILED,
    KeepText,
    KeyedAnswer,
    Run,
    Samples,
    ScoredAnswer,
    UnscoredSample,
    UnusableRunError,
    list_reasons,
)
from bias_tasks.results.text import shorten
from bias_tasks.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True, eq=False)
class RunAnswers:
    """The scored answers of one run, sorted by epoch and id in Inspect, by document in lm-eval."""

    run: Run
    answers: tuple[ScoredAnswer, ...]
    unscored: tuple[UnscoredSample, ...] = ()
    """The samples of its log that have no score, and are in no metric."""

    def outcomes(self) -> list[AnyOutcome]:
        """Return the outcomes of the answers."""
        return [answer.outcome for answer in self.answers]

    def distributions(self) -> tuple[AnswerDistribution, ...]:
        """Return the distributions of the answers by variant and kind of question."""
        pairs = ((answer.scoring_data, answer.outcome) for answer in self.answers)
        return count_labels(self.run.family, pairs)


def load_answers(
    run: Run,
    keep: KeepText = None,
    *,
    cluster: str | None = None,
    lower_is_better: Collection[str] = (),
) -> RunAnswers:
    """Load the answers of a run and of all of its shards.

    Args:
        run: The run.
        keep: Returns what to keep of each model output; None keeps nothing.
        cluster: For another package's task, the field of the sample's metadata, or of lm-eval's
            document, that items of one cluster share; by default items are independent.
        lower_is_better: Metrics of another package's task of which lower values are better.

    Returns:
        The answers, and the run with all that they show: its metrics, items, samples, distributions
        and findings.

    Raises:
        UnusableRunError: The log has no answers, or they cannot be read.
    """
    with pause_garbage_collection():
        keyed = sorted(_read_answers(run, keep, cluster), key=lambda pair: pair[0])
    samples_read = [sample for _, sample in keyed]
    answers = tuple(sample for sample in samples_read if isinstance(sample, ScoredAnswer))
    unscored = tuple(sample for sample in samples_read if isinstance(sample, UnscoredSample))
    scored_keys = {key for key, sample in keyed if isinstance(sample, ScoredAnswer)}
    without_score = {key: s.reason for key, s in keyed if isinstance(s, UnscoredSample)}
    reasons = Counter(reason for key, reason in without_score.items() if key not in scored_keys)
    if not answers:
        raise UnusableRunError(_explain_no_answer(run, reasons))
    samples = _count_samples(run, len(scored_keys | without_score.keys()), reasons)
    run = replace(run, samples=samples, unscored_reasons=reasons)
    if is_other_task(run):
        outcomes = [answer.outcome for answer in answers]
        run = replace(run, metric_specs=describe_metrics(run, outcomes, lower_is_better))
    loaded = RunAnswers(run, answers, unscored)
    return replace(loaded, run=complete_run(loaded))


def load_all_metrics(run: Run) -> Run:
    """Return the run with all that its answers show, without the answers.

    Raises:
        UnusableRunError: As in `load_answers`.
    """
    return load_answers(run).run


def complete_run(answers: RunAnswers) -> Run:
    """Return the run of answers with all that they show.

    Raises:
        UnusableRunError: As in `compute_run_metrics`.
    """
    run = answers.run
    metrics = compute_run_metrics(answers)
    options, outcomes = metric_options(run.spec, run.record), answers.outcomes()
    notice = unparsed_notice(run.family, outcomes)
    left_out = count_left_out(answers.unscored) if is_other_task(run) else ()
    counts = run.family.counts(outcomes, metrics, options)
    return replace(
        run,
        metrics=metrics,
        n=int(metrics["items"].value),
        distributions=answers.distributions(),
        findings=(*run.family.findings(outcomes, options), *filter(None, [notice]), *left_out),
        counts=counts,
        baseline_correct=count_baseline_correct(answers),
        repeats=_count_repeats(answers),
    )


def count_baseline_correct(answers: RunAnswers) -> tuple[int, int]:
    """Return the number of correct baseline answers, and of those that are correct or wrong."""
    family, outcomes = answers.run.family, answers.outcomes()
    baseline = [o for o in outcomes if family.baseline_variant(o.variant) is None] or outcomes
    correct = [is_correct for o in baseline if (is_correct := family.is_correct(o)) is not None]
    return sum(correct), len(correct)


def compute_run_metrics(answers: RunAnswers, *, intervals: bool = True) -> dict[str, Estimate]:
    """Compute all metrics of a run.

    Args:
        answers: The answers of the run.
        intervals: Whether intervals are computed.

    Raises:
        UnusableRunError: The answers contradict each other or lack something.
    """
    run = answers.run
    try:
        options = metric_options(run.spec, run.record)
        metrics = run.family.compute_metrics(answers.outcomes(), options, intervals=intervals)
        return with_headline(metrics, run.record.headline)
    except ValueError as error:
        raise UnusableRunError(f"{run.path}: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        reason = f"its answers are not as {run.record.task} logs them ({error!r})"
        raise UnusableRunError(f"{run.path}: {reason}") from error


def _count_repeats(answers: RunAnswers) -> tuple[int, int]:
    """Return how many repeats of a prompt have another answer than the first, and how many in all.

    Both answers are parsed. Epochs are not repeats.
    """
    first: dict[tuple[str, int, str, str], str | None] = {}
    parsed = [answer for answer in answers.answers if answer.outcome.answer is not None]
    differing = 0
    for answer in parsed:
        outcome = answer.outcome
        key = outcome.item, outcome.epoch, answer.prompt, answer.scoring_data.enforced
        differing += outcome.answer != first.setdefault(key, outcome.answer)
    return differing, len(parsed) - len(first)


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Disable the search for reference cycles, which takes a third of the time to load answers."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _read_answers(run: Run, keep: KeepText, cluster: str | None) -> Iterator[KeyedAnswer]:
    """Yield scored answers with their sort keys; any error of a broken log names the log."""
    for path in run.shard_paths or (run.path,):
        try:
            if run.framework == "inspect":
                # Imported here: it loads Inspect.
                from bias_tasks.results.frameworks import inspect_log

                if is_other_task(run):
                    yield from split_scores(inspect_log.read_inspect_scores(path, cluster))
                else:
                    yield from inspect_log.read_inspect_answers(path, run, keep)
            elif is_other_task(run):
                yield from split_scores(read_harness_scores(path, run.task, cluster))
            else:
                yield from read_harness_answers(path, run.task, run.family, keep)
        except UnusableRunError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {shorten(error)}"
            raise UnusableRunError(f"{path}: its samples cannot be read ({reason})") from error


def _explain_no_answer(run: Run, reasons: Mapping[str, int]) -> str:
    """Return why a log has no scored answer, and what to do."""
    if reasons:
        return f"{run.path}: no sample of {run.task} has a score ({list_reasons(reasons)})"
    flags = "without --no-log-samples" if run.framework == "inspect" else "with --log_samples"
    return f"{run.path}: the log holds no samples of {run.task}; run it again {flags}"


def _count_samples(run: Run, present: int, reasons: Mapping[str, int]) -> Samples:
    """Return the number of samples of a run.

    Args:
        run: The run.
        present: Number of samples in the log.
        reasons: Number of these without a score, by reason.
    """
    total = max(run.samples.total, present)  # early versions of lm-eval do not log it
    failed = reasons.get(FAILED, 0)
    return Samples(total, failed, sum(reasons.values()) - failed, total - present)
