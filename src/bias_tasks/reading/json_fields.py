"""The JSON objects that stand in a text, read within bounds, and what their fields say."""

import json
import re
from typing import Any

from bias_tasks.reading.bounds import plain_spelling

LONGEST_OBJECT = 60_000
"""Characters of an object that is read."""
DEEPEST = 1_000
"""Levels of a value; a deeper one is none, and nothing is read behind it."""
_CONTROL = re.compile(r"[\n\r\t]")
_OPEN = re.compile(r"\{|\[(?=\s{0,20}[{\]])")
_PART = re.compile(r'[{}\[\]]|"(?:[^"\\]|\\.)*+"?', re.DOTALL)


def objects(text: str) -> list[Any]:
    """The JSON values in braces that stand in a text, outermost ones, the last of them last.

    Fences and words around them are passed over; a trailing comma and single quotes are mended by
    `json_repair` where an object is small. Linear: braces are counted once.
    """
    found, at = [], 0
    while (opens := _OPEN.search(text, at)) is not None:
        depth, at = 0, len(text)
        for part in _PART.finditer(text, opens.start()):
            depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(part[0], 0)
            if depth in (0, DEEPEST):
                at = part.end() if depth == 0 else len(text)
                break
        if depth == 0 and at - opens.start() <= LONGEST_OBJECT:
            found.append(text[opens.start() : at])
    return [value for each in found[-20:] for value in (_loaded(each),) if value is not None]


def _loaded(text: str) -> Any:
    try:
        return json.loads(_CONTROL.sub(" ", text), object_pairs_hook=_fields)
    except LookupError:
        return None
    except (ValueError, RecursionError):
        return _mended(text)


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's fields; a LookupError where one stands twice: nobody knows which one counts."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise LookupError("a key stands twice")
    return fields


def _mended(text: str) -> Any:
    if text[0] == "[" or len(text) > 10_000 or text.count("{") > 200 or text.count("[") > 200:
        return None
    import json_repair

    try:
        return json_repair.loads(text)
    except (ValueError, RecursionError):
        return None


def number_of(value: Any) -> float | None:
    """The number that a field holds, or a short text such as `7/10` says; None for any other."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e6 else None
    said = value if isinstance(value, str) and len(value) < 20 else ""
    match = re.fullmatch(r"\s*(-?\d{1,4}(?:\.\d{1,15})?)(?:\s?/\s?\d{1,3})?\s*", said)
    return None if match is None else float(match[1])


def folded(name: str) -> str:
    """A name without case, marks and repeated blanks, by which names are compared."""
    return re.sub(r"[\s_*-]+", " ", plain_spelling(name)).strip()
