"""Which items of which tasks a profile asks, for so many calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from bias_tasks.data.files import read_yaml
from bias_tasks.families import family_of_task
from bias_tasks.record import calls_of

Data = Literal["paper", "synthetic"]
_BASE = "base"
_SMALLEST = 5
"""Items that a task has at least: fewer have no interval that says something."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What `profile.yaml` declares."""

    version: int
    calls: int
    tasks: Mapping[str, Mapping[str, Any]]


@cache
def profile_declared() -> Profile:
    """The declared profile.

    Raises:
        TypeError: a field is missing, or there is an unknown one.
    """
    return Profile(**read_yaml(__package__, "profile"))


@dataclass(frozen=True, slots=True)
class ChosenTask:
    """One task of a profile."""

    task: str
    parameters: Mapping[str, Any]
    calls: int


def chosen_tasks(calls: int, data: Data, *, base: bool = False) -> list[ChosenTask]:
    """The tasks with as many items as about so many calls allow.

    Args:
        calls: of one model, in all.
        data: what is asked.
        base: whether base models are asked: with a cue, in the tasks that know one.

    Raises:
        ValueError: so few calls are not enough for every task.
        DataError: the items can't be had.
    """
    return [
        _chosen(task, row, round(calls * row["share"]), data, base=base)
        for task, row in profile_declared().tasks.items()
    ]


def _chosen(task: str, row: Mapping[str, Any], calls: int, data: Data, *, base: bool) -> ChosenTask:
    """The most items whose calls are no more than the task's part."""
    family = family_of_task(task)
    spec = family.tasks[task]
    fixed = {**row["parameters"], **row["data"][data]}
    if base and any(parameter.name == _BASE for parameter in spec.parameters):
        fixed[_BASE] = True

    def counted(n: int) -> int:
        plan = family.plan(task, spec.values({**fixed, "n": n}))
        return calls_of(family, plan).total()

    each = counted(_SMALLEST) / _SMALLEST
    n = max(_SMALLEST, int(calls / each))
    while n > _SMALLEST and counted(n) > calls:  # not every item is asked in every way
        n -= max(1, n // 50)
    found = counted(n)
    if found > calls:
        raise ValueError(
            f"{calls} calls are too few for {task}: {_SMALLEST} items take {found}. Give --calls "
            f"{round(found / row['share'])} or more"
        )
    return ChosenTask(task, {**fixed, "n": n}, found)
