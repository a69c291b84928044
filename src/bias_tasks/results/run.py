"""One finished run with its record, its figures and its answers, whichever host made it."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from bias_tasks.contract.family import Family, Outcome
from bias_tasks.contract.figures import Figure, block, figure_of
from bias_tasks.contract.parameters import SHARD, TaskSpec
from bias_tasks.families import load_family
from bias_tasks.results.text import brief, values_listed
from bias_tasks.statistics.estimate import Estimate, written


class UnusableRunError(Exception):
    """A run that can't be worked with; the message says why and what to do."""


class Samples(NamedTuple):
    """How many samples a run asked, over all epochs; of these failed, or were not scored, as where
    a judge gave no verdict."""

    asked: int = 0
    failed: int = 0
    unscored: int = 0

    @classmethod
    def sum(cls, each: "Iterable[Samples]") -> "Samples":
        """Those of several runs."""
        return cls(*map(sum, zip(*each, strict=True)))


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One task on one model."""

    task: str
    """Its name in the host."""
    host: Literal["inspect", "lm-eval"]
    model: str
    record: Mapping[str, Any]
    """What the run wrote down of itself (`bias_tasks.contract.record.run_record`)."""
    n: int
    """Items asked and scored; a paired item counts once."""
    metrics: Mapping[str, Estimate] = field(default_factory=dict)
    """The figures that its log shows, by name; all of them after `with_every_figure`."""
    path: Path = Path()
    """The log, or the results file; of a run asked in parts, the first part's."""
    date: str | None = None
    """When it began, as ISO 8601 in UTC."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of the host and of bias-tasks, by the packages' names."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the host was told beside the parameters."""
    samples: Samples = field(default_factory=Samples)
    parts: tuple[Path, ...] = ()
    """The logs of its parts (`shard`), in their order; empty where one log holds all of it."""
    attempt: str = ""
    """What a log and its retries have alike (Inspect's id of the task); empty in lm-eval."""

    def __post_init__(self) -> None:
        """Raises a ValueError where no family here has its task, or its log is damaged."""
        if self.record["task"] not in self.family.tasks:
            raise ValueError(f"{self.family.name} has no task {brief(self.record['task'])!r}")
        part = self.record.get(SHARD)
        if part is not None and not 1 <= part["number"] <= part["of"] == len(part["held"]):
            raise ValueError("the record of the run says nothing clear of its shard")
        asked, *lost = self.samples
        if min(self.samples) < 0 or sum(lost) > asked:
            raise ValueError(f"it counts samples that can't be: {tuple(self.samples)}")
        for name, each in self.metrics.items():
            if math.isinf(each.value):
                raise ValueError(f"its figure {brief(name)} is infinite")

    @property
    def family(self) -> Family:
        """The family of its task."""
        return load_family(self.record["family"])

    @property
    def spec(self) -> TaskSpec:
        """The declaration of its task."""
        return self.family.tasks[self.record["task"]]

    @property
    def block(self) -> dict[str, Estimate]:
        """Its headline, and the few figures that are shown beside it."""
        names = block(self.spec, self.family.figures, self.metrics)
        return {name: self.metrics[name] for name in names}

    @property
    def headline(self) -> str | None:
        """The name of the figure that its task is about; None where the run has none."""
        return next(iter(self.block), None)

    def figure(self, name: str | None) -> Figure:
        """How a figure is declared; of one that is not, that it has any value."""
        found = None if name is None else figure_of(name, self.family.figures)
        return found or Figure(name or "", "", "score", -math.inf, math.inf)

    def to_dict(self) -> dict[str, Any]:
        """The run as plain JSON values, null for a figure that could not be worked out."""
        told = self.record
        return {
            **{name: getattr(self, name) for name in ("task", "host", "model")},
            **{name: told[name] for name in ("protocol", "data")},
            "parameters": dict(told["changed"]),
            "settings": dict(self.settings),
            "n": self.n,
            "samples": self.samples._asdict(),
            "headline": self.headline,
            "note": "; ".join(told["notes"]) or None,
            "digest": told["digest"],
            "date": self.date,
            "versions": dict(self.versions),
            "log": str(self.path),
            "metrics": [{"name": name} | each for name, each in written(self.metrics).items()],
        }


@dataclass(frozen=True, slots=True)
class Answered:
    """One question with what its answer came to."""

    facts: Mapping[str, Any]
    """The question's, as `Question.facts` has them."""
    outcome: Outcome
    prompt: str = ""
    """What was asked; of several messages the last."""
    text: str | None = None
    """What was kept of the model's text; None where answers were compared by their likelihood."""


Keep = Callable[[str], str] | None
"""What to keep of a model's text; None keeps nothing."""


class Problem(NamedTuple):
    """A file, or a run in it, that has no figures to show."""

    path: Path
    reason: str
    failed: bool = False
    """Whether it is a run of ours that did not finish, or broken."""
    attempt: str = ""
    """As a run's."""


Found = list[Run | Problem]
"""What files hold, in their order."""


def apart(found: Found) -> tuple[list[Run], list[Problem]]:
    """The runs of what was found, and the problems."""
    runs = [each for each in found if isinstance(each, Run)]
    return runs, [each for each in found if isinstance(each, Problem)]


def figures_in(values: Mapping[str, float]) -> dict[str, Estimate]:
    """The figures among a host's flat metrics, in their order; none where these are not ours: each
    with its bounds and `<name>_n`, or the first, a headline, alone with `ci_low` and `ci_high`."""

    def figure(name: str, bounds: str, n: str) -> Estimate:
        low, high = (float(values.get(f"{bounds}ci_{end}", math.nan)) for end in ("low", "high"))
        return Estimate(float(values[name]), low, high, int(values[n]), values.get(f"{name}_p"))

    if "items_n" in values:
        names = [name for name in values if f"{name}_n" in values]
        return {name: figure(name, f"{name}_", f"{name}_n") for name in names}
    if "items" not in values:
        return {}
    first, *others = (name for name in values if name not in ("stderr", "ci_low", "ci_high"))
    return {first: figure(first, "", "items")} | {n: figure(n, f"{n}_", "items") for n in others}


def finite(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values, with None for nan and infinities, which JSON has no word for."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }


def in_order(runs: Sequence[Run]) -> list[Run]:
    """The runs by task and by what differs from the defaults, the best headline first."""

    def place(run: Run) -> tuple[object, ...]:
        value = run.metrics[run.headline].value if run.headline else math.inf
        down = run.figure(run.headline).better == "lower"
        rank = math.inf if math.isnan(value) else value if down else -value
        told = run.record
        return told["family"], told["task"], values_listed(told["changed"]), rank, run.model

    return sorted(runs, key=place)


def over_models(runs: Sequence[Run]) -> list[Run]:
    """A run for each that was asked (by its digest), with the means of the figures that all have.

    The limits are the means of the models' limits, which hold for these models however their errors
    go together (MOVER, Zou and Donner 2008, with correlations of 1). A mean is nan where a figure
    is. A model that was asked the same twice is an UnusableRunError.
    """
    groups: dict[tuple[str, str], dict[str, Run]] = {}
    for run in runs:
        models = groups.setdefault((run.record["task"], run.record["digest"]), {})
        other = models.setdefault(run.model, run)
        if other is not run:
            raise UnusableRunError(f"one model was asked the same twice: {other.path}, {run.path}")
    return [_mean(list(models.values())) for models in groups.values()]


def _mean(runs: Sequence[Run]) -> Run:
    shared = [name for name in runs[0].metrics if all(name in run.metrics for run in runs)]
    return replace(
        runs[0],
        model=f"mean of {len(runs)} models",
        metrics={name: _mean_of([run.metrics[name] for run in runs]) for name in shared},
        path=runs[0].path.parent,
        settings={},
        samples=Samples.sum(run.samples for run in runs),
    )


def _mean_of(figures: Sequence[Estimate]) -> Estimate:
    parts = ([each.value, each.ci_low, each.ci_high] for each in figures)
    value, low, high = (sum(each) / len(figures) for each in zip(*parts, strict=True))
    return Estimate(value, low, high, min(each.n for each in figures))
