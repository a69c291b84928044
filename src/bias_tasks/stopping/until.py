"""What a run that stops when its headline is known says of that, and which runs can't."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from bias_tasks.families import FAMILY_NAMES, PROBING, load_family
from bias_tasks.family import Family, JsonObject, Plan
from bias_tasks.figures import SequenceKind
from bias_tasks.headline import headline
from bias_tasks.parameters import BASELINE, MARGIN, SHARD, UNTIL, VERDICT, TaskSpec, of_whole_run

_OF_VERDICT = (BASELINE, MARGIN)


@dataclass(frozen=True, slots=True)
class Until:
    """When a run stops, as plain JSON values: its record holds it as `until`."""

    rule: float | str
    """The half-width of the headline's interval, or `verdict`."""
    figure: str
    """The headline's printed name."""
    kind: SequenceKind
    low: float
    """The least value that the figure can have."""
    high: float
    clusters: int
    """Of the whole run."""
    items: int
    largest: float
    """The most that a cluster can weigh in the figure."""
    seed: int
    """Of the order in which clusters are asked."""
    baseline: str | None = None
    """The log that is compared with."""
    margin: float | None = None

    @property
    def asymptotic(self) -> bool:
        """Whether the figure's own sequence holds for many clusters only."""
        return self.kind == "smooth"

    @property
    def decided_asymptotically(self) -> bool:
        """Whether what is looked at while the run goes on does: a difference of ratios is none."""
        return self.asymptotic or (self.rule == VERDICT and self.kind == "ratio")

    def to_dict(self) -> JsonObject:
        """As `from_dict` takes it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Until:
        """What `to_dict` wrote.

        Raises:
            TypeError: it did not.
        """
        return cls(**row)


def place_of(cluster: str, seed: int) -> bytes:
    """Sorts clusters in an order that follows from their ids and the seed alone."""
    return hashlib.sha256(f"{seed}:{cluster}".encode("utf-8", "surrogatepass")).digest()


def in_random_order(plan: Plan, seed: int) -> Plan:
    """The plan with its clusters in the order of `place_of`, each one's questions side by side."""
    ordered = sorted(plan.questions, key=lambda each: (place_of(each.cluster, seed), each.cluster))
    return replace(plan, questions=tuple(ordered))


def until_of(family: Family, task: str, values: Mapping[str, Any], plan: Plan) -> Until | None:
    """When a run with these values stops; None where it asks all.

    Args:
        family: whose task it is.
        task: its name there.
        values: its parameters (`TaskSpec.values`).
        plan: the whole run.

    Raises:
        ValueError: the values do not fit each other, or nothing is known that would be valid for
            the task's headline.
    """
    check_together(values)
    rule = values.get(UNTIL)
    if rule is None:
        return None
    from bias_tasks.stopping.interval import heaviest_cluster, names_planned

    spec = family.tasks[task]
    options = spec.for_figures(of_whole_run(values))
    name = headline(spec, names_planned(family, plan, options))
    declared = None if name is None else family.figure(name)
    if name is None or declared is None or declared.sequence is None:
        raise ValueError(
            f"until: no interval that holds however often one looks is known for "
            f"{name or 'the headline'} of {task}; leave it out. Tasks that take it: "
            f"{', '.join(_tasks_that_stop())}"
        )
    found = Until(
        rule=rule,
        figure=name,
        kind=declared.sequence,
        low=declared.low,
        high=declared.high,
        clusters=len({question.cluster for question in plan.questions}),
        items=len({question.item for question in plan.questions}),
        largest=_most_items(plan),
        seed=int(values["seed"]),
        baseline=values.get(BASELINE),
        margin=values.get(MARGIN),
    )
    _check_reach(found)
    if found.asymptotic:
        return found
    weighs = heaviest_cluster(family, plan, options, name)
    return replace(found, largest=max(found.largest, weighs))


def check_together(values: Mapping[str, Any]) -> None:
    """Raise a ValueError where parameters do not go together."""
    rule = values.get(UNTIL)
    beside = [name for name in _OF_VERDICT if values.get(name) is not None]
    if rule != VERDICT and beside:
        raise ValueError(
            f"{' and '.join(beside)}: only until=verdict compares with a baseline; give it, or "
            "leave them out"
        )
    if rule is None:
        return
    if rule == VERDICT and BASELINE not in values:
        raise ValueError(
            "until=verdict: name the log to compare with, as in baseline=logs/one.eval"
        )
    if SHARD in values:
        raise ValueError(
            "until and shard: a shard does not see the other shards' items, and so can't tell what "
            "is known; leave one of the two out"
        )


def _check_reach(until: Until) -> None:
    """Raise a ValueError where a run could only stop at once, or never."""
    from bias_tasks.statistics.sequences import BURN_IN

    span = until.high - until.low
    if until.rule != VERDICT and cast(float, until.rule) >= span / 2:
        raise ValueError(
            f"until={until.rule:g} says nothing of {until.figure}, which lies between "
            f"{until.low:g} and {until.high:g}: give a half-width below {span / 2:g}"
        )
    if until.margin is not None and until.margin >= span:
        raise ValueError(
            f"margin={until.margin:g} makes all values of {until.figure} equivalent: give one "
            f"below {span:g}"
        )
    if until.clusters < 2:
        raise ValueError("until: all items are of one cluster, so that there is nowhere to stop")
    if until.decided_asymptotically and until.clusters <= BURN_IN:
        raise ValueError(
            f"until: an interval of {_what(until)} holds from {BURN_IN} clusters of items on, and "
            f"the run has {until.clusters}: ask more items, or leave it out"
        )


def _what(until: Until) -> str:
    return f"a difference of {until.figure}" if until.rule == VERDICT else until.figure


def _most_items(plan: Plan) -> float:
    """How many items the largest cluster has."""
    pairs = {(question.cluster, question.item) for question in plan.questions}
    counts = Counter(cluster for cluster, _ in pairs)
    return float(max(counts.values(), default=0))


def _tasks_that_stop() -> list[str]:
    """The tasks whose headline, by default, has a valid sequence."""
    return [
        name
        for family in map(load_family, (*FAMILY_NAMES, PROBING))
        for name, spec in family.tasks.items()
        if _stops(family, spec)
    ]


def _stops(family: Family, spec: TaskSpec) -> bool:
    first = spec.headline[0].replace("*", "any") if spec.headline else ""
    declared = family.figure(first) if first else None
    return declared is not None and declared.sequence is not None


def half_width(low: float, high: float) -> float:
    """Of an interval; infinite where there is none."""
    return math.inf if math.isnan(low) or math.isnan(high) else (high - low) / 2
