"""Makes the Inspect task that asks another task's samples plain, again and under probes."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inspect_ai import Task
from inspect_ai._util.registry import (
    registry_log_name,  # inspect-evals-lint: ignore[IECQ001] -- no public name
    registry_unqualified_name,
)

from bias_tasks.data.errors import DataError
from bias_tasks.families import PROBING, load_family
from bias_tasks.family import Plan
from bias_tasks.parameters import ALL, SHARD
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.plan import PROTOCOL, ProbedPlan, chosen_items, plan_probes
from bias_tasks.probing.probes import chosen_probes
from bias_tasks.probing.rewordings import read_rewordings
from bias_tasks.record import RECORD, calls_of, many_calls, run_record
from bias_tasks.scorers.outcome import headline
from bias_tasks.shards import asked_in_part
from bias_tasks.solvers.inspect_host import TaskError
from bias_tasks.solvers.plain_log import read_plain_log
from bias_tasks.tasks._build import tell_misspelt_roles
from bias_tasks.tasks._probed_run import PROBE, Samples, run_of, samples_of, task_of
from bias_tasks.tasks._probed_task import ProbedTask, load_probed

_TASK = PROBE

logger = logging.getLogger(__name__)


def build_probe(given: Mapping[str, Any]) -> Task:
    """The task that probes another one.

    All that the other task says of how it is run stays: its model settings and roles, limits,
    sandbox, approval, epochs. Its reducers do not: figures are made of single answers.

    Args:
        given: the parameters of `probe`, and whatever else the probed task takes.

    Raises:
        TaskError: a value is not allowed, or the other task can't be loaded or probed.
    """
    tell_misspelt_roles()
    values, handed_on = _apart(given)
    try:
        asked, samples, planned = _loaded(values, handed_on)
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    every = load_family(PROBING).tasks[_TASK].values(values)
    try:
        return _under_probes(asked, samples, planned, every, handed_on)
    except DataError as error:
        raise TaskError(str(error)) from error


def plan_probe(given: Mapping[str, Any]) -> Plan:
    """What a run of `probe` with these parameters asks; its prompts lack what solvers put around.

    Raises:
        ValueError, DataError: as `build_probe` says.
    """
    asked, samples, planned = _loaded(*_apart(given))
    return run_of(asked, samples, planned)


def items_asked(given: Mapping[str, Any]) -> tuple[str, list[str], list[ProbedItem]]:
    """The name of the task that `probe` with these parameters asks, the ids of all its items, and
    those that are asked.

    Raises:
        ValueError: as `build_probe` says.
    """
    ours, handed_on = _apart(given)
    values = load_family(PROBING).tasks[_TASK].values(ours)
    asked = load_probed(values["task"], handed_on, sorted(values))
    samples = samples_of(asked)
    return asked.name, list(samples), _drawn(samples, values)


def _apart(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters of `probe`, and those of the task that is probed."""
    own = {each.name for each in load_family(PROBING).tasks[_TASK].parameters}
    ours = {name: value for name, value in given.items() if name in own}
    return ours, {name: value for name, value in given.items() if name not in own}


def _loaded(
    given: Mapping[str, Any], handed_on: Mapping[str, Any]
) -> tuple[ProbedTask, Samples, ProbedPlan]:
    """The task, its samples, and what of them is asked how."""
    values = load_family(PROBING).tasks[_TASK].values(given)
    rewordings = read_rewordings(values["rewordings"])
    probes = chosen_probes(  # before another's data are loaded
        values["probes"], formats=values["formats"], rewordings=rewordings
    )
    asked = load_probed(values["task"], handed_on, sorted(values))
    samples = samples_of(asked)
    items = _drawn(samples, values)
    if rewordings is not None:
        rewordings.check_items(samples, items, asked.name)
    inside = {item.id for item in items}
    planned = plan_probes(
        items,
        probes,
        repeats=values["repeats"],
        seed=values["seed"],
        others=[each.item for each in samples.values() if each.item.id not in inside],
        formats=values["formats"],
        rewordings=rewordings,
    )
    if not {question.variant for question in planned.questions} & set(planned.probes):
        reasons = "; ".join(f"{probe}: {reason}" for probe, reason in planned.refused)
        raise ValueError(f"none of the probes applies to any of the items ({reasons})")
    if values["plain"] is not None:
        asked, planned = _with_plain_answers(values["plain"], asked, samples, planned)
    return asked, samples, planned


def _with_plain_answers(
    path: str, asked: ProbedTask, samples: Samples, planned: ProbedPlan
) -> tuple[ProbedTask, ProbedPlan]:
    """The task and its plan where the plain questions' answers are a finished log's."""
    items = {question.item.id: samples[question.item.id].sample for question in planned.questions}
    log = read_plain_log(
        path,
        asked.name,
        [registry_log_name(each) for each in asked.solvers],
        registry_unqualified_name(asked.scorer),
        items,
    )
    questions = tuple(replace(each, plain=log) for each in planned.questions)
    noted = replace(asked, notes=(*asked.notes, *log.notes))
    return noted, replace(planned, questions=questions)


def _drawn(samples: Samples, values: Mapping[str, Any]) -> list[ProbedItem]:
    """The items that a run with these values asks."""
    n = None if values["n"] == ALL else values["n"]
    return chosen_items([each.item for each in samples.values()], n, values["seed"])


def _under_probes(
    asked: ProbedTask,
    samples: Samples,
    planned: ProbedPlan,
    values: Mapping[str, Any],
    handed_on: Mapping[str, Any],
) -> Task:
    """The probed task with its dataset, its solvers, its scorer and its figures replaced."""
    family = load_family(PROBING)
    whole = run_of(asked, samples, planned)
    record = run_record(family, _TASK, {**values, "protocol": PROTOCOL}, whole, handed_on)
    run, record, places = asked_in_part(whole, record, values.get(SHARD))
    calls = calls_of(family, run).total() * (asked.task.epochs or 1)
    for note in filter(None, (*run.notes, many_calls(_TASK, calls))):
        logger.warning("%s: %s", _TASK, note)
    options = family.tasks[_TASK].for_figures(values)
    return task_of(
        asked,
        samples,
        run,
        probes=planned.probes,
        record=record,
        metadata={RECORD: record},
        metric=headline(_TASK, options, record["digest"]),
        places=places,
    )
