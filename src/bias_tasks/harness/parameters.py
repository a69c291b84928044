"""The parameters of a run, from the metadata that lm-eval passes to every task of the run."""

import inspect
import logging
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches

from lm_eval.api.model import LM

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.parameters import Parameter, ParameterValues
from bias_tasks.messages import format_value
from bias_tasks.user_names import unknown_name

REASONING = Parameter("reasoning", "flag", False, "whether the model thinks first")
"""The parameter of every task that raises the token limit, which only lm-eval needs."""
YAML_KEYS = frozenset({"version", "config_source", "description", "num_fewshot"})
"""Metadata of a task about its own YAML file."""
_MIN_SIMILARITY = 0.75
"""An unknown name this similar to a parameter's is rejected as misspelt, on a scale from 0 to 1."""

# Below lm-eval's own logger, so that it prints these messages.
logger = logging.getLogger("lm_eval.bias_tasks")


def read_parameters(
    metadata: Mapping[str, object],
    known: Iterable[Parameter],
    fixed: ParameterValues,
    task: str = "",
) -> JsonObject:
    """Return the parameters of a task: those that its YAML file fixes, and those that a user sets.

    Other names are ignored: other tasks of the run may read them (`check_keys`).

    Args:
        metadata: What lm-eval passes.
        known: The parameters of the task.
        fixed: The values that the YAML file fixes. A user may repeat them.
        task: Name of the YAML task.

    Raises:
        ValueError: A value contradicts the fixed one, or needs Inspect.
    """
    by_name, values = {parameter.name: parameter for parameter in known}, dict(fixed)
    for name, value in metadata.items():
        if value is None or name not in by_name or value == fixed.get(name):
            continue
        if name in fixed:
            setting = f"{name}={format_value(fixed[name])}"
            raise ValueError(f"{task}: the task's name says {setting}: leave `{name}` out")
        if (instead := by_name[name].inspect_only) is not None:
            raise ValueError(instead)
        values[name] = value
    return values


def check_keys(metadata: Mapping[str, object], known: Collection[str], *, warn: bool) -> None:
    """Check that some task of a run reads each key of the metadata.

    lm-eval puts the arguments of its model into the same dictionary. They are recognized by the
    signatures of the model classes that are loaded.

    Args:
        metadata: What lm-eval passes.
        known: Names of the parameters of all tasks of the run.
        warn: Whether to name the keys that no task reads.

    Raises:
        ValueError: A key that no task reads is similar to a parameter.
    """
    read = {*known, *YAML_KEYS, *_model_arguments(LM)}
    unread = [name for name, value in metadata.items() if value is not None and name not in read]
    folded = [name.casefold() for name in known]
    for name in unread:
        if get_close_matches(name.casefold(), folded, cutoff=_MIN_SIMILARITY):
            raise ValueError(unknown_name(name, known, "parameters in --metadata"))
    if unread and warn:
        logger.warning(
            "no task of this run reads %s in --metadata: leave out what is not an argument of the "
            "model",
            ", ".join(f"`{name}`" for name in unread),
        )


def _model_arguments(model: type) -> set[str]:
    """Return the names of the arguments of a model class and of all its loaded subclasses."""
    arguments = set(inspect.signature(model.__init__).parameters)  # type: ignore[misc]
    return arguments.union(*map(_model_arguments, model.__subclasses__()))
