"""Parses values in the notations of Python, JSON and YAML.

Nothing is evaluated. Length and depth are checked before a library builds a value.
"""

import ast
import json
import re
import warnings
from contextlib import suppress

import yaml

from bias_tasks.output_format.formats.spans import FormatNotFollowedError

MAX_ELEMENTS = 10_000
"""Elements of a list. A longer list follows no format."""
MAX_LENGTH = 100_000
"""Characters, far more than any requested list or mapping has."""
_MAX_DEPTH = 20
_STRING = r"\"(?:[^\"\\\n]|\\[^\n])*+\"|'(?:[^'\\\n]|\\[^\n])*+'"
_PART = re.compile(rf"{_STRING}|#[^\n]*+|[\[\]{{}}]")
_COMMENT = re.compile(rf"({_STRING})|#[^\n]*+")
_FENCED = re.compile(r"```[\w+-]{0,20} *\n(?P<body>.*)\n *```", re.DOTALL)
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _UniqueKeyLoader(_LOADER):  # type: ignore[misc, valid-type]
    """A loader that rejects a mapping with a repeated key."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        return _check_unique(self.construct_pairs(node, deep=deep))


def find_literal_end(text: str, start: int) -> int:
    """Return the end of the list or mapping that begins at `start`, after its closing bracket.

    Raises:
        FormatNotFollowedError: It is not closed, too long, or too deep.
    """
    depth = 0
    for part in _PART.finditer(text, start, start + MAX_LENGTH):
        if part[0] in "[{":
            depth += 1
        elif part[0] in "]}":
            depth -= 1
        if depth > _MAX_DEPTH:
            raise FormatNotFollowedError("the literal is nested too deeply")
        if depth == 0:
            return part.end()
    raise FormatNotFollowedError("the literal is not closed, or too long")


def unfence(text: str) -> str:
    """Return the content of the code fence that the whole text is, or the text itself."""
    fenced = _FENCED.fullmatch(text.strip())
    return text if fenced is None or "```" in fenced["body"] else fenced["body"].strip()


def iterate_published(value: object) -> list[str] | None:
    """Return the elements that a value has in a Python set, as texts: a text has its characters.

    Returns:
        None if an element is a list or mapping, which cannot be in a set.

    Raises:
        FormatNotFollowedError: The value has no elements.
    """
    if not isinstance(value, list | dict | str):
        raise FormatNotFollowedError("a value is neither a list nor a text")
    elements = list(value)
    return None if any(isinstance(e, list | dict) for e in elements) else list(map(str, elements))


def parse_literal(text: str, *, unique_keys: bool = False) -> object:
    """Return the value of a text that is one list or mapping in Python's or JSON's notation.

    Args:
        text: The literal; comments are ignored.
        unique_keys: Whether a repeated key is an error. Otherwise its last value counts.

    Raises:
        FormatNotFollowedError: The text is something else.
    """
    text = text.strip()
    if text[:1] not in ("[", "{") or find_literal_end(text, 0) < len(text):
        raise FormatNotFollowedError("the text is not one list or mapping")
    with suppress(ValueError):
        hook = _check_unique if unique_keys else None
        return json.loads(_COMMENT.sub(r"\1", text), object_pairs_hook=hook)
    try:
        with warnings.catch_warnings(action="ignore"):  # about unknown escape sequences
            tree = ast.parse(text, mode="eval").body
            if unique_keys:
                for node in ast.walk(tree):
                    if isinstance(node, ast.Dict):
                        _check_unique([(ast.literal_eval(key), None) for key in node.keys if key])
            return ast.literal_eval(tree)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError) as error:
        raise FormatNotFollowedError("the text is not a literal of JSON or Python") from error


def parse_yaml(text: str, *, unique_keys: bool = False) -> object:
    """Return the value of the only document in a text; all its scalars are texts.

    Args:
        text: The document. An alias or deep nesting is rejected before a value is built.
        unique_keys: As in `parse_literal`.

    Raises:
        FormatNotFollowedError: The text is something else.
    """
    if len(text) > MAX_LENGTH:
        raise FormatNotFollowedError(f"longer than {MAX_LENGTH} characters")
    try:
        depth = 0
        for count, event in enumerate(yaml.parse(text, Loader=_LOADER)):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > _MAX_DEPTH or count == 2 * MAX_ELEMENTS:
                raise FormatNotFollowedError("the document is nested too deeply, or too long")
            if getattr(event, "anchor", None) or getattr(event, "tag", None):
                raise FormatNotFollowedError("the document has an alias, an anchor or a tag")
        return yaml.load(text, Loader=_UniqueKeyLoader if unique_keys else _LOADER)
    except (yaml.YAMLError, UnicodeError, TypeError) as error:
        raise FormatNotFollowedError("the text is not exactly one YAML document") from error


def dump_yaml(value: dict[str, list[str]]) -> str:
    """Return a mapping of lists as YAML, one line per key, with quotes where YAML needs them."""
    text = yaml.dump(
        value,
        Dumper=_DUMPER,
        default_flow_style=None,
        allow_unicode=True,
        sort_keys=False,
        width=1_000_000,  # columns, so that no line is folded
    )
    return str(text).removesuffix("\n")


def _check_unique(pairs: list[tuple[object, object]]) -> dict[object, object]:
    """Return the pairs as a dict; raise if a key is repeated."""
    values = dict(pairs)
    if len(values) < len(pairs):
        raise FormatNotFollowedError("a key is repeated")
    return values
