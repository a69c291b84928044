"""Makes Inspect tasks of a family's: their signature, their documentation, and what they run."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping
from textwrap import fill
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.solver import Solver

from bias_tasks.data.errors import DataError
from bias_tasks.families import load_family
from bias_tasks.family import Family, run_record
from bias_tasks.parameters import TaskSpec
from bias_tasks.scorers.outcome import figures, outcome
from bias_tasks.solvers.ask import ask
from bias_tasks.solvers.carried import asked_samples
from bias_tasks.tasks._errors import TaskError

RECORD = "bias_tasks"
"""Name in a log's metadata under which a run says what it asked; the same in both hosts."""
SolverOf = Callable[[Mapping[str, Any]], Solver]
"""Makes the solver of a task from the values of its parameters."""

logger = logging.getLogger(__name__)


def inspect_task(
    family: str, name: str, module: str, solver: SolverOf = lambda values: ask()
) -> Callable[..., Task]:
    """The Inspect task of that name, registered with the host.

    Its parameters, their defaults and their descriptions are the family's.

    Args:
        family: name of the family.
        name: a key of the family's `tasks`.
        module: name of the module that the task stands in (`__name__`).
        solver: makes its solver; by default each sample's prompt is asked as it is.
    """
    spec = load_family(family).tasks[name]

    def run(*given: Any, **named: Any) -> Task:
        values = signature.bind(*given, **named).arguments
        return build(load_family(family), spec, values, solver)

    signature = _signature(spec)
    run.__name__ = run.__qualname__ = name
    run.__module__ = module
    run.__doc__ = _documentation(spec)
    run.__signature__ = signature  # type: ignore[attr-defined]
    registered: Callable[..., Task] = task(run)
    return registered


def build(family: Family, spec: TaskSpec, given: Mapping[str, Any], solver: SolverOf) -> Task:
    """The task that asks the questions of a family's plan.

    Raises:
        TaskError: a parameter's value is not allowed, or the items can't be had.
    """
    try:
        values = spec.values(given)
        planned = family.plan(spec.name, values)
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    for note in planned.notes:
        logger.warning("%s: %s", spec.name, note)
    return Task(
        dataset=MemoryDataset(
            asked_samples(planned.questions), name=f"{spec.name}_{_kind(planned.data)}"
        ),
        solver=solver(values),
        scorer=outcome(family.name),
        metrics=[figures(spec.for_figures(values))],
        version=family.version,
        metadata={RECORD: run_record(family, spec.name, values, planned)},
    )


def _signature(spec: TaskSpec) -> inspect.Signature:
    return inspect.Signature(
        [
            inspect.Parameter(
                parameter.name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=parameter.default,
                annotation=parameter.annotation,
            )
            for parameter in spec.parameters
        ],
        return_annotation=Task,
    )


def _documentation(spec: TaskSpec) -> str:
    """A docstring in the host's style, from which it takes the descriptions of parameters."""
    lines = [
        fill(
            f"{parameter.name}: {parameter.meaning}.",
            width=100,
            initial_indent=" " * 8,
            subsequent_indent=" " * 12,
            break_on_hyphens=False,
        )
        for parameter in spec.parameters
    ]
    return "\n".join([spec.summary, "", "    Args:", *lines, "    "])


def _kind(data: str) -> str:
    """The data in a dataset's name: names of data sets joined, and `file` for a path."""
    names = data.split(", ")
    return "_".join("file" if "." in name or "/" in name else name for name in names)
