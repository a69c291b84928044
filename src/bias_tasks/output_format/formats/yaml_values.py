"""Parses and writes values in YAML.

Nothing is evaluated. Length and depth are checked before the library builds a value.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import yaml

from bias_tasks.output_format.formats.errors import FormatNotFollowedError, reject_if
from bias_tasks.parsing.json_values import MAX_DEPTH, MAX_VALUE_LENGTH

MAX_EVENTS = 20_000
"""Scalars, and beginnings and ends of lists and mappings, in a document."""
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_STYLE: Mapping[str, Any] = {
    "default_flow_style": None,
    "allow_unicode": True,
    "sort_keys": False,
    "width": 1_000_000,  # columns, so that no line is folded
}


class _UniqueKeyLoader(_LOADER):  # type: ignore[misc, valid-type]
    """A loader that rejects a mapping with a repeated key."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        pairs = self.construct_pairs(node, deep=deep)
        values: dict[object, object] = dict(pairs)
        reject_if(len(values) < len(pairs), "a key is repeated")
        return values


def parse_yaml(text: str, *, unique_keys: bool = False) -> object:
    """Return the value of the only document in a text; all its scalars are texts.

    Args:
        text: The document. An alias or deep nesting is rejected before a value is built.
        unique_keys: Whether a repeated key is an error. Otherwise its last value counts.

    Raises:
        FormatNotFollowedError: The text is something else.
    """
    loader = _UniqueKeyLoader if unique_keys else _LOADER
    return _read(text, lambda: yaml.load(text, Loader=loader))


def list_yaml_keys(text: str) -> list[str]:
    """Return the keys of every mapping in a document, at any depth and with repetitions.

    Args:
        text: As in `parse_yaml`.

    Raises:
        FormatNotFollowedError: The text is something else, or has no mapping.
    """
    nodes = list(_walk(_read(text, lambda: yaml.compose(text, Loader=_LOADER))))
    mappings = [node for node in nodes if isinstance(node, yaml.MappingNode)]
    reject_if(not mappings, "the document has no mapping")
    return [str(key.value) for node in mappings for key, _ in node.value]


def _walk(node: yaml.Node | None) -> Iterator[yaml.Node]:
    """Yield a node and all nodes in it, except keys."""
    if node is not None:
        yield node
    for child in node.value if isinstance(node, yaml.CollectionNode) else ():
        yield from _walk(child[1] if isinstance(child, tuple) else child)


def _read(text: str, load: Callable[[], Any]) -> Any:
    """Return what a function loads, after the length and depth of the document are checked."""
    reject_if(len(text) > MAX_VALUE_LENGTH, f"longer than {MAX_VALUE_LENGTH} characters")
    try:
        depth = 0
        for count, event in enumerate(yaml.parse(text, Loader=_LOADER)):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            is_large = depth > MAX_DEPTH or count == MAX_EVENTS
            reject_if(is_large, "the document is nested too deeply, or too long")
            reference = getattr(event, "anchor", None) or getattr(event, "tag", None)
            reject_if(reference, "the document has an alias, an anchor or a tag")
        return load()
    except (yaml.YAMLError, UnicodeError, TypeError) as error:
        raise FormatNotFollowedError("the text is not exactly one YAML document") from error


def dump_yaml(value: dict[str, list[str]]) -> str:
    """Return a mapping of lists as YAML, one line per key, with quotes where YAML needs them."""
    return str(yaml.dump(value, Dumper=_DUMPER, **_STYLE)).removesuffix("\n")
