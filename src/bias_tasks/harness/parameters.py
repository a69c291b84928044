"""The parameters of a run, from what lm-eval hands to a task as its metadata."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from bias_tasks.contract.parameters import Parameter
from bias_tasks.families import FAMILY_NAMES, tasks_of
from bias_tasks.names import unknown_name

_ALIKE = 0.75
"""How alike an unknown name is to a parameter's that is refused as misspelt."""
_OF_MODELS = frozenset({"model"})
"""Arguments of the harness's models that are as alike to one of our parameters (`mode`)."""


def read_parameters(
    metadata: Mapping[str, Any], known: Iterable[Parameter], fixed: Mapping[str, Any]
) -> dict[str, Any]:
    """The parameters of a run: those that its YAML fixes, and the known ones that the user gives.

    The harness mixes the arguments of its model into the metadata: a name that is no parameter is
    refused where it is near to one or belongs to other tasks, and left to the model otherwise. A
    value that is fixed may be given again, since a group hands all of its tasks the same.
    """
    by_name, values = {parameter.name: parameter for parameter in known}, dict(fixed)
    for name, value in metadata.items():
        if value is None:
            continue
        if name in fixed and value != fixed[name]:
            raise ValueError(f"the task's name says {name}={fixed[name]!r}: leave `{name}` out")
        if name not in by_name:
            if name not in _OF_MODELS and get_close_matches(name, by_name, cutoff=_ALIKE):
                raise ValueError(unknown_name(name, by_name, "parameters in --metadata"))
            _refuse_other_task_s(name)
        elif name not in fixed:
            if (instead := by_name[name].inspect_only) is not None:
                raise ValueError(instead)
            values[name] = value
    return values


def _refuse_other_task_s(name: str) -> None:
    """Raise a ValueError for a parameter of other tasks."""
    specs = (spec for family in FAMILY_NAMES for spec in tasks_of(family).values())
    found = [spec.name for spec in specs if any(each.name == name for each in spec.parameters)]
    if found:
        others = f"{', '.join(found[:3])}{', ...' if found[3:] else ''}"
        raise ValueError(f"`{name}` belongs to {others}: leave it out here")
