"""The parameters of a run, from the metadata that lm-eval passes to a task."""

import logging
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.parameters import Parameter, ParameterValues
from bias_tasks.data.tables import FILE_ENDINGS
from bias_tasks.families import FAMILY_NAMES, tasks_of
from bias_tasks.names import format_value, unknown_name

REASONING = Parameter("reasoning", "flag", False, "whether the model thinks first")
"""The parameter of every task that raises the token limit, which only lm-eval needs."""
_MIN_SIMILARITY = 0.75
"""An unknown name this similar to a parameter's is rejected as misspelt, on a scale from 0 to 1."""
_MODEL_ARGUMENTS = frozenset({"model"})
"""Arguments of lm-eval's models that are as similar to a parameter's name (`mode`)."""

# Below lm-eval's own logger, so that it prints these messages.
logger = logging.getLogger("lm_eval.bias_tasks")


def read_parameters(
    metadata: Mapping[str, object],
    known: Iterable[Parameter],
    fixed: ParameterValues,
    task: str = "",
) -> JsonObject:
    """Return the parameters of a run: those that its YAML file fixes, and those that a user sets.

    lm-eval mixes the arguments of its model into the metadata. An unknown name is therefore
    rejected only if it is similar to a parameter's or belongs to other tasks. A fixed value may be
    repeated, and fixed `data` stay with a warning if the user names others, since lm-eval passes
    the same metadata to all tasks of a run. The user's own file is never left out.

    Args:
        metadata: What lm-eval passes.
        known: The parameters of the task.
        fixed: The values that the YAML file fixes.
        task: Name of the YAML task.

    Raises:
        ValueError: A name is misspelt or belongs to other tasks, or a value contradicts the fixed
            one or needs Inspect.
    """
    by_name, values = {parameter.name: parameter for parameter in known}, dict(fixed)
    for name, value in metadata.items():
        if value is None:
            continue
        if name in fixed and value != fixed[name]:
            setting = f"{name}={format_value(fixed[name])}"
            reason = f"{task}: the task's name says {setting}"
            if name != "data" or str(value).lower().endswith(FILE_ENDINGS):
                owner, is_named, _ = task.partition(f"_{fixed[name]}")
                if name == "data" and is_named:
                    raise ValueError(f"{reason}: for your own file, run the task {owner}_file")
                raise ValueError(f"{reason}: leave `{name}` out")
            logger.warning("%s: `%s` has no effect", reason, name)
        if name not in by_name:
            similar = get_close_matches(name, by_name, cutoff=_MIN_SIMILARITY)
            if similar and name not in _MODEL_ARGUMENTS:
                raise ValueError(unknown_name(name, by_name, "parameters in --metadata"))
            _reject_parameter_of_others(name)
        elif name not in fixed:
            if (instead := by_name[name].inspect_only) is not None:
                raise ValueError(instead)
            values[name] = value
    return values


def _reject_parameter_of_others(name: str) -> None:
    """Raise a ValueError if other tasks have a parameter of this name."""
    specs = [spec for family in FAMILY_NAMES for spec in tasks_of(family).values()]
    owners = [
        spec.name for spec in specs if any(parameter.name == name for parameter in spec.parameters)
    ]
    if owners:
        listed = f"{', '.join(owners[:3])}{', ...' if owners[3:] else ''}"
        raise ValueError(f"`{name}` belongs to {listed}: leave it out here")
