"""What a family declares: the signatures of its task functions, and its `tasks.yaml`.

`<family>_tasks.py` has the tasks of Inspect. Their signatures are the only declaration of
parameters, and they are read without importing the file, which would import Inspect.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.util import find_spec
from typing import Any, NamedTuple

from bias_tasks.contract.parameters import Parameter, TaskSpec, parameter_from_annotation
from bias_tasks.data.files import read_yaml

_COMMON = ("temperature", "headline", "reported", "answers", "chance")
"""Values that all tasks of a family share, unless a task declares its own."""
_PATTERNS = ("headline", "setting_headlines", "reported")


class FamilyDeclaration(NamedTuple):
    """What a family declares."""

    parameters: Mapping[str, Parameter]
    """By name, as the first task that has one declares it."""
    tasks: Mapping[str, TaskSpec]
    """By name."""


@cache
def load_declaration(package: str) -> FamilyDeclaration:
    """Return what a family declares.

    Args:
        package: Dotted name of the family's folder, next to which its task functions are.

    Raises:
        TypeError, KeyError: `tasks.yaml` lacks a key, or has an unknown one.
        ValueError: An argument of a task function has no type of a parameter.
    """
    declaration = read_yaml(package, "tasks")
    common = {name: declaration[name] for name in _COMMON if name in declaration}
    rows = dict(declaration["tasks"])
    tasks = {}
    for name, summary, parameters in read_tasks(f"{package}_tasks"):
        row = {**common, **rows.pop(name, {})}
        patterns = {key: tuple(row[key]) for key in _PATTERNS if key in row}
        tasks[name] = TaskSpec(name, summary, parameters, **{**row, **patterns})
    if rows:
        raise KeyError(f"{package}: tasks.yaml has {', '.join(rows)}, which no function declares")
    declared = [parameter for spec in tasks.values() for parameter in spec.parameters]
    by_name = {parameter.name: parameter for parameter in reversed(declared)}
    return FamilyDeclaration(by_name, tasks)


def read_tasks(module: str) -> Iterator[tuple[str, str, tuple[Parameter, ...]]]:
    """Yield the name, summary and parameters of each `@task` function of a module.

    The module is not imported. Its annotations are names that it imports from modules called
    `parameters`, which are.

    Args:
        module: Dotted name of the module.

    Raises:
        ValueError: An argument has no type of a parameter.
    """
    body = ast.parse(_read_source(module)).body
    aliases: dict[str, Any] = {}
    for node in body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith(".parameters"):
            imported = import_module(str(node.module))
            aliases |= {name.name: getattr(imported, name.name) for name in node.names}
    for node in body:
        if isinstance(node, ast.FunctionDef) and "task" in map(ast.unparse, node.decorator_list):
            summary = " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
            yield node.name, summary, tuple(_read_parameters(node, aliases))


def _read_source(module: str) -> str:
    """Return the source of a module, which is not imported."""
    spec = find_spec(module)
    if spec is None or not isinstance(spec.loader, InspectLoader):
        raise ModuleNotFoundError(f"no source of {module}", name=module)
    return spec.loader.get_source(module) or ""


def _read_parameters(function: ast.FunctionDef, aliases: Mapping[str, Any]) -> Iterator[Parameter]:
    """Yield the parameters of a function, all of whose arguments have a default."""
    arguments = function.args.args
    for argument, default in zip(arguments, function.args.defaults, strict=True):
        annotation = aliases.get(ast.unparse(argument.annotation or ast.Constant(None)))
        parameter = parameter_from_annotation(argument.arg, annotation, ast.literal_eval(default))
        if parameter is None:
            raise ValueError(
                f"{function.name}: `{argument.arg}` needs a type from a module `parameters`"
            )
        yield parameter
