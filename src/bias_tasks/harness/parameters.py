"""The parameters of a run, from what lm-eval hands to a task as its metadata."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lm_eval import simple_evaluate
from lm_eval.utils import simple_parse_args_string

from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.parameters import Parameter, unknown_name

_OF_HARNESS = frozenset({"version", "config_source", "num_fewshot", "description"})
"""Names that the harness or a YAML file puts among the metadata."""


def read_parameters(
    metadata: Mapping[str, Any],
    known: Iterable[Parameter],
    fixed: Mapping[str, Any],
    same_as: Mapping[str, str],
) -> dict[str, Any]:
    """The parameters of a run: those that its YAML fixes, and those that the user gives.

    The harness mixes the arguments of its model into the metadata; these are left alone. A value
    that is fixed may be given again, since a group hands the same metadata to all of its tasks.

    Args:
        metadata: what the harness hands over.
        known: the parameters of the task.
        fixed: values that the task's name says already; those of no parameter are only held
            against what is given.
        same_as: other names under which a fixed value may be given again.

    Raises:
        ValueError: a name is unknown or belongs to other tasks, contradicts the task's name, or
            a value is not allowed.
    """
    by_name = {parameter.name: parameter for parameter in known}
    values = {name: value for name, value in fixed.items() if name in by_name}
    for name, value in metadata.items():
        if value is None or name in _OF_HARNESS:
            continue
        meant = same_as.get(name, name)
        if meant in fixed:
            if value != fixed[meant]:
                raise ValueError(_said_already(name, fixed[meant]))
        elif name in by_name:
            values[name] = _checked(by_name[name], value)
        else:
            _refuse_unknown(name, by_name)
    return values


def _checked(parameter: Parameter, value: Any) -> Any:
    if parameter.inspect_only is not None:
        raise ValueError(parameter.inspect_only)
    try:
        return parameter.check(value)
    except ValueError as error:
        raise ValueError(f"{error} (in --metadata)") from error


def _said_already(name: str, value: Any) -> str:
    return (
        f"the task's name says {name}={value!r}: leave `{name}` out, or run a task whose name "
        "does not say it"
    )


def _refuse_unknown(name: str, known: Mapping[str, Parameter]) -> None:
    elsewhere = _tasks_with(name)
    if elsewhere:
        raise ValueError(
            f"`{name}` belongs to {elsewhere}: leave it out here, or run those tasks by themselves"
        )
    if name not in _arguments_given() and name not in _arguments_known():
        raise ValueError(unknown_name(name, known, "parameters in --metadata"))


def _tasks_with(name: str) -> str:
    """The tasks of the package that take a parameter of that name, in words."""
    tasks = [
        spec.name
        for family in map(load_family, FAMILY_NAMES)
        for spec in family.tasks.values()
        if any(parameter.name == name for parameter in spec.parameters)
    ]
    return f"{', '.join(tasks[:3])}{', ...' if tasks[3:] else ''}"


def _arguments_given() -> Mapping[str, Any]:
    """The arguments of the running evaluation's model, which the harness mixes into the metadata.

    It does not say which of them are the model's, so they are taken from where it was called.
    """
    called = inspect.unwrap(simple_evaluate).__code__  # what the harness exports only passes on
    frame = inspect.currentframe()
    while frame is not None and frame.f_code is not called:
        frame = frame.f_back
    given = None if frame is None else frame.f_locals.get("model_args")
    if isinstance(given, str):
        return dict(simple_parse_args_string(given))
    return given or {}


@cache
def _arguments_known() -> frozenset[str]:
    """The names of all arguments of the harness's models, for tasks that are loaded otherwise.

    They are read from its source: importing its models would load what they run on.
    """
    own = {"model", "batch_size", "max_batch_size", "device"}
    spec = find_spec("lm_eval")
    if spec is None or not spec.submodule_search_locations:
        return frozenset(own)
    folder = Path(spec.submodule_search_locations[0]) / "models"
    return frozenset(
        argument.arg
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
        for argument in (*node.args.args, *node.args.kwonlyargs)
    ).union(own)
