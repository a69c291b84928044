"""JSON values inside a text, read within bounds, and what their fields contain."""

import json
import re
from typing import Any

from bias_tasks.parsing.spelling import plain_spelling

MAX_LENGTH = 1_000_000
"""Characters at the end of a text in which values are looked for."""
MAX_OBJECT_LENGTH = 60_000
"""Characters of an object; a longer one is skipped."""
MAX_DEPTH = 1_000
"""Levels of nesting; a deeper value ends the search."""
_MAX_OBJECTS = 20
_CONTROL = re.compile(r"[\n\r\t]")
_OPEN = re.compile(r"\{|\[(?=\s{0,20}[{\]])")
_PART = re.compile(r'[{}\[\]]|"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_NUMBER = re.compile(r"\s*(-?\d{1,4}(?:\.\d{1,15})?)(?:\s?/\s?\d{1,3})?\s*")


def find_objects(text: str) -> list[Any]:
    """Return the outermost JSON values in a text, in their order; at most the last twenty.

    Words around them are skipped. `json_repair` fixes trailing commas and single quotes of small
    objects. Linear: brackets are counted once.
    """
    text = text[-MAX_LENGTH:]
    spans, at = [], 0
    while (opening := _OPEN.search(text, at)) is not None:
        depth, at = 0, len(text)
        for part in _PART.finditer(text, opening.start()):
            depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(part[0], 0)
            if depth in (0, MAX_DEPTH):
                at = part.end() if depth == 0 else len(text)
                break
        if depth == 0 and at - opening.start() <= MAX_OBJECT_LENGTH:
            spans.append(text[opening.start() : at])
    return [
        value for span in spans[-_MAX_OBJECTS:] for value in (_load(span),) if value is not None
    ]


def _load(text: str) -> Any:
    try:
        return json.loads(_CONTROL.sub(" ", text), object_pairs_hook=_unique_fields)
    except LookupError:
        return None
    except (ValueError, RecursionError):
        return _repair(text)


def _unique_fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the fields of an object.

    Raises:
        LookupError: A key occurs twice, so that it is not known which one counts.
    """
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise LookupError("a key occurs twice")
    return fields


def _repair(text: str) -> Any:
    if text[0] == "[" or len(text) > 10_000 or text.count("{") > 200 or text.count("[") > 200:
        return None
    import json_repair

    try:
        return json_repair.loads(text)
    except (ValueError, RecursionError):
        return None


def number_in_field(value: object) -> float | None:
    """Return the number in a field, also of a short text such as `7/10`; None if there is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e6 else None
    match = _NUMBER.fullmatch(value) if isinstance(value, str) and len(value) < 20 else None
    return None if match is None else float(match[1])


def normalize_name(name: str) -> str:
    """Return a name without case, marks and repeated blanks, for comparisons."""
    return re.sub(r"[\s_*-]+", " ", plain_spelling(name)).strip()
