"""Reads YAML whose scalars are all text, from the events of PyYAML's parser.

Events come one by one, so that an alias, a tag or too deep a nesting ends the reading where it
stands, before anything is built or expanded: `NotFollowedError` says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import yaml

from bias_tasks.output_format.formats._structure import MAX_ELEMENTS
from bias_tasks.output_format.formats.types import NotFollowedError

MAX_YAML = 100_000
"""Characters; far more than any mapping that is asked for."""
MAX_DEPTH = 20
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_WIDE = 1_000_000
"""Columns, so that no line is folded."""


def parse_yaml(text: str, *, unique_keys: bool) -> object:
    """The value of the one document in a text: lists and dicts of text.

    Args:
        text: the document; it may be marked by `---`.
        unique_keys: refuse a mapping that says a key twice; otherwise its last value counts.
    """
    if len(text) > MAX_YAML:
        raise NotFollowedError(f"longer than {MAX_YAML} characters")
    try:
        events = yaml.parse(text, Loader=_LOADER)
        return _document(islice(events, 2 * MAX_ELEMENTS), unique_keys)
    except (yaml.YAMLError, UnicodeError) as error:
        raise NotFollowedError("not YAML") from error


def dump_yaml(value: dict[str, list[str]]) -> str:
    """A mapping of lists as YAML, a line for each key, quoted where text needs it."""
    text = yaml.dump(
        value,
        Dumper=_DUMPER,
        default_flow_style=None,
        allow_unicode=True,
        sort_keys=False,
        width=_WIDE,
    )
    return str(text).removesuffix("\n")


def _document(events: Iterator[yaml.Event], unique_keys: bool) -> object:
    _next(events)  # the stream's start
    if not isinstance(_next(events), yaml.DocumentStartEvent):
        raise NotFollowedError("no YAML document")
    value = _value(_next(events), events, unique_keys, 0)
    _next(events)  # the document's end
    if not isinstance(_next(events), yaml.StreamEndEvent):
        raise NotFollowedError("more than one YAML document")
    return value


def _next(events: Iterator[yaml.Event]) -> yaml.Event:
    event = next(events, None)
    if event is None:
        raise NotFollowedError("too long a document")
    return event


def _value(
    event: yaml.Event, events: Iterator[yaml.Event], unique_keys: bool, depth: int
) -> object:
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        raise NotFollowedError("an alias or an anchor")
    if getattr(event, "tag", None):
        raise NotFollowedError("a tag")
    if isinstance(event, yaml.ScalarEvent):
        return event.value
    if depth == MAX_DEPTH:
        raise NotFollowedError("too deep a document")
    if isinstance(event, yaml.SequenceStartEvent):
        return _sequence(events, unique_keys, depth + 1)
    return _mapping(events, unique_keys, depth + 1)


def _sequence(events: Iterator[yaml.Event], unique_keys: bool, depth: int) -> list[object]:
    values = []
    while not isinstance(event := _next(events), yaml.SequenceEndEvent):
        values.append(_value(event, events, unique_keys, depth))
    return values


def _mapping(events: Iterator[yaml.Event], unique_keys: bool, depth: int) -> dict[object, object]:
    values: dict[object, object] = {}
    while not isinstance(event := _next(events), yaml.MappingEndEvent):
        key = _value(event, events, unique_keys, depth)
        if not isinstance(key, str):
            raise NotFollowedError("a key that is not text")
        if unique_keys and key in values:
            raise NotFollowedError("a key occurs twice")
        values[key] = _value(_next(events), events, unique_keys, depth)
    return values
