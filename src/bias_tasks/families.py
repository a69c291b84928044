"""The families of tasks in the package. Each is imported when it is first used."""

import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module

from bias_tasks.contract.declarations import load_declaration
from bias_tasks.contract.family import AnyFamily, Family
from bias_tasks.contract.parameters import TaskSpec
from bias_tasks.messages import format_value
from bias_tasks.user_names import did_you_mean

PAPERS: tuple[str, ...] = ("instruction_boundary", "binary_qa", "output_format", "complex_eval")
"""The families of the four papers."""
FAMILY_NAMES: tuple[str, ...] = (*PAPERS, "judge_bias")
"""The families with items of their own. Each is a folder whose module `family` has a `FAMILY`."""
PROBING = "probing"
"""The family of other packages' tasks under probes, whose items a framework loads."""
_BUILT_IN = (*FAMILY_NAMES, PROBING)
FAMILIES_VARIABLE = "BIAS_TASKS_FAMILIES"
"""Environment variable with the modules of other packages' families, which commands import."""


class UnsupportedError(ValueError):
    """A family, a task or a version that the installed packages do not have."""


@cache
def load_family(name: str) -> AnyFamily:
    """Return a family of the package, or of a module that is already imported.

    A log names its family. Reading it imports no other package's module, which would execute code.

    Args:
        name: One of `FAMILY_NAMES`, `PROBING`, or the dotted name of a module with a `FAMILY`.

    Raises:
        UnsupportedError: There is no such family.
    """
    is_ours = name in _BUILT_IN
    module = import_module(f"bias_tasks.{name}.family") if is_ours else sys.modules.get(name)
    family = getattr(module, "FAMILY", None)
    if not isinstance(family, Family):
        raise UnsupportedError(
            f"there is no family {format_value(name)}{did_you_mean([name], FAMILY_NAMES)}: the "
            f"families are {', '.join(FAMILY_NAMES)}. If you trust another package that has it, "
            f"import its module first (for commands: {FAMILIES_VARIABLE}=MODULE)"
        )
    return family


def import_family(name: str) -> AnyFamily:
    """Return a family that the user names; the module of another package's family is imported.

    Args:
        name: As in `load_family`.

    Raises:
        UnsupportedError: There is no such family.
    """
    if name not in _BUILT_IN and all(map(str.isidentifier, name.split("."))):
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise  # the module exists, and a module that it imports is missing
    return load_family(name)


def tasks_of(name: str) -> Mapping[str, TaskSpec]:
    """Return the tasks of a family by name, if possible without importing the family.

    Args:
        name: As in `import_family`.
    """
    if name in _BUILT_IN:
        return load_declaration(f"bias_tasks.{name}").tasks
    return import_family(name).tasks


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
