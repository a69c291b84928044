"""Builds the Inspect task that probes another task."""

import logging
from collections.abc import Mapping, Sequence
from copy import copy
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from inspect_ai import Task, task_with
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.parameters import SHARD, ParameterValues
from bias_tasks.contract.questions import Plan
from bias_tasks.contract.record import (
    RECORD,
    RECORD_HEADLINE,
    count_calls,
    many_calls_notice,
    run_record,
    task_version,
)
from bias_tasks.contract.shards import plan_shard
from bias_tasks.data.errors import DataError
from bias_tasks.families import PROBING, load_family
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.plan import PROTOCOL, build_plan, plan_probes, select_items
from bias_tasks.scorers.probed import probed_outcome
from bias_tasks.scorers.run_metrics import headline
from bias_tasks.solvers.inspect_api import TASK_FILE_ATTR, TaskError, registry_log_name
from bias_tasks.solvers.probed import probed
from bias_tasks.solvers.probed_items import make_sample
from bias_tasks.solvers.sample_state import position_metadata
from bias_tasks.tasks._build import sample_columns, warn_of_misspelt_roles
from bias_tasks.tasks._probed_task import ProbedTask, load_probed_task

_PROBE = "probe"

logger = logging.getLogger(__name__)


class _Run(NamedTuple):
    """What the parameters of a run select."""

    values: ParameterValues
    """The value of every parameter of `probe`."""
    task_values: ParameterValues
    """The parameters of the probed task that the user sets."""
    task: ProbedTask
    items: list[ProbedItem]


def build_probe(parameters: ParameterValues) -> Task:
    """Return the task that probes another one.

    The other task's model settings and roles, limits, sandbox, approval and epochs stay. The
    temperature is 0 if it sets none, as in lm-eval. Its epoch reducers do not stay, since metrics
    are computed from single answers.

    Args:
        parameters: Parameters of `probe` and of the probed task.

    Raises:
        TaskError: A value is not allowed, or the other task cannot be loaded or probed.
    """
    family = load_family(PROBING)
    warn_of_misspelt_roles(family.roles)
    try:
        run = _load_run(parameters)
        whole, probes = _plan_run(run)
        values = {**run.values, "protocol": PROTOCOL}
        record = run_record(family, _PROBE, values, whole, run.task_values)
        plan, record, positions = plan_shard(whole, record, run.values.get(SHARD))
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    n_calls = count_calls(family, plan).total() * run.task.epochs
    for note in filter(None, (*plan.notes, many_calls_notice(_PROBE, n_calls))):
        logger.warning("%s: %s", _PROBE, note)
    return _build_task(run, plan, probes, record, positions)


def plan_probe(parameters: ParameterValues) -> Plan:
    """Return the plan of a run of `probe`, without what solvers add to prompts.

    Args:
        parameters: As for `build_probe`.

    Raises:
        ValueError: As `TaskError` of `build_probe`.
        DataError: As `TaskError` of `build_probe`.
    """
    return _plan_run(_load_run(parameters))[0]


def select_task_items(parameters: ParameterValues) -> tuple[str, list[ProbedItem]]:
    """Return the name of the probed task, and the items of a run.

    Args:
        parameters: As for `build_probe`.

    Raises:
        ValueError: As `TaskError` of `build_probe`.
    """
    run = _load_run(parameters)
    return run.task.name, run.items


def _load_run(parameters: ParameterValues) -> _Run:
    """Separate and check the parameters that a user sets, and load the probed task."""
    spec = load_family(PROBING).tasks[_PROBE]
    names = {parameter.name for parameter in spec.parameters}
    values = spec.values({name: parameters[name] for name in parameters if name in names})
    task_values = {name: parameters[name] for name in parameters if name not in names}
    task = load_probed_task(values["task"], task_values, sorted(values))
    items = select_items(task.items, spec.items_asked(values), values["seed"])
    return _Run(values, task_values, task, items)


def _plan_run(run: _Run) -> tuple[Plan, tuple[str, ...]]:
    """Return the plan of a run as records and samples use it, and the probes that it tries."""
    task, ids = run.task, {item.id for item in run.items}
    other_items = [item for item in task.items if item.id not in ids]
    planned = plan_probes(run.values, run.items, other_items, task=task.name, ids=task.samples)
    prompts = [task.samples[data.item].describe(data.perturbation) for data in planned.questions]
    package = task.name.partition("/")[0]
    try:
        release = f", {package} {version(package)}"
    except (PackageNotFoundError, ValueError):  # the task is from no package
        release = ""
    provenance = {
        "source": task.name,
        "revision": f"version {task.task.version}{release}",
        "items": len(task.samples),
        "solvers": [registry_log_name(solver) for solver in task.solvers],
        "scorer": registry_log_name(task.scorer),
    }
    notes = list(task.notes)
    if task.epochs > 1:
        notes.append(
            f"the task has {task.epochs} epochs: metrics are computed from single answers, not "
            "from the task's reduced scores"
        )
    plan = build_plan(planned, prompts, task=task.name, provenance=provenance, notes=notes)
    return plan, planned.probes


def _build_task(
    run: _Run,
    plan: Plan,
    probes: Sequence[str],
    record: JsonObject,
    positions: Mapping[str, int],
) -> Task:
    """Return the probed task with another dataset, solver, scorer and metrics.

    Args:
        run: The parameters and the probed task.
        plan: The questions.
        probes: The probes that the run tries.
        record: The record of the run.
        positions: Positions of a shard's questions in the whole run, by id.
    """
    task = run.task
    samples: list[Sample] = [
        make_sample(
            task.samples[question.item],
            question,
            position_metadata(question.id, positions),
        )
        for question in plan.questions
    ]
    spec, config = load_family(PROBING).tasks[_PROBE], task.task.config.model_copy()
    if config.temperature is None:
        config.temperature = spec.temperature
    record = {**record, RECORD_HEADLINE: spec.headline[0]}
    metric = headline(
        _PROBE, spec.metric_options(run.values), record["digest"], planned=spec.headline[0]
    )
    # `task_with` does not give metrics to the scorer, but the constructor of a task does.
    scorer = probed_outcome(task.scorer, record["digest"], task.score_key, list(probes))
    scored = Task(scorer=scorer, metrics=[metric])
    probe_task = task_with(
        copy(task.task),  # `task_with` changes its argument
        dataset=MemoryDataset(samples, name=f"{_PROBE}_{task.name.replace('/', '_')}"),
        setup=None,
        solver=probed(task.solvers),
        config=config,
        scorer=scored.scorer,
        metrics=scored.metrics,
        epochs=task.task.epochs,
        name=f"bias_tasks/{_PROBE}",
        description=f"{task.name} under probes",
        version=task_version(record),
        metadata={**(task.task.metadata or {}), RECORD: record},
        headline_metric=HeadlineMetric(scorer=probed_outcome.__name__),
        viewer=sample_columns(probed_outcome.__name__),
    )
    vars(probe_task).pop(TASK_FILE_ATTR, None)  # Inspect would look for it in the other task's file
    return probe_task
