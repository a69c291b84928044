"""The families of tasks that the package brings, each loaded when it is asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from bias_tasks.family import Family

FAMILY_NAMES: tuple[str, ...] = (
    "instruction_boundary",
    "binary_qa",
    "output_format",
    "complex_eval",
)
"""Each is a folder of the package with a module `family`, whose `FAMILY` is the family."""


@cache
def load_family(name: str) -> Family:
    """The family of that name.

    Args:
        name: one of `FAMILY_NAMES`, or the dotted name of another module with a `FAMILY`.

    Raises:
        ImportError: there is no such module.
        TypeError: the module's `FAMILY` is none.
    """
    module = f"bias_tasks.{name}.family" if name in FAMILY_NAMES else name
    family = getattr(import_module(module), "FAMILY", None)
    if not isinstance(family, Family):
        raise TypeError(f"{module} has no FAMILY")
    return family


def family_of_task(task: str) -> Family:
    """The family that has a task of that name.

    Raises:
        LookupError: no family of the package has one.
    """
    names: list[str] = []
    for name in FAMILY_NAMES:
        family = load_family(name)
        if task in family.tasks:
            return family
        names += family.tasks
    raise LookupError(f"no family has a task {task!r}: there are {', '.join(names)}")
