"""One finished run with its record and its figures, whichever host made it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from bias_tasks.families import load_family
from bias_tasks.family import Family
from bias_tasks.figures import Figure, block
from bias_tasks.parameters import SHARD, TaskSpec
from bias_tasks.results.text import brief
from bias_tasks.statistics.estimate import Estimate, standard_error

Host = Literal["inspect", "lm-eval"]


class UnusableRunError(Exception):
    """A run that can't be worked with; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class FigureValue:
    """A figure's value with its 95 % interval; nan where there was nothing to measure."""

    name: str
    value: float
    ci_low: float
    ci_high: float
    n: int
    """Items, or pairs of items, in the denominator."""

    @property
    def stderr(self) -> float | None:
        """The standard error whose normal interval is as wide; None where there is no interval."""
        found = standard_error(Estimate(self.value, self.ci_low, self.ci_high, self.n))
        return found if math.isfinite(found) else None

    def to_dict(self) -> dict[str, Any]:
        """The figure as plain JSON values, null where there was nothing to measure."""
        return finite(asdict(self))


@dataclass(frozen=True, slots=True)
class Samples:
    """How many samples a run asked, over all epochs, and how many of these its figures lack."""

    asked: int = 0
    failed: int = 0
    """Those that ended in an error."""
    unscored: int = 0
    """Those whose answer was not scored, as where a judge gave no verdict."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens that a model was sent and wrote in a run, as its host counted them."""

    sent: int
    """Those that a provider's cache held among them."""
    written: int
    price: float | None = None
    """In dollars, where the host knows the model's prices."""


@dataclass(frozen=True, slots=True)
class Run:
    """One task on one model."""

    task: str
    """Its name in the host."""
    host: Host
    model: str
    record: Mapping[str, Any]
    """What the run wrote down of itself (`bias_tasks.record.run_record`)."""
    n: int
    """Items asked and scored; a paired item counts once."""
    metrics: tuple[FigureValue, ...] = ()
    """The figures that its log shows; all of them after `with_every_figure`."""
    path: Path = Path()
    """The log, or the results file; of a run asked in parts, the first part's."""
    date: str | None = None
    """When it began, as ISO 8601 in UTC."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of the host and of bias-tasks, by the packages' names."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the host was told beside the parameters: temperature, limit, epochs, solver."""
    samples: Samples = Samples()
    usage: Mapping[str, Usage] = field(default_factory=dict)
    """By the model's name, those in other roles too; empty where the host counts none."""
    seconds: float | None = None
    """From the run's beginning to its end; None where the host doesn't say."""
    parts: tuple[Path, ...] = ()
    """The logs of its parts (`shard`), in their order; empty where one log holds all of it."""

    @property
    def family(self) -> Family:
        """The family of its task."""
        return load_family(self.record["family"])

    @property
    def spec(self) -> TaskSpec:
        """The declaration of its task.

        Raises:
            ValueError: its family is not installed, or has no such task any more.
        """
        task = self.record["task"]
        if task not in self.family.tasks:
            raise ValueError(f"{self.family.name} has no task {brief(task)!r}")
        return self.family.tasks[task]

    @property
    def block(self) -> tuple[FigureValue, ...]:
        """Its headline, and the few figures that are shown beside it."""
        by_name = {figure.name: figure for figure in self.metrics}
        return tuple(by_name[name] for name in block(self.spec, by_name))

    @property
    def headline(self) -> FigureValue | None:
        """The figure that its task is about; None where the run has none."""
        return next(iter(self.block), None)

    @property
    def unread(self) -> float | None:
        """The share of answers in which none was found, as the log says; None where it doesn't."""
        return next((figure.value for figure in self.metrics if figure.name == "unread"), None)

    @property
    def protocol(self) -> str:
        """How its answers were asked, read and scored."""
        return str(self.record["protocol"])

    @property
    def data(self) -> str:
        """What its items were asked for by."""
        return str(self.record["data"])

    @property
    def note(self) -> str | None:
        """What must be said wherever it is shown, such as domains that it leaves out."""
        return "; ".join(self.record["notes"]) or None

    @property
    def digest(self) -> str:
        """What identifies all that it asks."""
        return str(self.record["digest"])

    @property
    def changed(self) -> Mapping[str, Any]:
        """Its parameters that are not the default."""
        found: Mapping[str, Any] = self.record["changed"]
        return found

    def declared(self, figure: str) -> Figure | None:
        """The declaration of a figure by its printed name; None where there is none."""
        return self.family.figure(figure)

    def to_dict(self) -> dict[str, Any]:
        """The run as plain JSON values, null for a figure that could not be worked out."""
        return {
            "task": self.task,
            "host": self.host,
            "model": self.model,
            "protocol": self.protocol,
            "data": self.data,
            "parameters": dict(self.changed),
            "settings": dict(self.settings),
            "n": self.n,
            "samples": asdict(self.samples),
            "headline": None if self.headline is None else self.headline.name,
            "note": self.note,
            "digest": self.digest,
            "date": self.date,
            "versions": dict(self.versions),
            "log": str(self.path),
            "metrics": [figure.to_dict() for figure in self.metrics],
        }


@dataclass(frozen=True, slots=True)
class Problem:
    """A file, or a run in it, that has no figures to show."""

    path: Path
    reason: str
    failed: bool = False
    """Whether it is a run of ours that did not finish, or broken, rather than something else."""


Found = list[Run | Problem]
"""What files hold, in their order."""


def apart(found: Found) -> tuple[list[Run], list[Problem]]:
    """The runs of what was found, and the problems."""
    runs = [each for each in found if isinstance(each, Run)]
    return runs, [each for each in found if isinstance(each, Problem)]


def check_declared(run: Run) -> Run:
    """The run, which is one that this version can show.

    Raises:
        ValueError: no family here has its task, or what it says of its part is damaged.
    """
    _ = run.spec
    part = run.record.get(SHARD)
    if part is not None and not 1 <= part["number"] <= part["of"] == len(part["held"]):
        raise ValueError("the record of the run says nothing clear of its shard")
    return run


def figure_values(values: Mapping[str, float]) -> tuple[FigureValue, ...]:
    """The figures among a host's flat metrics, in their order.

    Either each one comes with a `<name>_n` and its bounds, or the first is a headline, whose bounds
    are `ci_low` and `ci_high`; the others then have none.

    Raises:
        ValueError, TypeError, OverflowError: one is no number, or its n no whole one.
    """
    if "items" not in values:
        return ()
    if "items_n" in values:
        return tuple(
            FigureValue(
                name,
                float(value),
                float(values.get(f"{name}_ci_low", math.nan)),
                float(values.get(f"{name}_ci_high", math.nan)),
                int(values[f"{name}_n"]),
            )
            for name, value in values.items()
            if f"{name}_n" in values
        )
    bounds = [float(values.get(name, math.nan)) for name in ("ci_low", "ci_high")]
    names = [name for name in values if name not in ("stderr", "ci_low", "ci_high")]
    return tuple(
        FigureValue(
            name,
            float(values[name]),
            bounds[0] if name == names[0] else math.nan,
            bounds[1] if name == names[0] else math.nan,
            int(values["items"]),
        )
        for name in names
    )


def figures_in(card: Mapping[str, Estimate]) -> tuple[FigureValue, ...]:
    """A scorecard's figures."""
    return tuple(
        FigureValue(name, each.value, each.ci_low, each.ci_high, each.n)
        for name, each in card.items()
    )


def finite(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values, with None for nan and infinities, which JSON has no word for."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }
