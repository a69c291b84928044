"""The parameters of a run, from what lm-eval hands to a task as its metadata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from bias_tasks.prompts import SettingParams

_SETTING = ("protocol", "seed", "suggest", "examples", "shots", "distractors")
_RUN = ("data", "sources", "paired", "n", "first_round")
KNOWN = (*_SETTING, *_RUN)

_ELSEWHERE = {
    "rounds": "each run of the harness is one round: leave `rounds` out, and give the samples of "
    "one run as `first_round` of the next",
    "polish": "the prompt is polished by the template, a live rewrite needs Inspect's model roles: "
    "leave `polish` out",
    "form": "the task's name says the form",
}
# High enough that no argument of the harness's models passes for a misspelling.
_SIMILAR = 0.75


@dataclass(frozen=True, slots=True)
class RunParameters:
    """What a run asks, as far as `--metadata` says it."""

    setting: SettingParams
    data: str = "paper"
    sources: str | list[str] | None = None
    paired: bool = True
    n: int | None = None
    first_round: str | None = None
    """Multi-turn: the samples of the round before, or the output folder they stand in."""


def run_parameters(metadata: Mapping[str, Any]) -> RunParameters:
    """The parameters among `metadata`.

    The harness mixes in the model's arguments and facts of its own, so names that resemble no
    parameter are left alone.

    Raises:
        ValueError: a name looks like a misspelt parameter, or a value is not allowed.
    """
    for name in metadata:
        _check_name(name)
    given = {name: metadata[name] for name in KNOWN if metadata.get(name) is not None}
    _check_type(given, "paired", bool, "true or false")
    _check_type(given, "n", int, "a whole number of items")
    _check_type(given, "sources", (str, list), "names of sources")
    for name in ("data", "first_round", "suggest"):
        if name in given:  # NAME=VALUE on the command line turns "True" or "7" into other types
            given[name] = str(given[name])
    setting = SettingParams(**{name: given[name] for name in _SETTING if name in given})
    return RunParameters(setting, **{name: given[name] for name in _RUN if name in given})


def _check_name(name: str) -> None:
    if name in _ELSEWHERE:
        raise ValueError(_ELSEWHERE[name])
    if name not in KNOWN and (close := get_close_matches(name, KNOWN, n=1, cutoff=_SIMILAR)):
        raise ValueError(
            f"unknown parameter {name!r} in --metadata: did you mean {close[0]!r}? "
            f"The parameters are {', '.join(KNOWN)}"
        )


def _check_type(
    given: Mapping[str, Any], name: str, kind: type | tuple[type, ...], expected: str
) -> None:
    value = given.get(name)
    if value is None:
        return
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"{name}={value!r} in --metadata: expected {expected}")
