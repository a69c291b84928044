"""Scripts of good dialogues, each told in two ways, and what can be made wrong in them.

A script is a file under `scripts/`. A dialogue has twenty turns of three characters: `a` and `b`
are main characters with profiles, `c` is a minor one. Each turn is `[who, gesture, one wording,
another wording]`; one of `c` has behind its gesture the opposite reaction. Both wordings say the
same, so that of two dialogues, which take one wording each, either can be the other's reference.

A main character's `habits` are pairs: a sentence of its profile that nothing else in the script
touches, and words by which the character would break it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from bias_tasks.data.files import read_yaml

MAIN, MINOR = ("a", "b"), "c"
ROLES = (*MAIN, MINOR)
"""As the scripts name them; `{a}` in a text stands for the name."""


class Habit(NamedTuple):
    """Something firm that a profile says, and words that break it."""

    kept: str
    broken: str


class ScriptTurn(NamedTuple):
    """One turn, in both wordings."""

    who: str
    gesture: str
    opposite: str | None
    """A reaction that contradicts the gesture and has no consequences; a minor character's."""
    wordings: tuple[str, str]


class Script(NamedTuple):
    """A story of twenty turns; texts hold `{a}`, `{b}` and `{c}` for the names."""

    name: str
    title: str
    plot: str
    topic: str
    wants: Mapping[str, str]
    profiles: Mapping[str, str]
    """Of the main characters, without their habits."""
    habits: Mapping[str, tuple[Habit, ...]]
    turns: tuple[ScriptTurn, ...]


@cache
def scripts() -> tuple[Script, ...]:
    """Every script, by name."""
    folder = files(__package__).joinpath("scripts")
    names = sorted(each.name.removesuffix(".yaml") for each in folder.iterdir())
    return tuple(map(_script, names))


@cache
def all_habits() -> tuple[Habit, ...]:
    """Those of every script; in `kept` the role's name is left as `{a}` or `{b}`."""
    return tuple(habit for script in scripts() for role in MAIN for habit in script.habits[role])


def _script(name: str) -> Script:
    told = read_yaml(__package__, f"scripts/{name}")
    habits = {
        role: tuple(Habit(kept, broken) for kept, broken in pairs)
        for role, pairs in told["habits"].items()
    }
    turns = tuple(map(_turn, told["turns"]))
    return Script(name, **{**told, "habits": habits, "turns": turns})


def _turn(row: list[str]) -> ScriptTurn:
    who, gesture, *opposite, one, another = row
    return ScriptTurn(who, gesture, opposite[0] if opposite else None, (one, another))
