"""Builds the Inspect task that probes another task."""

import logging
from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from inspect_ai import Task, task_with
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.parameters import ALL, SHARD, ParameterValues
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
from bias_tasks.probing.plan import (
    PROTOCOL,
    ProbedPlan,
    build_plan,
    plan_probes,
    select_items,
)
from bias_tasks.scorers.probed import probed_outcome
from bias_tasks.scorers.run_metrics import headline
from bias_tasks.solvers.inspect_api import TASK_FILE_ATTR, TaskError, registry_log_name
from bias_tasks.solvers.probed import probed
from bias_tasks.solvers.probed_items import ProbingSample
from bias_tasks.solvers.sample_state import position_metadata
from bias_tasks.tasks._build import warn_of_misspelt_roles
from bias_tasks.tasks._probed_task import ProbedTask, load_probed_task

_PROBE = "probe"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Parameters:
    """The parameters of a run."""

    probe: ParameterValues
    """The value of every parameter of `probe`."""
    task: ParameterValues
    """The parameters of the probed task that the user sets."""

    @classmethod
    def from_user(cls, parameters: ParameterValues) -> "_Parameters":
        """Separate and check the parameters that a user sets."""
        spec = load_family(PROBING).tasks[_PROBE]
        names = {parameter.name for parameter in spec.parameters}
        probe = {name: value for name, value in parameters.items() if name in names}
        task = {name: value for name, value in parameters.items() if name not in names}
        return cls(spec.values(probe), task)

    def load_task(self) -> ProbedTask:
        """Load the probed task."""
        return load_probed_task(self.probe["task"], self.task, sorted(self.probe))

    def select_items(self, task: ProbedTask) -> list[ProbedItem]:
        """Return the items of the run."""
        n = self.probe["n"]
        return select_items(task.items, None if n == ALL else n, self.probe["seed"])


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
        params = _Parameters.from_user(parameters)
        task, planned = _plan(params)
        whole = build_task_plan(task, planned)
        values = {**params.probe, "protocol": PROTOCOL}
        record = run_record(family, _PROBE, values, whole, params.task)
        plan, record, positions = plan_shard(whole, record, params.probe.get(SHARD))
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    n_calls = count_calls(family, plan).total() * task.epochs
    for note in filter(None, (*plan.notes, many_calls_notice(_PROBE, n_calls))):
        logger.warning("%s: %s", _PROBE, note)
    return _build_task(task, plan, planned.probes, record, params.probe, positions)


def plan_probe(parameters: ParameterValues) -> Plan:
    """Return the plan of a run of `probe`, without what solvers add to prompts.

    Args:
        parameters: As for `build_probe`.

    Raises:
        ValueError: As `TaskError` of `build_probe`.
        DataError: As `TaskError` of `build_probe`.
    """
    return build_task_plan(*_plan(_Parameters.from_user(parameters)))


def select_task_items(parameters: ParameterValues) -> tuple[str, list[str], list[ProbedItem]]:
    """Return the name of the probed task, the ids of all its items, and the items of a run.

    Args:
        parameters: As for `build_probe`.

    Raises:
        ValueError: As `TaskError` of `build_probe`.
    """
    params = _Parameters.from_user(parameters)
    task = params.load_task()
    return task.name, list(task.samples), params.select_items(task)


def _plan(params: _Parameters) -> tuple[ProbedTask, ProbedPlan]:
    """Return the probed task and the questions of a run."""
    task = params.load_task()
    items = params.select_items(task)
    ids = {item.id for item in items}
    other_items = [item for item in task.items if item.id not in ids]
    return task, plan_probes(params.probe, items, other_items, task=task.name, ids=task.samples)


def build_task_plan(task: ProbedTask, planned: ProbedPlan) -> Plan:
    """Return the plan of a run as records and samples use it.

    Args:
        task: The probed task.
        planned: The questions.
    """
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
    return build_plan(planned, prompts, task=task.name, provenance=provenance, notes=notes)


def _build_task(
    task: ProbedTask,
    plan: Plan,
    probes: Collection[str],
    record: JsonObject,
    values: ParameterValues,
    positions: Mapping[str, int],
) -> Task:
    """Return the probed task with another dataset, solver, scorer and metrics.

    Args:
        task: The probed task.
        plan: The questions.
        probes: The probes that the run tries.
        record: The record of the run.
        values: Parameters of `probe`.
        positions: Positions of a shard's questions in the whole run, by id.
    """
    samples: list[Sample] = [
        ProbingSample(
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
        _PROBE, spec.metric_options(values), record["digest"], planned=spec.headline[0]
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
    )
    vars(probe_task).pop(TASK_FILE_ATTR, None)  # Inspect would look for it in the other task's file
    return probe_task
