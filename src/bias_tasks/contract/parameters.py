"""The parameters of tasks. Each is declared once, in the signature of the task's function.

An argument's annotation is an `Annotated` alias from `parameters.py` of the family's folder: type,
meaning, and `Details`. The keys of lm-eval's `--metadata` and the tables of the documentation are
made from the declarations, and both frameworks check values by them.
"""

import math
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import filter as filter_names
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypedDict,
    TypeGuard,
    Union,
    get_args,
    get_origin,
)

from bias_tasks.contract.json_data import paths_as_text
from bias_tasks.data.files import read_yaml
from bias_tasks.messages import format_value
from bias_tasks.user_names import Names, did_you_mean, parse_names, unknown_name

ParameterValues: TypeAlias = Mapping[str, Any]
"""Values of a task's parameters by name. Their types are those of the task's signature; a family
converts them to a dataclass before it uses them."""
Kind = Literal["text", "names", "whole", "whole_list", "number", "flag", "weights", "shard"]
ALL = "all"
"""The value of `n` that selects every item, for tasks that select fewer of the paper's."""
SHARD = "shard"
"""The parameter of every task that selects a part of its items (`bias_tasks.contract.shards`)."""
_KINDS: Mapping[Kind, tuple[set[Any], str]] = {
    "text": ({str}, "text"),
    "names": ({str, list[str]}, "a name or a list of them"),
    "whole": ({int}, "an integer"),
    "whole_list": ({int, str, list[int]}, "integers"),
    "number": ({float}, "a number"),
    "flag": ({bool}, "true or false"),
    "weights": ({dict[str, float]}, "a number for each metric"),
    "shard": (set(), "which part of how many, such as 3/16"),
}
"""For each kind the Python types of its values, and the expectation in words."""
_SHARD = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a task. A default of None means that the parameter is not set."""

    name: str
    kind: Kind
    default: Any
    meaning: str
    """What it does, in one line of the documentation."""
    values: tuple[str, ...] = ()
    """The allowed texts or names, empty if any is allowed. For a whole number, words allowed
    instead of a number."""
    low: float = -math.inf
    high: float = math.inf
    open_ends: bool = False
    """Whether `low` and `high` themselves are outside the range."""
    stackable: bool = False
    """Whether names may be joined by `+`."""
    affects_metrics: bool = False
    """Whether the metrics depend on it, and not only the questions."""
    inspect_only: str | None = None
    """Why lm-eval does not accept it, and what to do there; None if lm-eval accepts it."""

    def check(self, value: object) -> Any:
        """Return a value as the family accepts it.

        Args:
            value: From a command line, a YAML file or Python.

        Raises:
            ValueError: The parameter does not have this value.
        """
        if value is None and self.default is None:
            return None
        value = paths_as_text(value)
        if self.kind == "text" and isinstance(value, bool | int | float):
            value = str(value)  # command lines turn the text "True" or "7" into other types
        if not _is_allowed(self, value):
            near = did_you_mean([] if isinstance(value, int) else [value], self.values)
            raise ValueError(f"{self.name}={format_value(value)}{near}: expected {self.expected}")
        return value

    def format(self, value: object) -> str:
        """Return `name=value` as a user types it."""
        return f"{self.name}={value if isinstance(value, str) else format_value(value)}"

    @property
    def expected(self) -> str:
        """The allowed values, in words."""
        _, expected = _KINDS[self.kind]
        if self.kind in ("whole", "number"):
            words = f", or {' or '.join(self.values)}" if self.values else ""
            return f"{expected}{_range_in_words(self)}{words}"
        if self.values:
            several = ", or several as a list" if self.kind == "names" else ""
            several += ", or joined by +" if self.stackable else ""
            return f"one of {', '.join(self.values)}{several}"
        return expected


class Details(TypedDict, total=False):
    """What an annotation adds to a parameter's type and meaning, as in `Parameter`."""

    kind: Kind
    """If the type alone does not determine it."""
    values: tuple[str, ...]
    low: float
    high: float
    open_ends: bool
    stackable: bool
    affects_metrics: bool
    inspect_only: str


Shard = Annotated[
    str | None,
    "shard of the items, such as `3/16`, to distribute a run over processes or machines; result "
    "commands merge the shards",
    Details(kind="shard"),
]
"""The parameter that every task has."""


class AnswerLength(NamedTuple):
    """How long answers of one kind are, in tokens, as measured on recorded answers."""

    mean: int
    """Their average, by which a plan counts."""
    limit: int
    """What a token limit must leave room for; 0 if nothing is known."""

    @classmethod
    def of_kind(cls, kind: str) -> "AnswerLength":
        """Return the length that `answer_lengths.yaml` declares."""
        return cls(**read_yaml(__package__, "answer_lengths")[kind])


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """The declaration of one task of a family."""

    name: str
    summary: str
    """What the task measures, in one sentence."""
    parameters: tuple[Parameter, ...]
    temperature: float = 0.0
    """Sampling temperature in both frameworks, unless the user sets another."""
    headline: tuple[str, ...] = ()
    """Names of the headline metric. The first that a run has counts; `*` matches any part."""
    setting_headlines: tuple[str, ...] = ()
    """For a task with several settings: names of the headline metric of each setting. The first
    that a setting has counts."""
    reported: tuple[str, ...] = ()
    """Names of the metrics that the frameworks' own results have besides the headline, as far as a
    run has them; `*` matches any text."""
    paper_n: int | None = None
    """How many of the paper's items are selected if `n` is not set; None for all of them."""
    answers: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The kind of answers to each variant, by a pattern of its name or of `parameter=value`. The
    last pattern that matches counts."""
    wraps_other_task: bool = False
    """Whether it prompts with the items of another task, and passes parameters to that task."""
    bias: str = ""
    """What a model does that has the bias, in a few words, such as "follows the suggestion"."""
    chance: Mapping[str, float] = field(default_factory=dict, hash=False)
    """For a judge: the value that a metric of baseline items has if the judge cannot tell better
    responses from worse ones, by the metric's name (`*` as in `headline`). A change of verdicts
    means nothing for such a judge."""

    def values(self, raw: ParameterValues) -> ParameterValues:
        """Return the value of every parameter; `shard` only if it is set.

        Args:
            raw: The values that a user sets, unchecked. Others get their defaults.

        Raises:
            ValueError: A name is unknown, or a value is not allowed.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        if unknown := [name for name in raw if name not in known]:
            raise ValueError(unknown_name(unknown[0], known, f"parameters of {self.name}"))
        values = {
            name: parameter.check(raw.get(name, parameter.default))
            for name, parameter in known.items()
        }
        if values.get(SHARD) is None:
            values.pop(SHARD, None)
        return values

    def items_asked(self, values: ParameterValues) -> int | None:
        """Return the largest number of items that a run selects; None for all.

        Args:
            values: The value of every parameter. If `n` is not set, runs on the paper's data select
                `paper_n` items.
        """
        n: int | str | None = values["n"]
        if n is not None:
            return None if isinstance(n, str) else n
        return self.paper_n if values.get("data", "paper") == "paper" else None

    def answer_length(self, variant: str, values: ParameterValues) -> AnswerLength:
        """Return how long answers to a variant's prompts are.

        Args:
            variant: The variant.
            values: The value of every parameter.
        """
        names = [variant, *(f"{name}={value}" for name, value in values.items())]
        kinds = [kind for pattern, kind in self.answers.items() if filter_names(names, pattern)]
        return AnswerLength.of_kind(kinds[-1] if kinds else "unknown")

    def metric_options(self, values: ParameterValues) -> ParameterValues:
        """Return the values of the parameters on which metrics depend.

        Args:
            values: The value of every parameter.
        """
        return {p.name: values[p.name] for p in self.parameters if p.affects_metrics}


def without_shard(values: ParameterValues) -> ParameterValues:
    """Return the values that identify the whole run, of which one shard may run."""
    return {name: value for name, value in values.items() if name != SHARD}


def parameter_from_annotation(name: str, annotation: Any, default: Any) -> Parameter | None:
    """Return the parameter that an argument declares; None if no kind has the argument's type.

    Args:
        name: The parameter's name.
        annotation: The type of an argument of a task, solver or scorer. `Annotated` adds the
            meaning and `Details`. A `Literal` lists the allowed texts.
        default: The argument's default.
    """
    details: dict[str, Any] = {"meaning": ""}
    if get_origin(annotation) is Annotated:
        annotation, meaning, *others = get_args(annotation)
        details = {"meaning": meaning, **dict(*others)}
    is_union = get_origin(annotation) in (Union, UnionType)
    members = get_args(annotation) if is_union else (annotation,)
    literals = [member for member in members if get_origin(member) is Literal]
    types = {*members} - {NoneType, *literals}
    if literals:
        details["values"] = get_args(literals[0])
        types = types or {str}
    kinds = [kind for kind, (accepted, _) in _KINDS.items() if accepted == types]
    if (NoneType in members) != (default is None) or not kinds:
        return None
    return Parameter(name, **{"kind": kinds[0], "default": default, **details})


def select_names(parameter: str, raw: Names, allowed: Sequence[str]) -> tuple[str, ...]:
    """Return the names that a user selects, in the order of `allowed`.

    Args:
        parameter: The parameter's name, for the error.
        raw: Names as a list or as one comma-separated text; None for all.
        allowed: All names.

    Raises:
        ValueError: A name is not allowed, or no name is selected.
    """
    if raw is None:
        return tuple(allowed)
    names = parse_names(raw)
    unknown = sorted(set(names) - set(allowed))
    if unknown or not names:
        actual = format_value(unknown)[1:-1] or "nothing"
        near = did_you_mean(unknown, allowed)
        raise ValueError(f"{parameter}={actual}{near}: expected some of {', '.join(allowed)}")
    return tuple(name for name in allowed if name in names)


def _is_allowed(parameter: Parameter, value: object) -> bool:
    """Return whether a value is of the parameter's kind, and one of its values."""
    match parameter.kind, value:
        case "flag", bool():
            return True
        case _, bool():  # to Python it is a number
            return False
        case "text", str():
            return not parameter.values or value in parameter.values
        case "names", str() | list() | tuple() if all(isinstance(name, str) for name in value):
            names = parse_names(value)
            if parameter.stackable:
                names = [part for name in names for part in name.split("+")]
            return not parameter.values or (bool(names) and set(names) <= set(parameter.values))
        case "whole", str():
            return value in parameter.values
        case ("whole", int()) | ("number", int() | float()):
            return _is_number(value) and _is_in_range(parameter, value)
        case "whole_list", int() | str() | list() | tuple():
            return not isinstance(value, int) or _is_number(value)
        case "weights", Mapping():
            return all(map(_is_number, value.values()))
        case "shard", str():
            match = _SHARD.fullmatch(value)
            return match is not None and int(match[1]) <= int(match[2])
    return False


def _is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= sys.float_info.max


def _is_in_range(parameter: Parameter, value: float) -> bool:
    if parameter.open_ends:
        return parameter.low < value < parameter.high
    return parameter.low <= value <= parameter.high


def _range_in_words(parameter: Parameter) -> str:
    if math.isinf(parameter.low):
        return ""
    low, high = f"{parameter.low:.12g}", f"{parameter.high:.12g}"
    if math.isinf(parameter.high):
        return f" above {low}" if parameter.open_ends else f" of at least {low}"
    return f" between {low} and {high}" if parameter.open_ends else f" from {low} to {high}"
