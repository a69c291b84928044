"""Makes Inspect tasks of a family's: their signature, their documentation, and what they run."""

import inspect
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import GenerateConfig, model_roles
from inspect_ai.solver import Solver

from bias_tasks.contract.parameters import SHARD, TaskSpec, of_whole_run
from bias_tasks.contract.record import RECORD, calls_of, many_calls, run_record, version_of
from bias_tasks.contract.shards import asked_in_part
from bias_tasks.data.errors import DataError
from bias_tasks.families import load_family, tasks_of
from bias_tasks.names import nearest
from bias_tasks.scorers.grader import GRADER
from bias_tasks.scorers.outcome import headline, outcome
from bias_tasks.solvers.ask import ask
from bias_tasks.solvers.inspect_host import TaskError
from bias_tasks.solvers.sample_state import asked_samples

Factory = TypeVar("Factory", bound=Callable[..., Task])

logger = logging.getLogger(__name__)


def family_task(module: str, name: str, solver: Callable[[], Solver] = ask) -> Callable[..., Task]:
    """A registered task of a family, with the signature and documentation that it declares: `name`
    among its `tasks`, in a module that is called as the family is."""
    family = module.rpartition(".")[2]

    def make(**parameters: Any) -> Task:
        return build(family, name, parameters, solver())

    make.__name__, make.__qualname__, make.__module__ = name, name, module
    return task(declared(family)(make))


def declared(family: str) -> Callable[[Factory], Factory]:
    """Gives a task's function, which is named as in the family's `tasks`, the signature and the
    documentation that are declared there; `family` is what `load_family` takes."""

    def sign(factory: Factory) -> Factory:
        spec = tasks_of(family)[factory.__name__]
        signature = _signature(spec)

        @wraps(factory)
        def signed(*values: Any, **parameters: Any) -> Task:
            return factory(**signature.bind_partial(*values).arguments, **parameters)

        signed.__doc__ = _documentation(spec)
        signed.__signature__ = signature  # type: ignore[attr-defined]
        return cast(Factory, signed)

    return sign


def build(family: str, name: str, given: Mapping[str, Any], solver: Solver | None = None) -> Task:
    """The task that asks the questions of a family's plan, by the values that are given of its
    parameters; with a solver where the samples' prompts are not just asked as they are."""
    brought = load_family(family)
    spec = brought.tasks[name]
    tell_misspelt_roles((GRADER, *brought.roles))
    try:
        values = spec.values(given)
        whole = brought.plan(name, of_whole_run(values))
        record = run_record(brought, name, values, whole)
        planned, record, places = asked_in_part(whole, record, values.get(SHARD))
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    many = many_calls(name, calls_of(brought, planned).total())
    for note in filter(None, (*planned.notes, many)):
        logger.warning("%s: %s", name, note)
    return Task(
        dataset=MemoryDataset(asked_samples(planned.questions, places, brought), name=name),
        solver=solver or ask(),
        scorer=outcome(family, record["digest"]),
        metrics=[headline(name, spec.for_figures(values), record["digest"])],
        headline_metric=HeadlineMetric(scorer=outcome.__name__),
        config=GenerateConfig(temperature=spec.temperature, stop_seqs=list(planned.stops) or None),
        version=version_of(record),
        metadata={RECORD: record},
    )


def tell_misspelt_roles(known: Sequence[str]) -> None:
    """Warn of a role whose name is near to a known one that is not given: the host takes any name,
    and a judge in the role `gradr` would never be asked."""
    given = model_roles()
    for role in given:
        near = nearest(role, known)
        if near is not None and near not in given:
            logger.warning("no task asks a model in the role %r: did you mean %r?", role, near)


def _signature(spec: TaskSpec) -> inspect.Signature:
    """The declared parameters, and whatever else is given, which is refused by name later."""
    make = inspect.Parameter
    parameters = [
        make(p.name, make.POSITIONAL_OR_KEYWORD, default=p.default, annotation=p.annotation)
        for p in spec.parameters
    ]
    unknown = make("unknown", make.VAR_KEYWORD, annotation=Any)
    return inspect.Signature([*parameters, unknown], return_annotation=Task)


def _documentation(spec: TaskSpec) -> str:
    """A docstring in the host's style, from which it takes the descriptions of parameters."""
    lines = [f"        {each.name}: {' '.join(each.meaning.split())}." for each in spec.parameters]
    return "\n".join([spec.summary, "", "    Args:", *lines, "    "])
