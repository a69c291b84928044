"""The parameters of a run, from what lm-eval hands to a task as its metadata."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

# High enough that no argument of the harness's models passes for a misspelling.
_SIMILAR = 0.76
_OF_MODELS = frozenset({"model"})
"""Arguments of the harness's models that resemble a parameter (`mode`) nevertheless."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Which values a parameter takes."""

    expected: str
    """What the error says of them."""
    accepts: Callable[[Any], bool]
    convert: Callable[[Any], Any] = lambda value: value


def _is_names(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(name, str) for name in value)
    )


ANY = Kind("a value", lambda _: True)
"""Checked by what takes the parameter."""
# NAME=VALUE on the command line turns "True" or "7" into other types.
TEXT = Kind("text", lambda _: True, str)
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
COUNT = Kind("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool))
NUMBER = Kind(
    "a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool)
)
NAMES = Kind("a name or a list of names", _is_names)


def read_parameters(
    metadata: Mapping[str, Any],
    known: Mapping[str, Kind],
    elsewhere: Mapping[str, str],
) -> dict[str, Any]:
    """The parameters among `metadata` that have a value.

    The harness mixes in the model's arguments and facts of its own, so names that resemble no
    parameter are left alone.

    Args:
        metadata: what the harness hands over.
        known: the parameters of the task and the values that each takes.
        elsewhere: names that a user may expect to be parameters, with what to do instead.

    Raises:
        ValueError: a name looks like a misspelt parameter or stands in `elsewhere`, or a value is
            of the wrong type.
    """
    said = {name: where for name, where in elsewhere.items() if metadata.get(name) is not None}
    for name in metadata:
        _check_name(name, known, said)
    given = {name: metadata[name] for name in known if metadata.get(name) is not None}
    for name, value in given.items():
        if not known[name].accepts(value):
            raise ValueError(f"{name}={value!r} in --metadata: expected {known[name].expected}")
    return {name: known[name].convert(value) for name, value in given.items()}


def _check_name(name: str, known: Mapping[str, Kind], elsewhere: Mapping[str, str]) -> None:
    if name in elsewhere:
        raise ValueError(elsewhere[name])
    if name in known or name in _OF_MODELS:
        return
    if close := get_close_matches(name, known, n=1, cutoff=_SIMILAR):
        raise ValueError(
            f"unknown parameter {name!r} in --metadata: did you mean {close[0]!r}? "
            f"The parameters are {', '.join(known)}"
        )
