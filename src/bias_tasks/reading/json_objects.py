"""The JSON objects that a text holds, read within bounds."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

from bias_tasks.reading.loose_json import LONGEST, spelled

TAIL = 100_000
"""Characters examined at the end of a text: an answer stands there."""
MOST_BROKEN = 100
"""So many pieces of a text may look like an object and be none."""
MOST_LOOSE = 4 * LONGEST
"""Characters that are looked through for objects in another spelling where there are none."""
_LONGEST_INTEGER = 18
_BEGIN = re.compile(r"\{(?=\s{0,200}+(?:(?P<quoted>[\"'“„‘])|[A-Za-z_]\w{0,60}+\s{0,20}+:))")
# What stands before an object that is the value of a key, alone or in a list.
_WITHIN = re.compile(r"[\"'”’]\s{0,40}:\s{0,40}(?:\[\s{0,40})?\Z")
_NEXT = re.compile(r"[\s,]{0,40}")
_AROUND = 100


class Repeated:
    """Stands for an object that says a key twice."""


class Found(NamedTuple):
    """An object of the text, and where it stands."""

    value: dict[str, Any] | Repeated
    start: int
    end: int


class Objects(NamedTuple):
    """The objects of a text, and what looks like one and is none."""

    found: list[Found]
    broken: list[tuple[int, int]]
    """Where broken objects begin, and where their end is given up."""


def json_objects(text: str) -> Objects | None:
    """The well-formed, non-empty objects of a text that are part of no other, in order.

    An object is well-formed in JSON, or in a spelling that models take for it (`loose_json`). NaN
    and infinities, which JSON does not know, are read as null, and so are numbers too large for a
    float. Parts of an object that does not end are left out. Only the last `TAIL` characters are
    examined.

    Returns:
        None where more than `MOST_BROKEN` pieces look like an object and are none.
    """
    offset = max(0, len(text) - TAIL)
    tail = text[offset:]
    objects = Objects([], [])
    place, looked, part = 0, 0, 0
    while (begin := _BEGIN.search(tail, place)) is not None:
        start = begin.start()
        one, end = _strict(tail, start), start + 1
        if one is None and looked < MOST_LOOSE:
            one, end = _loose(tail, start)
            looked += 0 if one else end - start
        if one is not None:
            value, place = one
            if _is_part(tail, start, part):
                part = place
            else:
                objects.found.append(Found(value, offset + start, offset + place))
            continue
        place = start + 1
        if begin["quoted"]:
            objects.broken.append((offset + start, offset + end))
        if len(objects.broken) > MOST_BROKEN:
            return None
    return objects


_Read = tuple[dict[str, Any] | Repeated, int]


def _is_part(text: str, start: int, part: int) -> bool:
    """Whether an object is a part of one that does not end, as the part that ends at `part` is."""
    if part and _NEXT.fullmatch(text, part, start):
        return True
    return _WITHIN.search(text, max(0, start - _AROUND), start) is not None


def _strict(text: str, start: int) -> _Read | None:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return value, end


def _loose(text: str, start: int) -> tuple[_Read | None, int]:
    """The object in another spelling, and how far was looked for it."""
    put = spelled(text, start)
    try:
        return (_DECODER.decode(put.json), put.end) if put.json else None, put.end
    except ValueError:
        return None, put.end


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any] | Repeated:
    values = dict(pairs)
    return values if len(values) == len(pairs) else Repeated()


def _integer(digits: str) -> int | float | None:
    return int(digits) if len(digits) <= _LONGEST_INTEGER else _finite(digits)


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_int=_integer,
    parse_float=_finite,
    parse_constant=lambda _: None,
)
