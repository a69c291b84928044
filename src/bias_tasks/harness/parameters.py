"""The parameters of a run, from what lm-eval hands to a task as its metadata."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.harness.running import Running, running
from bias_tasks.names import unknown_name
from bias_tasks.parameters import Parameter

_NOT_OURS = frozenset({"config_source", "version", "description", "num_fewshot"})
"""What the harness, or a task's YAML for people and other tools, puts there; users may not."""
_A_LETTER_OFF = 0.85
"""How alike a name of other tasks is to the one that is meant: `repeats` to `repeat`."""
_SHARED = "%s=%r of --model_args is taken by the task too; --metadata can give it another value"

# Below the harness's own logger, so that it prints what is said here.
logger = logging.getLogger("lm_eval.bias_tasks")


def read_parameters(
    metadata: Mapping[str, Any],
    known: Iterable[Parameter],
    fixed: Mapping[str, Any],
    same_as: Mapping[str, str],
) -> dict[str, Any]:
    """The parameters of a run: those that its YAML fixes, and those that the user gives.

    The harness mixes the arguments of its model into the metadata; those of the model that runs are
    left alone, and nothing else. Where one has the name of a parameter, as a seed may, it is taken
    for both. A value that is fixed may be given again, since a group hands the same metadata to all
    of its tasks.

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
    run = running()
    for name, value in metadata.items():
        meant = same_as.get(name, name)
        if meant in fixed:
            if value is not None and value != fixed[meant]:
                raise ValueError(_said_already(name, fixed[meant]))
        elif name in by_name:
            if value is not None:
                values[name] = _checked(by_name[name], value)
            if run.is_models(name, value):
                logger.warning(_SHARED, name, value)
        elif not _of_others(name, value, run):
            _refuse(name, value, by_name)
    return values


def _of_others(name: str, value: Any, run: Running) -> bool:
    """Whether it is the running model's, the harness's, or the YAML file's to say."""
    return run.is_models(name, value) or (name in _NOT_OURS and name not in run.metadata)


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


def _refuse(name: str, value: Any, known: Iterable[str]) -> None:
    """Raise the ValueError of a name that the task does not take.

    A null says nothing, and so may stand where another task takes the name.
    """
    elsewhere = _tasks_with(name)
    if elsewhere and value is None:
        return
    if elsewhere and not get_close_matches(name, list(known), cutoff=_A_LETTER_OFF):
        raise ValueError(
            f"`{name}` belongs to {elsewhere}: leave it out here, or run those tasks by themselves"
        )
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
