"""Reads values as Python, JSON and YAML write them.

Nothing is evaluated; length and depth are bounded before a library builds anything.
"""

import ast
import json
import re
import warnings
from contextlib import suppress

import yaml

from bias_tasks.output_format.formats.stretches import NotFollowedError

MAX_ELEMENTS = 10_000
"""Elements of a list: a longer one follows no format."""
MAX_TEXT = 100_000
"""Characters; far more than any list or mapping that is asked for."""
_MAX_DEPTH = 20
_STRING = r"\"(?:[^\"\\\n]|\\[^\n])*+\"|'(?:[^'\\\n]|\\[^\n])*+'"
_PART = re.compile(rf"{_STRING}|#[^\n]*+|[\[\]{{}}]")
_COMMENT = re.compile(rf"({_STRING})|#[^\n]*+")
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _UniqueKeys(_LOADER):  # type: ignore[misc, valid-type]
    """Refuses a mapping that says a key twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        return _unique(self.construct_pairs(node, deep=deep))


def literal_end(text: str, start: int) -> int:
    """Where the list or mapping that begins at `start` ends: behind its closing bracket."""
    depth = 0
    for part in _PART.finditer(text, start, start + MAX_TEXT):
        depth += (part[0] in "[{") - (part[0] in "]}")
        if depth > _MAX_DEPTH:
            raise NotFollowedError("too deep a literal")
        if depth == 0:
            return part.end()
    raise NotFollowedError("not closed, or too long a literal")


def parse_literal(text: str, *, unique_keys: bool) -> object:
    """The value of a text that is one list or mapping as Python or JSON write it, comments passed
    over. `unique_keys` refuses a mapping that says a key twice; otherwise its last value counts."""
    text = text.strip()
    if text[:1] not in ("[", "{") or literal_end(text, 0) < len(text):
        raise NotFollowedError("not one list or mapping")
    with suppress(ValueError):
        hook = _unique if unique_keys else None
        return json.loads(_COMMENT.sub(r"\1", text), object_pairs_hook=hook)
    try:
        with warnings.catch_warnings(action="ignore"):  # of escapes that Python does not know
            tree = ast.parse(text, mode="eval").body
            for each in ast.walk(tree) if unique_keys else ():
                if isinstance(each, ast.Dict):
                    _unique([(ast.literal_eval(key), None) for key in each.keys if key])
            return ast.literal_eval(tree)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError) as error:
        raise NotFollowedError("not a literal of JSON or Python") from error


def parse_yaml(text: str, *, unique_keys: bool) -> object:
    """The value of the one document in a text, whose scalars are all text. An alias or too deep a
    nesting ends the reading before anything is built."""
    if len(text) > MAX_TEXT:
        raise NotFollowedError(f"longer than {MAX_TEXT} characters")
    try:
        depth = 0
        for count, event in enumerate(yaml.parse(text, Loader=_LOADER)):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _MAX_DEPTH or count == 2 * MAX_ELEMENTS:
                raise NotFollowedError("too deep or too long a document")
            if getattr(event, "anchor", None) or getattr(event, "tag", None):
                raise NotFollowedError("an alias, an anchor or a tag")
        return yaml.load(text, Loader=_UniqueKeys if unique_keys else _LOADER)
    except (yaml.YAMLError, UnicodeError, TypeError) as error:
        raise NotFollowedError("not YAML, or more than one document") from error


def dump_yaml(value: dict[str, list[str]]) -> str:
    """A mapping of lists as YAML, a line for each key, quoted where text needs it."""
    text = yaml.dump(
        value,
        Dumper=_DUMPER,
        default_flow_style=None,
        allow_unicode=True,
        sort_keys=False,
        width=1_000_000,  # columns, so that no line is folded
    )
    return str(text).removesuffix("\n")


def _unique(pairs: list[tuple[object, object]]) -> dict[object, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotFollowedError("a key occurs twice")
    return found
