"""The families of tasks that the package brings, each loaded when it is asked for."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from bias_tasks.contract.family import Family
from bias_tasks.contract.parameters import TaskSpec, declared
from bias_tasks.names import did_you_mean

PAPERS: tuple[str, ...] = ("instruction_boundary", "binary_qa", "output_format", "complex_eval")
"""The families that are papers'."""
FAMILY_NAMES: tuple[str, ...] = (*PAPERS, "judging")
"""Each is a folder of the package with a module `family`, whose `FAMILY` is it."""
PROBING = "probing"
"""The family of other people's tasks under probes: its items are a host's task's."""
_OURS = (*FAMILY_NAMES, PROBING)


@cache
def load_family(name: str) -> Family:
    """The family of that name, one of `FAMILY_NAMES`, or of a module with a `FAMILY` by its dotted
    name; a ValueError where there is none."""
    module, family = f"bias_tasks.{name}.family" if name in _OURS else name, None
    if all(part.isidentifier() for part in module.split(".")):
        try:
            family = getattr(import_module(module), "FAMILY", None)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module}.".startswith(f"{error.name}."):
                raise  # it is there, and lacks a module that it imports
    if not isinstance(family, Family):
        raise ValueError(
            f"there is no family {name!r}{did_you_mean([name], FAMILY_NAMES)}: expected "
            f"{', '.join(FAMILY_NAMES)}, or the dotted name of a module with a FAMILY"
        )
    return family


def tasks_of(name: str) -> Mapping[str, TaskSpec]:
    """The tasks of a family by name; of our own ones without loading what reads their answers."""
    return declared(f"bias_tasks.{name}").tasks if name in _OURS else load_family(name).tasks


def family_of_task(task: str) -> Family:
    """The family that has a task of that name; a LookupError where none of the package has."""
    tasks = {each: name for name in _OURS for each in tasks_of(name)}
    if task in tasks:
        return load_family(tasks[task])
    near = did_you_mean([task], tasks)
    raise LookupError(f"no family has a task {task!r}{near}: there are {', '.join(tasks)}")
