"""What a run will ask, what it costs, how long it takes, and how small an effect it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from bias_tasks.families import family_of_task
from bias_tasks.family import Family, Plan
from bias_tasks.parameters import SHARD, of_whole_run
from bias_tasks.planning.price import Price
from bias_tasks.planning.work import Calls, work_of
from bias_tasks.shards import in_part

_MINUTE = 60
_WITHOUT_TEMPLATE = "tokens in are the items' own, without what the probed task's solver adds"


@dataclass(frozen=True, slots=True)
class Asking:
    """What a run is asked for, beside its parameters."""

    model: str | None = None
    epochs: int = 1
    answer_tokens: int | None = None
    """Tokens that an answer is taken to have; None for what the task declares."""
    price: Price | None = None
    connections: int = 10
    """Requests at a time."""
    seconds: float = 2.0
    """How long a request takes."""
    effect: bool = True
    """Whether the smallest effect is simulated."""
    detect: float | None = None
    """An effect for which the items are wanted, in the headline's own unit."""
    accuracy: float = 0.8
    """Share of right answers that is simulated where no effect is."""


@dataclass(frozen=True, slots=True)
class Precision:
    """What a run can show."""

    figure: str
    null: float
    """What the figure is, or is taken to be, without an effect."""
    smallest: float
    """How far from that it is found in 80 % of runs."""
    items: int | None = None
    """Items that the wanted effect needs; None where it isn't wanted, or needs too many."""


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """A task's plan; tokens and dollars are of the evaluated model."""

    task: str
    parameters: Mapping[str, Any]
    """Those that are not the default."""
    items: int
    calls: Calls
    of_roles: Mapping[str, Calls]
    """Calls of models in other roles."""
    dollars: float | None
    minutes: float
    precision: Precision | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain JSON values."""
        return asdict(self)


def plan_task(task: str, given: Mapping[str, Any], asking: Asking) -> TaskPlan:
    """The plan of a task with the given parameters.

    Raises:
        LookupError: there is no such task.
        ValueError: a parameter is unknown, its value not allowed, or not beside the others.
        DataError: the items can't be had.
    """
    family = family_of_task(task)
    spec = family.tasks[task]
    own = {each.name for each in spec.parameters}
    values = spec.values({name: value for name, value in given.items() if name in own})
    planned, _ = in_part(_planned(family, task, of_whole_run(values), given), values.get(SHARD))
    tokens = spec.answer_tokens if asking.answer_tokens is None else asking.answer_tokens
    work = dict(
        work_of(family, planned, answer_tokens=tokens, epochs=asking.epochs, model=asking.model)
    )
    calls = work.pop(None)
    items = len({question.item for question in planned.questions})
    all_calls = calls.calls + sum(each.calls for each in work.values())
    changed = {each.name: each.default for each in spec.parameters}
    return TaskPlan(
        task=task,
        parameters={name: values[name] for name in values if values[name] != changed[name]},
        items=items,
        calls=calls,
        of_roles={str(role): each for role, each in work.items()},
        dollars=None if asking.price is None else asking.price.of(calls),
        minutes=all_calls * asking.seconds / asking.connections / _MINUTE,
        precision=_precision(family, task, of_whole_run(values), planned, items, asking)
        if asking.effect
        else None,
        notes=(*planned.notes, *_judged(family, planned)),
    )


def _planned(
    family: Family, task: str, values: Mapping[str, Any], given: Mapping[str, Any]
) -> Plan:
    """The questions; those of another task as its host has them."""
    if not family.tasks[task].hands_on:
        return family.plan(task, values)
    # Imported here: it loads the host, and then the task that is probed.
    from bias_tasks.tasks._probe import plan_probe

    found = plan_probe(given)
    return replace(found, notes=(*found.notes, _WITHOUT_TEMPLATE))


def _precision(
    family: Family,
    task: str,
    values: Mapping[str, Any],
    planned: Plan,
    items: int,
    asking: Asking,
) -> Precision | None:
    """The smallest effect by simulation; None where nothing is declared to be planted, or nothing
    would be found."""
    # Imported here: they load numpy, scipy and the simulated respondents.
    from bias_tasks.planning.power import items_needed, smallest_effect
    from bias_tasks.planning.simulated import Pool, effect_of

    effect = effect_of(task)
    if effect is None:
        return None
    spec = family.tasks[task]
    pool = Pool(family, spec, values, planned, effect, accuracy=asking.accuracy)
    smallest = smallest_effect(family, pool, items, epochs=asking.epochs)
    if smallest is None:
        return None
    needed = None
    if asking.detect is not None:
        needed = items_needed(family, pool, asking.detect, smallest, epochs=asking.epochs)
    return Precision(smallest.figure, smallest.null, smallest.value, needed)


def _judged(family: Family, planned: Plan) -> tuple[str, ...]:
    """A word about the calls that depend on the answers."""
    if type(family).verdict_request is Family.verdict_request or not planned.questions:
        return ()
    return ("a model in the role grader would be asked about each answer that rules can't read",)
