"""The families of tasks in the package. Each is imported when it is first used."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from bias_tasks.contract.family import AnyFamily, Family
from bias_tasks.contract.old_names import current_family
from bias_tasks.contract.parameters import TaskSpec, load_declaration
from bias_tasks.names import did_you_mean

PAPERS: tuple[str, ...] = ("instruction_boundary", "binary_qa", "output_format", "complex_eval")
"""The families of the four papers."""
FAMILY_NAMES: tuple[str, ...] = (*PAPERS, "judge_bias")
"""The families with items of their own. Each is a folder whose module `family` has a `FAMILY`."""
PROBING = "probing"
"""The family of other packages' tasks under probes, whose items a framework loads."""
_BUILT_IN = (*FAMILY_NAMES, PROBING)


@cache
def load_family(name: str) -> AnyFamily:
    """Return a family.

    Args:
        name: One of `FAMILY_NAMES`, `PROBING`, a name in a log of an earlier version, or the dotted
            name of a module with a `FAMILY`.

    Raises:
        ValueError: There is no such family.
    """
    name, family = current_family(name), None
    module = f"bias_tasks.{name}.family" if name in _BUILT_IN else name
    if all(part.isidentifier() for part in module.split(".")):
        try:
            family = getattr(import_module(module), "FAMILY", None)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module}.".startswith(f"{error.name}."):
                raise  # the module exists, and a module that it imports is missing
    if not isinstance(family, Family):
        raise ValueError(
            f"there is no family {name!r}{did_you_mean([name], FAMILY_NAMES)}: expected "
            f"{', '.join(FAMILY_NAMES)}, or the dotted name of a module with a FAMILY"
        )
    return family


def tasks_of(name: str) -> Mapping[str, TaskSpec]:
    """Return the tasks of a family by name, if possible without importing the family.

    Args:
        name: As in `load_family`.
    """
    if name in _BUILT_IN:
        return load_declaration(f"bias_tasks.{name}").tasks
    return load_family(name).tasks


def family_of_task(task: str) -> AnyFamily:
    """Return the family that has a task.

    Args:
        task: The task's name in its family.

    Raises:
        LookupError: No family of the package has such a task.
    """
    families = {name: family for family in _BUILT_IN for name in tasks_of(family)}
    if task in families:
        return load_family(families[task])
    near = did_you_mean([task], families)
    raise LookupError(f"no family has a task {task!r}{near}: expected {', '.join(families)}")
