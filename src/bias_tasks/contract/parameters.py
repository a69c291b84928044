"""The parameters of tasks: each is stated once, in the file `tasks.yaml` of its family.

Inspect's task signatures, the keys of lm-eval's `--metadata` and the tables of the documentation
are made from there, and both hosts check a value by the same statement.
"""

import math
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin

from bias_tasks.data.files import read_yaml
from bias_tasks.names import Names, did_you_mean, names_in, quoted, unknown_name

Kind = Literal["text", "names", "whole", "whole_list", "number", "flag", "weights", "shard"]
ALL = "all"
"""The word for `n` that asks every item there is, where a task asks fewer of the paper's."""
SHARD = "shard"
"""The parameter of every task that has a part of its items asked (`bias_tasks.contract.shards`)."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a task. None, where it is the default, means that it is not given."""

    name: str
    kind: Kind
    default: Any
    meaning: str
    """What it does, as one line of the documentation."""
    values: tuple[str, ...] = ()
    """The words that a text or names may be, empty where any may be; or that a whole number may be
    instead."""
    low: float = -math.inf
    high: float = math.inf
    open_ends: bool = False
    """Whether `low` and `high` themselves are out of the range."""
    for_figures: bool = False
    """Whether the figures depend on it, and not the questions alone."""
    inspect_only: str | None = None
    """Why the LM Evaluation Harness does not take it, and what to do there; None where it does."""

    @property
    def annotation(self) -> Any:
        """The Python type of its values."""
        kind, _ = _KINDS[self.kind]
        kind = kind | str if self.kind == "whole" and self.values else kind
        return kind | None if self.default is None else kind

    def check(self, value: Any) -> Any:
        """The value, as the family takes it; a ValueError where it is none that it takes."""
        if value is None and self.default is None:
            return None
        if self.kind == "text" and isinstance(value, bool | int | float):
            value = str(value)  # command lines turn the text "True" or "7" into other types
        if not _fits(self, value):
            near = did_you_mean([] if isinstance(value, int) else [value], self.values)
            raise ValueError(f"{self.name}={quoted(value)}{near}: expected {self.expected}")
        return value

    @property
    def expected(self) -> str:
        """Which values it takes, in words."""
        _, expected = _KINDS[self.kind]
        if self.kind in ("whole", "number"):
            words = f", or {' or '.join(self.values)}" if self.values else ""
            return f"{expected}{_range(self)}{words}"
        if self.values:
            several = ", or several as a list" if self.kind == "names" else ""
            return f"one of {', '.join(self.values)}{several}"
        return expected


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """One task of a family: its name, what it asks, and its parameters."""

    name: str
    summary: str
    """What the task asks or finds out, in one sentence."""
    parameters: tuple[Parameter, ...]
    temperature: float = 0.0
    """What both hosts ask at, unless the user says otherwise."""
    headline: tuple[str, ...] = ()
    """Names of the figure that the task is about, the first one that a run has; `*` stands for any
    part of a name."""
    beside: tuple[str, ...] = ()
    """Names of what is shown beside it, as far as a run has them."""
    paper_n: int | None = None
    """How many of the paper's items are asked where `n` is not given; None for all of them."""
    answer_tokens: int = 0
    """How many tokens an answer is taken to have where a run is planned."""
    hands_on: bool = False
    """Whether it asks the items of another task, and hands parameters on to that."""
    bias: str = ""
    """What a model does that is biased by it, in a few words, such as "follows the suggestion"."""
    chance: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Of a judge, by name (`*` as in `headline`), a figure of plain items and its value where
    better is not told from worse; a change of that says nothing."""

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The value of every parameter: the one given, checked, or the default; of `shard` only if
        it is given. A ValueError where a name is unknown, or a value is not allowed."""
        known = {parameter.name: parameter for parameter in self.parameters}
        if unknown := [name for name in given if name not in known]:
            raise ValueError(unknown_name(unknown[0], known, f"parameters of {self.name}"))
        values = {n: each.check(given.get(n, each.default)) for n, each in known.items()}
        return {n: v for n, v in values.items() if v is not None or n != SHARD}

    def items_asked(self, values: Mapping[str, Any]) -> int | None:
        """The most items that a run asks; None for all there are. Where nobody says it is `paper_n`
        of the paper's data."""
        given: int | str | None = values["n"]
        if given is not None:
            return None if isinstance(given, str) else given
        return self.paper_n if values.get("data", "paper") == "paper" else None

    def for_figures(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the values that the figures depend on."""
        return {each.name: values[each.name] for each in self.parameters if each.for_figures}


def of_whole_run(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that say what the whole run is, of which a part may be asked."""
    return {name: value for name, value in values.items() if name != SHARD}


def parameter_of(name: str, annotation: Any, default: Any) -> Parameter | None:
    """The parameter of that name whose values are of a Python type; None where no kind is."""
    if get_origin(annotation) is Literal:
        return Parameter(name, "text", default, "", values=get_args(annotation))
    kinds = get_args(Kind)
    alike = (Parameter(name, kind, default, "") for kind in kinds)
    return next((each for each in alike if each.annotation == annotation), None)


def chosen_names(parameter: str, given: Names, allowed: Sequence[str]) -> tuple[str, ...]:
    """The names given, in the order of `allowed`, all of these for None; a ValueError where one is
    not allowed, or there is none."""
    if given is None:
        return tuple(allowed)
    names = names_in(given)
    unknown = sorted(set(names) - set(allowed))
    if unknown or not names:
        found = quoted(unknown)[1:-1] or "nothing"
        near = did_you_mean(unknown, allowed)
        raise ValueError(f"{parameter}={found}{near}: expected some of {', '.join(allowed)}")
    return tuple(name for name in allowed if name in names)


_KINDS: Mapping[str, tuple[Any, str]] = {
    "text": (str, "a text"),
    "names": (str | list[str], "a name or a list of names"),
    "whole": (int, "a whole number"),
    "whole_list": (int | str | list[int], "whole numbers"),
    "number": (float, "a number"),
    "flag": (bool, "true or false"),
    "weights": (dict[str, float], "a number for each metric"),
    "shard": (str, "which part of how many, such as 3/16"),
}
"""Of each kind the Python type of its values, and what is expected."""
_SHARD = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})", re.ASCII)


def _fits(of: Parameter, value: Any) -> bool:
    """Whether a value is of the parameter's kind, and one that it may be."""
    match of.kind, value:
        case "flag", bool():
            return True
        case _, bool():  # to Python it is a number
            return False
        case "text", str():
            return not of.values or value in of.values
        case "names", str() | list() | tuple() if all(isinstance(each, str) for each in value):
            names = names_in(value)
            return not of.values or (bool(names) and set(names) <= set(of.values))
        case "whole", str():
            return value in of.values
        case ("whole", int()) | ("number", int() | float()):
            inside = of.low < value < of.high if of.open_ends else of.low <= value <= of.high
            return inside and _is_number(value)
        case "whole_list", int() | str() | list() | tuple():
            return not isinstance(value, int) or _is_number(value)
        case "weights", Mapping():
            return all(map(_is_number, value.values()))
        case "shard", str():
            part = _SHARD.fullmatch(value)
            return part is not None and int(part[1]) <= int(part[2])
    return False


def _is_number(value: Any) -> bool:
    """Whether a value is a number that a float can be."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and abs(value) <= sys.float_info.max


def _range(of: Parameter) -> str:
    if math.isinf(of.low):
        return ""
    low, high = f"{of.low:.12g}", f"{of.high:.12g}"
    if math.isinf(of.high):
        return f" above {low}" if of.open_ends else f" from {low} on"
    return f" between {low} and {high}" if of.open_ends else f" from {low} to {high}"


_COMMON = ("temperature", "headline", "beside", "answer_tokens", "chance")
"""What a family's tasks have alike, unless one says otherwise."""


class Declared(NamedTuple):
    """What a family's `tasks.yaml` says: its parameters by name as most of the tasks have them, its
    tasks by name, and the parameters that every task takes in a group."""

    parameters: Mapping[str, Parameter]
    tasks: Mapping[str, TaskSpec]
    in_groups: tuple[Parameter, ...]


@cache
def declared(package: str) -> Declared:
    """What the `tasks.yaml` of a family's folder says; a TypeError or a KeyError where something is
    missing or unknown. Every task has the parameters of the contract's own beside these."""
    rows = read_yaml(package, "tasks")
    known, common = rows["parameters"], {name: rows[name] for name in _COMMON if name in rows}
    parameters = {name: _parameter(name, row) for name, row in known.items()}
    tasks = {name: _task(name, common | row, known) for name, row in rows["tasks"].items()}
    in_groups = tuple(parameters[name] for name in rows.get("in_groups", ()))
    return Declared(parameters, tasks, in_groups)


def _parameter(name: str, row: Mapping[str, Any]) -> Parameter:
    return Parameter(name=name, **{**row, "values": tuple(row.get("values", ()))})


def _task(name: str, row: dict[str, Any], known: Mapping[str, Mapping[str, Any]]) -> TaskSpec:
    """A task; `changed` says what its parameters have otherwise than others' of the same name."""
    changed = row.pop("changed", {})
    own = [_parameter(each, known[each] | changed.get(each, {})) for each in row["parameters"]]
    own += [_parameter(*each) for each in read_yaml(__package__, "tasks")["parameters"].items()]
    names = {each: tuple(row[each]) for each in ("headline", "beside")}
    return TaskSpec(name=name, **row | names | {"parameters": tuple(own)})
