"""A finished run with its record, its metrics and its answers, whichever framework made it."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.metrics import MetricSpec, find_metric_spec, reported_names
from bias_tasks.contract.outcomes import AnyOutcome
from bias_tasks.contract.parameters import TaskSpec
from bias_tasks.contract.questions import ScoringData
from bias_tasks.families import load_family
from bias_tasks.results.answer_distribution import AnswerDistribution
from bias_tasks.results.frameworks.record import RunRecord
from bias_tasks.results.text import format_values, hide_secrets
from bias_tasks.statistics.estimate import Estimate


class UnusableRunError(Exception):
    """A run that cannot be used; the message says why and what to do."""


PROFILE, PROFILE_TAG = "profile", "bias-profile-"
"""The setting that names the bias profile of a run, and how the tag of its log begins."""
FAILED = "failed"
"""The reason why a sample that ended with an error has no score."""


class Samples(NamedTuple):
    """Number of samples of a run over all epochs, and how many of them have no score."""

    total: int = 0
    failed: int = 0
    """Samples that ended with an error."""
    unscored: int = 0
    """Other samples without a score, for instance because a limit stopped them."""
    missing: int = 0
    """Samples that the run had but its log has not; counted when the answers are loaded."""

    @classmethod
    def sum(cls, counts: "Iterable[Samples]") -> "Samples":
        """Return the sums over several runs."""
        return cls(*map(sum, zip(*counts, strict=True)))


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One task on one model."""

    task: str
    """The task's name in the framework."""
    framework: Literal["inspect", "lm-eval"]
    model: str
    record: RunRecord
    n: int = 0
    """Number of items that are scored, once the answers are loaded; a paired item counts once."""
    metrics: Mapping[str, Estimate] = field(default_factory=dict)
    """The metrics by name, once the answers are loaded."""
    path: Path = Path()
    """The log or the results file; for a run in shards, that of the first shard."""
    date: str | None = None
    """Start of the run, as ISO 8601 in UTC."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Versions of the framework and of bias-tasks, by package name."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """Settings of the framework, such as the temperature, besides the task's parameters; values
    that are secret are hidden."""
    distributions: tuple[AnswerDistribution, ...] = ()
    """The distributions of its answers after `load_answers`."""
    findings: tuple[str, ...] = ()
    """Sentences of `Family.findings`, and the notice on unparsed answers, after `load_answers`."""
    counts: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """The numbers of `Family.counts` after `load_answers`."""
    baseline_correct: tuple[int, int] = (0, 0)
    """Number of correct baseline answers after `load_answers`, and of those that are correct or
    wrong."""
    repeats: tuple[int, int] = (0, 0)
    """Number of repeats of a prompt with another parsed answer than the first one, and of all
    parsed repeats, after `load_answers`."""
    usage: Mapping[str, float] = field(default_factory=dict)
    """What the run used: `tokens in`, `tokens out`, `seconds` and `cost` in dollars, if logged."""
    samples: Samples = field(default_factory=Samples)
    unscored_reasons: Mapping[str, int] = field(default_factory=dict)
    """Number of samples without a score by reason, once the answers are loaded."""
    shard_paths: tuple[Path, ...] = ()
    """The logs of its shards in their order; empty if one log holds the whole run."""
    attempt: str = ""
    """What a log has in common with its retries (Inspect's task id); empty in lm-eval."""
    run_id: str = ""
    """Identifies the run in each file that has it, such as a copy; empty if the log has no id."""
    metric_specs: dict[str, MetricSpec] = field(default_factory=dict)
    """The metrics of another package's task by name (`bias_tasks.results.other_tasks`)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", hide_secrets(self.settings))

    @property
    def family(self) -> AnyFamily:
        """The family of its task."""
        return load_family(self.record.family)

    @property
    def task_names(self) -> tuple[str, str]:
        """The names of its task in its family and in the framework."""
        return self.record.task, self.task.rpartition("/")[2]

    @property
    def spec(self) -> TaskSpec:
        """The declaration of its task."""
        return self.family.tasks[self.record.task]

    @property
    def block(self) -> dict[str, Estimate]:
        """Its headline metric, and the other metrics that its task reports."""
        names = reported_names(self.spec, self.metrics)
        return {name: self.metrics[name] for name in names}

    @property
    def headline(self) -> str | None:
        """The name of its headline metric; None if it has none."""
        return next(iter(self.block), None)

    def metric_spec(self, name: str | None) -> MetricSpec:
        """Return the declaration of a metric; one without unit or bounds for an unknown metric."""
        spec = self.metric_specs.get(name or "")
        if spec is None and name is not None:
            spec = find_metric_spec(name, self.family.metrics)
        return spec or MetricSpec(name or "", "", "score", -math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """One question with its answer and the outcome."""

    scoring_data: ScoringData
    """As in `Question.scoring_data`, of the family's type."""
    outcome: AnyOutcome
    prompt: str = ""
    """The prompt of the output; if there are several messages or rounds, the last one."""
    text: str | None = None
    """What is kept of the model's output; None if options were compared by their likelihoods."""
    planned_prompt: str | None = None
    """The prompt before an answer or a rewording became a part of it; None if it is `prompt`."""


class UnscoredSample(NamedTuple):
    """A sample that is in no metric."""

    item: str
    cluster: str
    variant: str
    reason: str
    """Why it has no score, in words that follow a number of samples."""
    is_attempt: bool = True
    """Whether it could have had a score."""


def list_reasons(reasons: Mapping[str, int]) -> str:
    """Return numbers of samples with why they have no score, the most frequent reason first."""
    return ", ".join(f"{count:,} {reason}" for reason, count in Counter(reasons).most_common())


KeyedAnswer: TypeAlias = tuple[tuple[int, int | str], ScoredAnswer | UnscoredSample]
"""A sample's epoch and position or id, by which answers are sorted, and its scored answer."""
KeepText: TypeAlias = Callable[[str], str] | None
"""Function that returns what to keep of a model's output; None keeps nothing."""


class Problem(NamedTuple):
    """A file, or a run in it, that has no metrics to show."""

    path: Path
    reason: str
    failed: bool = False
    """Whether a run that the user asks for is missing, so that the command fails."""
    task_names: tuple[str, ...] = ()
    """As in `Run`; empty if it is not a run of bias-tasks, or nobody can tell."""
    attempt: str = ""
    """As in `Run`, if the run did not finish; else empty."""
    is_notice: bool = False
    """Whether the run is used all the same."""

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


ReadResults: TypeAlias = list[Run | Problem]
"""The runs and problems in files, in the order of the files."""


def split_problems(results: ReadResults) -> tuple[list[Run], list[Problem]]:
    """Separate the runs from the problems."""
    runs = [result for result in results if isinstance(result, Run)]
    return runs, [result for result in results if isinstance(result, Problem)]


def none_if_not_finite(value: object) -> object:
    """Return the value, or None for nan and infinities, which JSON cannot represent."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def sort_runs(runs: Sequence[Run]) -> list[Run]:
    """Sort runs by task, then by non-default parameters, then from best to worst headline."""

    def sort_key(run: Run) -> tuple[object, ...]:
        value = run.metrics[run.headline].value if run.headline else math.inf
        if run.metric_spec(run.headline).better != "lower":
            value = -value
        rank = math.inf if math.isnan(value) else value
        record = run.record
        return record.family, record.task, format_values(record.task_args), rank, run.model

    return sorted(runs, key=sort_key)
