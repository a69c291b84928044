"""Builds Inspect tasks from the declarations of families: signature, documentation and contents."""

import inspect
import logging
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import GenerateConfig, model_roles
from inspect_ai.solver import Solver

from bias_tasks.contract.json_data import paths_as_text
from bias_tasks.contract.parameters import SHARD, ParameterValues, TaskSpec, without_shard
from bias_tasks.contract.record import (
    RECORD,
    RECORD_HEADLINE,
    count_calls,
    find_planned_headline,
    many_calls_notice,
    run_record,
    task_version,
)
from bias_tasks.contract.shards import plan_shard
from bias_tasks.data.errors import DataError
from bias_tasks.families import import_family, tasks_of
from bias_tasks.names import find_nearest
from bias_tasks.scorers.outcome import GRADER, outcome
from bias_tasks.scorers.run_metrics import headline
from bias_tasks.solvers.ask import ask
from bias_tasks.solvers.inspect_api import TaskError
from bias_tasks.solvers.sample_state import question_samples

Factory = TypeVar("Factory", bound=Callable[..., Task])

logger = logging.getLogger(__name__)


def family_task(module: str, name: str, solver: Callable[[], Solver] = ask) -> Callable[..., Task]:
    """Return a registered task with the signature and documentation that its family declares.

    Args:
        module: Dotted name of a module that is called like the family.
        name: The task's name in the family.
        solver: Makes the solver of the task.
    """
    family = module.rpartition(".")[2]

    def build(**parameters: Any) -> Task:
        return build_task(family, name, parameters, solver())

    build.__name__, build.__qualname__, build.__module__ = name, name, module
    return with_text_paths(task(declared(family)(build)))


def declared(family: str) -> Callable[[Factory], Factory]:
    """Return a decorator that gives a task function its declared signature and documentation.

    The function is called like the task.

    Args:
        family: The family's name, as `import_family` accepts it.
    """

    def decorate(factory: Factory) -> Factory:
        spec = tasks_of(family)[factory.__name__]
        signature = _build_signature(spec)

        @wraps(factory)
        def build(*positional: Any, **named: Any) -> Task:
            return factory(**signature.bind_partial(*positional).arguments, **named)

        build.__doc__ = _build_docstring(spec)
        build.__signature__ = signature  # type: ignore[attr-defined]
        return cast(Factory, build)

    return decorate


def with_text_paths(factory: Factory) -> Factory:
    """Return a registered task function that accepts paths (`data=Path(...)`) as texts.

    Inspect would log only the last part of a path.
    """

    @wraps(factory)
    def build(*positional: Any, **named: Any) -> Task:
        texts = {name: paths_as_text(value) for name, value in named.items()}
        return factory(*paths_as_text(positional), **texts)

    return cast(Factory, build)


def build_task(family: str, name: str, raw: ParameterValues, solver: Solver | None = None) -> Task:
    """Return an Inspect task with the questions of a family's plan.

    Args:
        family: The family's name.
        name: The task's name in the family.
        raw: The parameters that a user sets, unchecked.
        solver: The task's solver; by default `ask`.

    Raises:
        TaskError: A parameter has an invalid value, or the items are not available.
    """
    loaded = import_family(family)
    spec = loaded.tasks[name]
    warn_of_misspelt_roles((GRADER, *loaded.roles))
    try:
        values = spec.values(raw)
        whole_plan = loaded.plan(name, without_shard(values))
        whole_record = run_record(loaded, name, values, whole_plan)
        planned_headline = find_planned_headline(loaded, name, values, whole_plan)
        whole_record[RECORD_HEADLINE] = planned_headline
        plan, record, positions = plan_shard(whole_plan, whole_record, values.get(SHARD))
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    calls_notice = many_calls_notice(name, count_calls(loaded, plan).total())
    for note in filter(None, (*plan.notes, calls_notice)):
        logger.warning("%s: %s", name, note)
    stop_sequences = list(plan.stop_sequences) or None
    samples = question_samples(plan.questions, positions, loaded, record["answer_limit"])
    return Task(
        dataset=MemoryDataset(samples, name=name),
        solver=solver or ask(),
        scorer=outcome(family, record["digest"]),
        metrics=[
            headline(name, spec.metric_options(values), record["digest"], planned=planned_headline)
        ],
        headline_metric=HeadlineMetric(scorer=outcome.__name__),
        config=GenerateConfig(temperature=spec.temperature, stop_seqs=stop_sequences),
        version=task_version(record),
        metadata={RECORD: record},
    )


def warn_of_misspelt_roles(known: Sequence[str]) -> None:
    """Log a warning for each model role whose name is close to one that the task uses.

    Inspect accepts any role: a grader in the role `gradr` would never be used.

    Args:
        known: The roles that the task uses.
    """
    roles = model_roles()
    for role in roles:
        near = find_nearest(role, known)
        if near is not None and near not in roles:
            logger.warning("no task uses a model in the role %r: did you mean %r?", role, near)


def _build_signature(spec: TaskSpec) -> inspect.Signature:
    """Return the declared parameters, and any others, which are rejected by name later."""
    parameters = [
        inspect.Parameter(
            parameter.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=parameter.default,
            annotation=parameter.annotation,
        )
        for parameter in spec.parameters
    ]
    others = inspect.Parameter("unknown", inspect.Parameter.VAR_KEYWORD, annotation=Any)
    return inspect.Signature([*parameters, others], return_annotation=Task)


def _build_docstring(spec: TaskSpec) -> str:
    """Return a docstring in Inspect's style, from which Inspect takes parameter descriptions."""
    lines = [
        f"        {parameter.name}: {' '.join(parameter.meaning.split())}."
        for parameter in spec.parameters
    ]
    return "\n".join([spec.summary, "", "    Args:", *lines, "    "])
