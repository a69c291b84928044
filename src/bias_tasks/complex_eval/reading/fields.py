"""What a judge's JSON says under the keys that are asked for, however these are spelled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from bias_tasks.reading.bounds import Window

MISSING: Any = object()
"""Stands for a field that an object doesn't have."""
TWICE: Any = object()
"""Stands for a field that an object has twice, in two spellings."""
_LONGEST_NUMBER = 300
_NUMBERING = re.compile(r"^\W{0,8}(?:criterion |dimension )?\d{1,2}[.):] ?", re.IGNORECASE)
_MARKS = re.compile(r"[\W_]+")
_SAID = (
    r"[\s\"'(\[|$]{0,8}(?:step |position |no\. ?)?(?P<number>[+-]?\d{1,6}(?:\.\d{1,6})?)"
    r"(?P<of> ?/ ?%(ends)s(?:\.0)?| (?:out )?of (?:a possible )?%(ends)s)?"
    r"(?: ?(?:points?|pts|分|점|点))?[\s\"')\]|$]{0,8}(?:[.(:;,-] ?[^\d]*+)?"
)


def folded(name: str) -> str:
    """A name without case and extra space."""
    return " ".join(name.split()).casefold()


def bare(name: str) -> str:
    """A name without case, space and marks: `First_Error`, `first error` and `firstError`."""
    return _MARKS.sub("", name).casefold()


def named(name: str, names: Iterable[str]) -> str | None:
    """Which of several names is meant: the one spelled so, but for marks or a number before it."""
    known = list(names)
    for spelling, said in ((folded, name), (bare, name), (bare, _NUMBERING.sub("", name))):
        found = [each for each in known if spelling(each) == spelling(said)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def field(entry: Mapping[str, Any], *keys: str) -> Any:
    """The value under the first of these bare keys that the object has; MISSING, TWICE."""
    for key in keys:
        found = [value for name, value in entry.items() if bare(name) == key]
        if found:
            return found[0] if len(found) == 1 else TWICE
    return MISSING


def number(value: Any, ends: Iterable[int]) -> float | None:
    """The number that a value is or says: `8`, `"8"`, `"8/10"`, `"8 (clear)"`.

    Args:
        value: of JSON.
        ends: the upper ends of the scales that it may name ("out of 10"); another one is no number.
    """
    if type(value) in (int, float):
        return float(value)
    if not isinstance(value, str) or len(value) > _LONGEST_NUMBER:
        return None
    upper = "|".join(map(str, sorted(ends))) or "(?!)"
    said = re.compile(_SAID % {"ends": rf"(?:{upper})(?![\d.])"})
    found = said.fullmatch(Window.of(value).low)
    return None if found is None else float(found["number"])
