"""What the file `tasks.yaml` of a family says: its tasks, and their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from bias_tasks.data.yaml_files import read_yaml
from bias_tasks.parameters import SHARD, Parameter, TaskSpec

_PART = Parameter(
    SHARD,
    "shard",
    None,
    "one part of the items, such as `3/16` for the third of sixteen: each item with all of its "
    "questions, by a hash of its id; `bias-tasks merge` makes one run of the parts",
)
_COMMON = ("temperature", "headline", "beside", "answer_tokens")
"""What a family's tasks have alike, unless one says otherwise."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What a family's `tasks.yaml` says."""

    parameters: Mapping[str, Parameter]
    """By name, as most of the tasks have them."""
    tasks: Mapping[str, TaskSpec]
    in_groups: tuple[Parameter, ...]
    """Those that every task takes where several run with the same ones."""


@cache
def declared(package: str) -> Declared:
    """What the `tasks.yaml` of a family's folder says.

    Raises:
        TypeError: a parameter lacks a field, or has an unknown one.
        KeyError: a task names a parameter that there is none of, or no temperature or headline is
            declared.
    """
    rows = read_yaml(package, "tasks")
    parameters = {name: _parameter(name, row) for name, row in rows["parameters"].items()}
    common = {name: rows[name] for name in _COMMON if name in rows}
    tasks = {name: _task(name, common | row, parameters) for name, row in rows["tasks"].items()}
    in_groups = tuple(parameters[name] for name in rows.get("in_groups", ()))
    return Declared(parameters, tasks, in_groups)


def _parameter(name: str, row: Mapping[str, Any]) -> Parameter:
    return Parameter(name=name, **{**row, "values": tuple(row.get("values", ()))})


def _task(name: str, row: Mapping[str, Any], known: Mapping[str, Parameter]) -> TaskSpec:
    """A task; `changed` says what its parameters have otherwise than others' of the same name."""
    changed = row.get("changed", {})
    parameters = (_changed(known[each], changed.get(each, {})) for each in row["parameters"])
    return TaskSpec(
        name,
        row["summary"],
        (*parameters, _PART),
        float(row["temperature"]),
        tuple(row["headline"]),
        tuple(row["beside"]),
        row.get("paper_n"),
        row["answer_tokens"],
        row.get("hands_on", False),
    )


def _changed(parameter: Parameter, changed: Mapping[str, Any]) -> Parameter:
    values = tuple(changed.get("values", parameter.values))
    return replace(parameter, **{**changed, "values": values})
