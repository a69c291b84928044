"""Builds Inspect tasks from the plans of families, and checks the arguments of task functions."""

import inspect
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar, cast, get_type_hints

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import GenerateConfig, model_roles
from inspect_ai.solver import Solver
from inspect_ai.util import registry_info
from inspect_ai.viewer import (
    TaskSamplesColumn,
    TaskSamplesColumnId,
    TaskSamplesView,
    ViewerConfig,
)

from bias_tasks.contract.json_data import paths_as_text
from bias_tasks.contract.parameters import (
    SHARD,
    ParameterValues,
    parameter_from_annotation,
    without_shard,
)
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
from bias_tasks.families import import_family
from bias_tasks.scorers.outcome import GRADER, outcome
from bias_tasks.scorers.run_metrics import headline
from bias_tasks.solvers.ask import ask
from bias_tasks.solvers.inspect_api import TaskError, registry_add
from bias_tasks.solvers.sample_state import question_samples
from bias_tasks.user_names import find_nearest, unknown_name

Factory = TypeVar("Factory", bound=Callable[..., Task])

logger = logging.getLogger(__name__)


def checked(factory: Factory) -> Factory:
    """Return a registered task function that rejects unknown parameters, with the known ones.

    Inspect alone would only warn of a misspelt `-T`. Paths (`data=Path(...)`) become texts, since
    Inspect would log only their last part. The documentation gets the meaning of each parameter.

    Args:
        factory: A function with the decorator `task`, below this one.
    """
    name, signature = factory.__name__, inspect.signature(factory, eval_str=True)
    known = signature.parameters
    takes_others = any(argument.kind is argument.VAR_KEYWORD for argument in known.values())

    @wraps(factory)
    def build(*positional: Any, **named: Any) -> Task:
        unknown = [] if takes_others else [each for each in named if each not in known]
        if unknown:
            raise TaskError(unknown_name(unknown[0], known, f"parameters of {name}"))
        texts = {each: paths_as_text(value) for each, value in named.items()}
        return factory(*paths_as_text(positional), **texts)

    types = get_type_hints(factory)  # without the meanings
    arguments = [each.replace(annotation=types.get(each.name)) for each in known.values()]
    if not takes_others:
        arguments.append(
            inspect.Parameter("unknown", inspect.Parameter.VAR_KEYWORD, annotation=Any)
        )
    build.__signature__ = signature.replace(parameters=arguments)  # type: ignore[attr-defined]
    build.__doc__ = f"{inspect.getdoc(factory)}\n\n{_describe_parameters(known)}"
    registry_add(build, registry_info(factory))  # names on the command line lead here, too
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
        options = spec.metric_options(values)
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
        scorer=outcome(family, record["digest"], options),
        metrics=[headline(name, options, record["digest"], planned=planned_headline)],
        headline_metric=HeadlineMetric(scorer=outcome.__name__),
        config=GenerateConfig(temperature=spec.temperature, stop_seqs=stop_sequences),
        version=task_version(record),
        metadata={RECORD: record},
        viewer=sample_columns(outcome.__name__),
    )


def sample_columns(scorer: str) -> ViewerConfig:
    """Return the columns of `inspect view`: item and variant (the id), target, answer and score.

    An unparsed answer has an empty cell. The viewer has no columns for metadata, and what an answer
    moved from is in another sample.

    Args:
        scorer: Name of the scorer in the log.
    """
    names: tuple[TaskSamplesColumnId, ...] = ("sampleStatus", "sampleId", "target", "answer")
    columns = [TaskSamplesColumn(id=name) for name in names]
    columns += [TaskSamplesColumn.score(scorer), TaskSamplesColumn(id="input")]
    view = TaskSamplesView(name="bias-tasks", columns=columns, multiline=False)
    return ViewerConfig(task_samples_view=view)


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


def _describe_parameters(arguments: Mapping[str, inspect.Parameter]) -> str:
    """Return the section of a docstring that describes the parameters of a task function."""
    described = (
        parameter_from_annotation(name, argument.annotation, argument.default)
        for name, argument in arguments.items()
    )
    return "\n".join(["Args:", *(f"    {p.name}: {p.meaning}." for p in described if p)])
