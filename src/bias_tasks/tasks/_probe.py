"""Makes the Inspect task that asks another task's samples plain, again and under probes."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from inspect_ai import Task, task_with
from inspect_ai._eval.task.constants import (
    TASK_FILE_ATTR,  # inspect-evals-lint: ignore[IECQ001] -- no public name
)
from inspect_ai._util.registry import (
    registry_log_name,  # inspect-evals-lint: ignore[IECQ001] -- no public name
    registry_unqualified_name,
)
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric

from bias_tasks.calls import calls_of, many_calls
from bias_tasks.data.errors import DataError
from bias_tasks.families import PROBING, load_family
from bias_tasks.family import JsonObject, Plan
from bias_tasks.inspect_errors import TaskError
from bias_tasks.parameters import ALL, SHARD
from bias_tasks.probing.choice import chosen_probes
from bias_tasks.probing.facts import PROTOCOL, probed_run
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.plan import ProbedPlan, chosen_items, plan_probes
from bias_tasks.probing.probes.base import Probe
from bias_tasks.probing.rewordings.file import read_rewordings
from bias_tasks.record import RECORD, run_record, version_of
from bias_tasks.scorers.outcome import headline
from bias_tasks.scorers.probed import probed_outcome
from bias_tasks.shards import asked_in_part
from bias_tasks.solvers.carried import noted_place
from bias_tasks.solvers.plain_log import read_plain_log
from bias_tasks.solvers.probed import probed
from bias_tasks.solvers.probed_items import (
    ProbedSample,
    ProbingSample,
    probed_samples,
    recorded,
)
from bias_tasks.tasks._probed_task import ProbedTask, load_probed
from bias_tasks.tasks._roles import tell_misspelt_roles

_TASK = "probe"
_Samples = Mapping[str, ProbedSample]
"""By the id of their item."""

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
    # Imported here: it registers a hook, which the host would announce in runs without our tasks.
    import bias_tasks.scorers.unread_hook  # noqa: F401

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
    return _run(asked, samples, planned)


def items_asked(given: Mapping[str, Any]) -> tuple[str, list[str], list[ProbedItem]]:
    """The name of the task that `probe` with these parameters asks, the ids of all its items, and
    those that are asked.

    Raises:
        ValueError: as `build_probe` says.
    """
    ours, handed_on = _apart(given)
    values = load_family(PROBING).tasks[_TASK].values(ours)
    asked = load_probed(values["task"], handed_on, sorted(values))
    samples = _samples(asked)
    return asked.name, list(samples), _drawn(samples, values)


def _apart(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters of `probe`, and those of the task that is probed."""
    own = {each.name for each in load_family(PROBING).tasks[_TASK].parameters}
    ours = {name: value for name, value in given.items() if name in own}
    return ours, {name: value for name, value in given.items() if name not in own}


def _loaded(
    given: Mapping[str, Any], handed_on: Mapping[str, Any]
) -> tuple[ProbedTask, _Samples, ProbedPlan]:
    """The task, its samples, and what of them is asked how."""
    values = load_family(PROBING).tasks[_TASK].values(given)
    rewordings = read_rewordings(values["rewordings"])
    probes = chosen_probes(  # before another's data are loaded
        values["probes"], formats=values["formats"], rewordings=rewordings
    )
    asked = load_probed(values["task"], handed_on, sorted(values))
    samples = _samples(asked)
    items = _drawn(samples, values)
    if rewordings is not None:
        rewordings.check_items(samples, items, asked.name)
    planned = _planned(samples, items, probes, values)
    if values["plain"] is not None:
        asked, planned = _with_plain_answers(values["plain"], asked, samples, planned)
    return asked, samples, planned


def _with_plain_answers(
    path: str, asked: ProbedTask, samples: _Samples, planned: ProbedPlan
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


def _samples(asked: ProbedTask) -> _Samples:
    found = probed_samples(asked.task.dataset)
    if not found:
        raise ValueError(f"{asked.name} has no samples")
    # Of two with one id the plan says so; here neither may be lost.
    chosen_items([each.item for each in found], None, 0)
    return {each.item.id: each for each in found}


def _drawn(samples: _Samples, values: Mapping[str, Any]) -> list[ProbedItem]:
    """The items that a run with these values asks."""
    n = None if values["n"] == ALL else values["n"]
    return chosen_items([each.item for each in samples.values()], n, values["seed"])


def _planned(
    samples: _Samples,
    items: Sequence[ProbedItem],
    probes: Sequence[Probe],
    values: Mapping[str, Any],
) -> ProbedPlan:
    asked = {item.id for item in items}
    planned = plan_probes(
        items,
        probes,
        repeats=values["repeats"],
        seed=values["seed"],
        others=[each.item for each in samples.values() if each.item.id not in asked],
    )
    if not {question.variant for question in planned.questions} & set(planned.probes):
        reasons = "; ".join(f"{probe}: {reason}" for probe, reason in planned.refused)
        raise ValueError(f"none of the probes applies to any of the items ({reasons})")
    return planned


def _under_probes(
    asked: ProbedTask,
    samples: _Samples,
    planned: ProbedPlan,
    values: Mapping[str, Any],
    handed_on: Mapping[str, Any],
) -> Task:
    """The probed task with its dataset, its solvers, its scorer and its figures replaced."""
    family = load_family(PROBING)
    whole = _run(asked, samples, planned)
    record = run_record(family, _TASK, {**values, "protocol": PROTOCOL}, whole, handed_on)
    run, record, places = asked_in_part(whole, record, values.get(SHARD))
    _tell(run, calls_of(family, run).total() * (asked.task.epochs or 1))
    ids = frozenset(question.id for question in run.questions)
    figures = headline(_TASK, family.tasks[_TASK].for_figures(values), record["digest"])
    # `task_with` takes metrics without giving them to the scorer; a task that is made gives them.
    scored = Task(
        scorer=probed_outcome(asked.scorer, record["digest"], asked.part, list(planned.probes)),
        metrics=[figures],
    )
    made = task_with(
        asked.task,
        dataset=MemoryDataset(
            [
                ProbingSample(samples[each.item], each, ids, noted_place(each.id, places))
                for each in run.questions
            ],
            name=f"{_TASK}_{asked.name.replace('/', '_')}",
        ),
        setup=None,
        solver=probed(asked.solvers),
        scorer=scored.scorer,
        metrics=scored.metrics,
        epochs=asked.task.epochs,
        name=f"bias_tasks/{_TASK}",
        description=f"{asked.name} under probes",
        version=version_of(record),
        metadata={**(asked.task.metadata or {}), RECORD: record},
        headline_metric=HeadlineMetric(scorer=probed_outcome.__name__),
    )
    if hasattr(made, TASK_FILE_ATTR):
        delattr(made, TASK_FILE_ATTR)  # the host would look for this task in the other one's file
    return made


def _run(asked: ProbedTask, samples: _Samples, planned: ProbedPlan) -> Plan:
    told = [recorded(samples[each.item.id], each.asked) for each in planned.questions]
    return probed_run(
        planned,
        [prompt for prompt, _ in told],
        [target for _, target in told],
        task=asked.name,
        provenance=_provenance(asked, len(samples)),
        notes=(*asked.notes, *_of_epochs(asked.task)),
    )


def _tell(run: Plan, calls: int) -> None:
    for note in run.notes:
        logger.warning("%s: %s", _TASK, note)
    many = many_calls(_TASK, calls)
    if many is not None:
        logger.warning("%s: %s", _TASK, many)


def _of_epochs(task: Task) -> tuple[str, ...]:
    """What to say of a task that asks each sample several times."""
    if task.epochs in (None, 1):
        return ()
    return (
        f"the task asks each sample in {task.epochs} epochs: figures are of single answers, "
        "whatever its reducer makes of them",
    )


def _provenance(asked: ProbedTask, items: int) -> JsonObject:
    """Which task it was, in which state, and the parts of it that asked and scored."""
    package = asked.name.partition("/")[0]
    released = _released(package)
    revision = f"version {asked.task.version}" + (f", {package} {released}" if released else "")
    return {
        "source": asked.name,
        "revision": revision,
        "items": items,
        "solvers": [registry_log_name(each) for each in asked.solvers],
        "scorer": registry_log_name(asked.scorer),
    }


def _released(package: str) -> str | None:
    """The version of an installed package; None for a task that none brings."""
    try:
        return version(package)
    except (PackageNotFoundError, ValueError):
        return None
