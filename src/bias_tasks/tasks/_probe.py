"""Makes the Inspect task that asks another task's samples plain, again and under probes."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from copy import copy
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from inspect_ai import Task, task_with
from inspect_ai._eval.task.constants import (
    TASK_FILE_ATTR,  # inspect-evals-lint: ignore[IECQ001] -- no public name
)
from inspect_ai._util.registry import (
    registry_log_name,  # inspect-evals-lint: ignore[IECQ001] -- no public name
)
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Metric

from bias_tasks.calls import calls_of, many_calls
from bias_tasks.data.errors import DataError
from bias_tasks.families import PROBING, load_family
from bias_tasks.family import JsonObject, Plan
from bias_tasks.inspect_errors import TaskError
from bias_tasks.parameters import ALL
from bias_tasks.probing.choice import chosen_probes
from bias_tasks.probing.facts import PROTOCOL, probed_run
from bias_tasks.probing.plan import ProbedPlan, chosen_items, plan_probes
from bias_tasks.record import RECORD, run_record, version_of
from bias_tasks.scorers.outcome import headline
from bias_tasks.scorers.probed import probed_outcome
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
Samples = Mapping[str, ProbedSample]
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
    return _under_probes(asked, samples, planned, every, handed_on)


def plan_probe(given: Mapping[str, Any]) -> Plan:
    """What a run of `probe` with these parameters asks; its prompts lack what solvers put around.

    Raises:
        ValueError, DataError: as `build_probe` says.
    """
    asked, samples, planned = _loaded(*_apart(given))
    return run_of(asked, samples, planned)


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
    chosen_probes(values["probes"])  # before another's data are loaded
    asked = load_probed(values["task"], handed_on, sorted(values))
    samples = samples_of(asked)
    return asked, samples, _planned(samples, values)


def samples_of(asked: ProbedTask) -> Samples:
    """The samples of a task.

    Raises:
        ValueError: it has none, or two have one id.
    """
    found = probed_samples(asked.task.dataset)
    if not found:
        raise ValueError(f"{asked.name} has no samples")
    # Of two with one id the plan says so; here neither may be lost.
    chosen_items([each.item for each in found], None, 0)
    return {each.item.id: each for each in found}


def _planned(samples: Samples, values: Mapping[str, Any]) -> ProbedPlan:
    items = [each.item for each in samples.values()]
    n = None if values["n"] == ALL else values["n"]
    planned = plan_probes(
        chosen_items(items, n, values["seed"]),
        chosen_probes(values["probes"]),
        repeats=values["repeats"],
        seed=values["seed"],
    )
    if not {question.variant for question in planned.questions} & set(planned.probes):
        reasons = "; ".join(f"{probe}: {reason}" for probe, reason in planned.refused)
        raise ValueError(f"none of the probes applies to any of the items ({reasons})")
    return planned


def _under_probes(
    asked: ProbedTask,
    samples: Samples,
    planned: ProbedPlan,
    values: Mapping[str, Any],
    handed_on: Mapping[str, Any],
) -> Task:
    family = load_family(PROBING)
    run = run_of(asked, samples, planned)
    _tell(run, calls_of(family, run).total() * (asked.task.epochs or 1))
    record = run_record(family, _TASK, {**values, "protocol": PROTOCOL}, run, handed_on)
    options = family.tasks[_TASK].for_figures(values)
    return task_of(
        asked,
        samples,
        run,
        digest=record["digest"],
        version=version_of(record),
        metadata={RECORD: record},
        metric=headline(_TASK, options, record["digest"]),
    )


def task_of(
    asked: ProbedTask,
    samples: Samples,
    run: Plan,
    *,
    digest: str,
    version: str,
    metadata: Mapping[str, Any],
    metric: Metric,
    name: str = f"bias_tasks/{_TASK}",
) -> Task:
    """The probed task with its dataset, its solvers, its scorer and its figures replaced.

    Args:
        asked: the probed task; it stays as it is.
        samples: all of its samples that are asked.
        run: what is asked.
        digest: of what is asked.
        version: of the task that is made.
        metadata: of its log, beside the probed task's.
        metric: of all answers.
        name: of the task that is made.
    """
    ids = frozenset(question.id for question in run.questions)
    # `task_with` takes metrics without giving them to the scorer; a task that is made gives them.
    scored = Task(scorer=probed_outcome(asked.scorer, digest, asked.part), metrics=[metric])
    made = task_with(
        copy(asked.task),  # it would change the probed task itself
        dataset=MemoryDataset(
            [ProbingSample(samples[each.item], each, ids) for each in run.questions],
            name=f"{_TASK}_{asked.name.replace('/', '_')}",
        ),
        setup=None,
        solver=probed(asked.solvers),
        scorer=scored.scorer,
        metrics=scored.metrics,
        epochs=asked.task.epochs,
        name=name,
        description=f"{asked.name} under probes",
        version=version,
        metadata={**(asked.task.metadata or {}), **metadata},
        headline_metric=HeadlineMetric(scorer=probed_outcome.__name__),
    )
    if hasattr(made, TASK_FILE_ATTR):
        delattr(made, TASK_FILE_ATTR)  # the host would look for this task in the other one's file
    return made


def run_of(asked: ProbedTask, samples: Samples, planned: ProbedPlan) -> Plan:
    """What is asked, as records and samples take it."""
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
