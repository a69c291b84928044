"""JSON values inside a text, read within bounds, and what their fields contain.

Nothing is evaluated. Length and depth are checked before a library builds a value.
"""

import ast
import json
import re
import warnings
from collections.abc import Sequence
from typing import Any

from bias_tasks.parsing.spelling import plain_spelling

MAX_LENGTH = 1_000_000
"""Characters at the end of a text in which values are looked for."""
MAX_VALUE_LENGTH = 100_000
"""Characters of a value, far more than a prompt requests. A longer one is not read."""
MAX_DEPTH = 20
"""Levels of nesting. A deeper value is not read."""
_MAX_OBJECTS = 20
_LINE_BREAK = re.compile(r"[\n\r\t]")
_VALUE_START = re.compile(r"\{|\[(?=\s{0,20}[{\]])")
_JSON_TOKEN = re.compile(
    r"[{}\[\]]|\"(?:[^\"\\]|\\.)*+\"?|(?<![\w\\])'(?:[^'\\\n]|\\[^\n])*+'|(?<!\\)#[^\n]*+",
    re.DOTALL,
)
"""A bracket, a string or a comment. Linear: a quotation mark that no other closes is followed by no
further string, up to the end of the text or, in Python's notation, of the line."""
_NOT_PYTHON = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)
"""What Python's parser raises."""
_FIELD_NUMBER = re.compile(r"\s*(-?\d{1,4}(?:\.\d{1,15})?)(?:\s?/\s?\d{1,3})?\s*")


def find_objects(text: str) -> list[Any]:
    """Return the outermost JSON values in a text, in their order; at most the last twenty.

    Words around them are skipped. An object with a repeated key is left out. `json_repair` fixes
    trailing commas and single quotes of small objects. Linear: brackets are counted once.
    """
    text = text[-MAX_LENGTH:]
    spans, end = list[str](), 0
    while (opening := _VALUE_START.search(text, end)) is not None:
        start = opening.start()
        value_end = find_end(text, start)
        if value_end is None:
            break
        spans.append(text[start:value_end])
        end = value_end
    values = map(_load_or_repair, spans[-_MAX_OBJECTS:])
    return [value for value in values if value is not None]


def find_end(text: str, start: int) -> int | None:
    """Return the end of the list or mapping that begins at an index, after its closing bracket.

    Strings and comments are skipped, in the notation of JSON or Python.

    Args:
        text: Any text.
        start: Index of an opening bracket.

    Returns:
        None if it is not closed, or is longer or deeper than the limits.
    """
    depth = 0
    for part in _JSON_TOKEN.finditer(text, start, start + MAX_VALUE_LENGTH):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(part[0], 0)
        if depth == 0:
            return part.end()
        if depth > MAX_DEPTH:
            return None
    return None


def parse_literal(text: str, *, unique_keys: bool = False, python: bool = True) -> object:
    """Return the value of a text that is one list or mapping in the notation of JSON or Python.

    Args:
        text: The literal; comments and outer blanks are ignored. Nothing is repaired.
        unique_keys: Whether a repeated key is an error. Otherwise its last value counts.
        python: Whether Python's notation and comments are allowed besides JSON.

    Returns:
        None if the text is something else.
    """
    text = text.strip()
    if not _is_literal(text):
        return None
    uncommented = text
    if python:
        uncommented = _JSON_TOKEN.sub(lambda p: "" if p[0].startswith("#") else p[0], text)
    try:
        return json.loads(uncommented, object_pairs_hook=_unique_fields if unique_keys else None)
    except LookupError:
        return None
    except ValueError:
        return _parse_python(text, unique_keys) if python else None


def list_keys(text: str) -> list[str] | None:
    """Return the keys of every mapping in a literal, at any depth and with repetitions.

    Args:
        text: As in `parse_literal`.

    Returns:
        None if the text is something else, or has no mapping.
    """
    text = text.strip()
    try:
        mappings = _find_mappings(_parse_tree(text)) if _is_literal(text) else []
        return [str(key) for keys in mappings for key in keys] if mappings else None
    except _NOT_PYTHON:
        return None


def _is_literal(text: str) -> bool:
    """Return whether one pair of brackets encloses the whole text."""
    return text[:1] in ("[", "{") and find_end(text, 0) == len(text)


def _parse_python(text: str, unique_keys: bool) -> object:
    try:
        tree = _parse_tree(text)
        for keys in _find_mappings(tree) if unique_keys else ():
            _unique_fields([(key, None) for key in keys])
        return ast.literal_eval(tree)
    except (*_NOT_PYTHON, LookupError):
        return None


def _parse_tree(text: str) -> ast.expr:
    """Return the syntax tree of a literal. The names of JSON, such as `true`, are variables."""
    with warnings.catch_warnings(action="ignore"):  # about unknown escape sequences
        return ast.parse(text, mode="eval").body


def _find_mappings(tree: ast.expr) -> list[list[object]]:
    """Return the keys of each mapping in a tree."""
    mappings = (node for node in ast.walk(tree) if isinstance(node, ast.Dict))
    return [[ast.literal_eval(key) for key in mapping.keys if key] for mapping in mappings]


def _load_or_repair(text: str) -> Any:
    try:
        return json.loads(_LINE_BREAK.sub(" ", text), object_pairs_hook=_unique_fields)
    except LookupError:
        return None
    except ValueError:
        return _repair(text)


def _unique_fields(pairs: Sequence[tuple[object, object]]) -> dict[object, object]:
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
    match = _FIELD_NUMBER.fullmatch(value) if isinstance(value, str) and len(value) < 20 else None
    return None if match is None else float(match[1])


def normalize_name(name: str) -> str:
    """Return a name without case, marks and repeated blanks, for comparisons."""
    return re.sub(r"[\s_*-]+", " ", plain_spelling(name)).strip()
