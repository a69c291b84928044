"""Tasks of other packages: their scores, one per sample and metric, as outcomes of a family.

Each numeric score of a sample is one outcome, whose variant is the name of the metric: the scorer
in Inspect (`scorer/key` for a score with several values), the metric and its filter in lm-eval.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bias_tasks.contract.family import Family
from bias_tasks.contract.metrics import COMMON_METRICS, MetricSpec
from bias_tasks.contract.outcomes import Answer, Extra, Outcome
from bias_tasks.contract.parameters import ParameterValues, TaskSpec
from bias_tasks.contract.questions import Plan, ScoringData
from bias_tasks.messages import format_count
from bias_tasks.results.frameworks.record import RunRecord
from bias_tasks.results.run import KeyedAnswer, Run, ScoredAnswer, UnscoredSample, UnusableRunError
from bias_tasks.results.text import hide_secrets, shorten
from bias_tasks.statistics.estimate import Estimate, count_items
from bias_tasks.statistics.mean import mean
from bias_tasks.statistics.outcomes import build_outcome_table
from bias_tasks.user_names import did_you_mean

_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Values of Inspect's scores: correct, incorrect, partly correct, no answer."""
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_NOT_A_NUMBER = "no number, or part of a metric that is no mean"


class _AnyTask(dict[str, TaskSpec]):
    """The declarations of tasks by any name: nothing is known of another package's task."""

    def __missing__(self, name: str) -> TaskSpec:
        return TaskSpec(name, "", ())


class OtherTasks(Family[ScoringData, Extra]):
    """All tasks of other packages."""

    name = __name__
    version = 1
    scoring_data_type = ScoringData
    extra_type = Extra
    tasks = _AnyTask()
    metrics = COMMON_METRICS

    def plan(self, task: str, values: ParameterValues, *, likelihoods: bool = False) -> Plan:
        """Raise a TypeError: another package plans its own runs."""
        raise TypeError(f"{task} is a task of another package")

    def score_visible_text(self, data: ScoringData, answer: Answer) -> Outcome[Extra]:
        """Raise a TypeError: the task's own scorer scores its answers."""
        raise TypeError("the answers of another package's task are scored by its own scorer")

    def compute_metrics(
        self,
        outcomes: Sequence[Outcome[Extra]],
        options: ParameterValues,
        *,
        intervals: bool = True,
    ) -> dict[str, Estimate]:
        """Return the mean of each metric over items, each the mean over its epochs."""
        table = build_outcome_table(outcomes, intervals=intervals)
        scores = table.grid(lambda outcome: outcome.score)
        metrics = {
            name: mean(table.sample(scores[:, column])) for column, name in enumerate(table.columns)
        }
        return metrics | count_items(outcome.item for outcome in outcomes)

    def displayed_label(self, data: ScoringData, answer: str) -> str | None:
        """Return None: what the answers are is not known."""
        return None


FAMILY = OtherTasks()


class SampleScores(NamedTuple):
    """The scores of one sample of another package's task."""

    key: tuple[int, int | str]
    """Epoch and position or id, by which samples are sorted."""
    item: str
    cluster: str
    """As in `ScoringData`; an item without a cluster has its id."""
    question: str
    """Digest of the input and the target."""
    values: Mapping[str, object]
    """Scores by metric as logged; empty if the sample has none."""
    reason: str = "without a score"
    """Why scores are missing, in words that follow a number of samples."""


def build_record(
    task: str, version: int | str | None, parameters: Mapping[str, object]
) -> RunRecord:
    """Return the record of a run of another package's task, without secrets.

    Args:
        task: The task's name in the framework.
        version: The task's version.
        parameters: The task's arguments.
    """
    parameters = hide_secrets(parameters)
    return RunRecord(
        family=FAMILY.name,
        task=task,
        digest="",
        protocol="",
        data="",
        package="",
        version=version,
        parameters=parameters,
        task_args=parameters,
        notes=(),
        provenance=(),
    )


def is_other_task(run: Run) -> bool:
    """Return whether a run is of another package's task."""
    return run.record.family == FAMILY.name


def find_cluster(item: str, fields: Mapping[str, object], name: str | None) -> str:
    """Return the cluster of an item: the value of a field, or by default the item itself.

    Args:
        item: Id of the item.
        fields: The metadata of the sample, or the document.
        name: Name of the field; None if items are independent.

    Raises:
        UnusableRunError: The item has no such field.
    """
    if name is None:
        return item
    if fields.get(name) is None:
        near = did_you_mean([name], fields)
        known = ", ".join(fields) or "none"
        raise UnusableRunError(
            f"--cluster {name}: item {item} has no value of it{near}; its fields: {known}"
        )
    return str(fields[name])


def split_scores(samples: Iterable[SampleScores]) -> Iterator[KeyedAnswer]:
    """Yield the outcome of each score, and an unscored sample for each score without a number.

    A sample without any score lacks a value of each metric of the run. A score that is a text or a
    list is left out, and is no failed attempt: nobody can tell whether it should be a number.
    """
    listed = list(samples)
    names = dict.fromkeys(name for sample in listed for name in sample.values)
    for sample in listed:
        values = sample.values or dict.fromkeys(names or [""], math.nan)
        for name, value in values.items():
            number = parse_score(value)
            if number is not None and math.isfinite(number):
                data = ScoringData(item=sample.item, cluster=sample.cluster, variant=name)
                outcome = Outcome(
                    *(sample.item, sample.cluster, name, None, "", number, ""),
                    epoch=sample.key[0],
                    extra=Extra(),
                )
                yield sample.key, ScoredAnswer(data, outcome, sample.question)
                continue
            reason = _NOT_A_NUMBER if number is None else sample.reason
            missing = UnscoredSample(
                sample.item, sample.cluster, name, reason, is_attempt=number is not None
            )
            yield sample.key, missing


def parse_score(value: object) -> float | None:
    """Return a score as Inspect's `value_to_float` does; nan for None, None if it is no number.

    Args:
        value: A logged score: C, I, P or N, a boolean, a number, or a text of a number.
    """
    if value is None:
        return math.nan
    if not isinstance(value, str):
        return float(value) if isinstance(value, int | float) else None
    known = _LETTERS.get(value, _WORDS.get(value.lower()))
    if known is not None:
        return known
    try:
        return float(value)
    except ValueError:
        return None


def describe_metrics(
    run: Run, outcomes: Sequence[Outcome[Extra]], lower_is_better: Iterable[str]
) -> dict[str, MetricSpec]:
    """Return the declaration of each metric of a run by its name.

    A metric whose values are all in [0, 1] is a share. Higher is better, unless the log or
    `lower_is_better` says otherwise.

    Args:
        run: The run, with what its log declares.
        outcomes: The outcomes of the run.
        lower_is_better: Names of metrics.
    """
    scores: dict[str, list[float]] = {}
    for outcome in outcomes:
        scores.setdefault(outcome.variant, []).append(outcome.score or 0.0)
    specs = {}
    for name, values in scores.items():
        declared = run.metric_specs.get(name, MetricSpec(name, "", better="higher"))
        specs[name] = replace(
            declared,
            unit="share" if min(values) >= 0 and max(values) <= 1 else "score",
            low=-math.inf,
            high=math.inf,
            better="lower" if name in lower_is_better else declared.better,
        )
    return specs


def count_left_out(unscored: Iterable[UnscoredSample]) -> Iterator[str]:
    """Yield for each metric how many values are left out, and why.

    Args:
        unscored: What a run has instead of values.
    """
    counts = Counter((sample.variant, sample.reason) for sample in unscored)
    for (name, reason), count in counts.items():
        yield f"{shorten(name)}: {format_count(count, 'value')} left out ({reason})"
