"""Text of logs as a terminal may be sent it.

Names come from models, files and whoever wrote a log: control characters in them could move the
cursor, change what stands on the screen, or hide a part of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

_LONGEST = 300
_LISTED = 10
ARROWS = {"higher": "↑", "lower": "↓", None: ""}
"""Which way of a figure is better, or nothing where neither is."""


def shown(text: object) -> str:
    """The text with escapes for what is not printable: `\\x1b`, `\\u202e`, `\\n`."""
    return "".join(
        character if character.isprintable() else _escaped(character) for character in str(text)
    )


def brief(text: object, longest: int = _LONGEST) -> str:
    """The text on one line, without runs of blanks, cut where it is long."""
    line = shown(" ".join(str(text).split()))
    return line if len(line) <= longest else f"{line[:longest]}..."


def value_shown(value: Any) -> str:
    """A parameter's or setting's value: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return brief(value)
    return brief(json.dumps(value, ensure_ascii=False, default=str))


def values_listed(values: Mapping[str, Any]) -> str:
    """`name=value` of each, and the name alone of what is empty."""
    return ", ".join(
        f"{brief(name)}={value_shown(value)}" if value != {} else brief(name)
        for name, value in values.items()
    )


def listed(names: Sequence[str], most: int = _LISTED, between: str = ", ") -> str:
    """Names beside each other, of many the first ones and how many more there are."""
    more = len(names) - most
    return between.join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
