"""The JSON objects that a text holds, read within bounds."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

TAIL = 100_000
"""Characters examined at the end of a text: an answer stands there."""
MOST_BROKEN = 100
"""So many pieces of a text may look like an object and be none."""
_LONGEST_INTEGER = 18
_BEGIN = re.compile(r"\{\s{0,200}+\"")


class Repeated:
    """Stands for an object that says a key twice."""


class Found(NamedTuple):
    """An object of the text, and where it stands."""

    value: dict[str, Any] | Repeated
    start: int
    end: int


def json_objects(text: str) -> list[Found] | None:
    """The well-formed, non-empty objects of a text that are part of no other, in order.

    NaN and infinities, which JSON does not know, are read as null, and so are numbers too large
    for a float. Only the last `TAIL` characters are examined.

    Returns:
        None where more than `MOST_BROKEN` pieces look like an object and are none.
    """
    offset = max(0, len(text) - TAIL)
    tail = text[offset:]
    found: list[Found] = []
    place, broken = 0, 0
    while (begin := _BEGIN.search(tail, place)) is not None:
        try:
            value, place = _DECODER.raw_decode(tail, begin.start())
        except (ValueError, RecursionError):
            place = begin.start() + 1
            broken += 1
            if broken > MOST_BROKEN:
                return None
            continue
        found.append(Found(value, offset + begin.start(), offset + place))
    return found


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
