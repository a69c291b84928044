"""JSON that people and programs write, read strictly: a key that stands twice is refused.

Readers of JSON disagree on which of two values counts, and Python's takes the last without a word.
"""

from __future__ import annotations

import json
from typing import Any

from bias_tasks.data.columns import shown


class RepeatedKeyError(ValueError):
    """An object has one key twice."""


def parsed_json(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises:
        RepeatedKeyError: an object in it has a key twice.
        ValueError: it is not JSON, or nested too deeply.
    """
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise RepeatedKeyError(f"the key {shown(key)} stands there twice")
            seen.add(key)
    return values
