"""Reads values as Python, JSON and YAML write them, through the libraries of Python and YAML.

Nothing is evaluated or built but lists, mappings, strings, numbers and constants; depth and number
of tokens are limited before a library sees the text. What is no such value raises
`NotFollowedError` with the reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import yaml

from bias_tasks.output_format.formats.types import NotFollowedError

MAX_ELEMENTS = 10_000
"""Elements of a list: a longer one follows no format."""
MAX_DEPTH = 20
MAX_YAML = 100_000
"""Characters; far more than any mapping that is asked for."""
_TOKEN = re.compile(
    r"(?:\s++|#[^\n]*+)*+(?:(?P<mark>[\[\]{},:])"
    r"|\"(?P<double>(?:[^\"\\\n]|\\[^\n])*+)\"|'(?P<single>(?:[^'\\\n]|\\[^\n])*+)'"
    r"|(?P<number>[+-]?(?:0|[1-9][0-9]*+)(?:\.[0-9]*+)?(?:[eE][+-]?[0-9]++)?)(?![\w.])"
    r"|(?P<name>True|False|None|true|false|null|\.\.\.)(?![\w.]))"
)
_NAMES = {"true": "True", "false": "False", "null": "None"}
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4})|(.))"
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v"}
_MEANT = "\\'\"/"
_LONGEST_INTEGER = 18
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def parse_literal(text: str, *, unique_keys: bool) -> object:
    """The value of a text that is one literal of Python or JSON, which models mix.

    It is written anew in Python's notation, token by token, which `ast` then reads: so nothing but
    lists, mappings, strings, numbers and the three constants (and `...`) gets there. Comments are
    passed over, as both of Python's readers do.

    Args:
        text: the literal, and nothing else but blanks around it. A comma may end a list.
        unique_keys: refuse a mapping that says a key twice; otherwise its last value counts.
    """
    tokens = list(_tokens(text.rstrip(), 0))
    if not tokens or tokens[-1].end() < len(text.rstrip()):
        raise NotFollowedError("not a literal of JSON or Python")
    try:
        tree = ast.parse(" ".join(map(_in_python, tokens)), mode="eval").body
        for each in ast.walk(tree):
            if isinstance(each, ast.Set):
                raise NotFollowedError("a mapping without a key and a colon")
            if unique_keys and isinstance(each, ast.Dict):
                _check_keys([ast.literal_eval(key) for key in each.keys if key is not None])
        return ast.literal_eval(tree)
    except (SyntaxError, ValueError, TypeError) as error:
        raise NotFollowedError("not a literal of JSON or Python") from error


def literal_end(text: str, start: int) -> int:
    """Where the list or mapping that begins at `start` ends: behind its closing bracket."""
    depth = 0
    for token in _tokens(text, start):
        if token["mark"]:
            depth += (token["mark"] in "[{") - (token["mark"] in "]}")
            if depth == 0:
                return token.end()
    raise NotFollowedError("not a literal of JSON or Python, or not closed")


def parse_yaml(text: str, *, unique_keys: bool) -> object:
    """The value of the one document in a text: lists and mappings, whose scalars are all text.

    The parser's events are looked at one by one, so that an alias, a tag or too deep a nesting ends
    the reading before anything is built or expanded.

    Args:
        text: the document; it may be marked by `---`.
        unique_keys: refuse a mapping that says a key twice; otherwise its last value counts.
    """
    if len(text) > MAX_YAML:
        raise NotFollowedError(f"longer than {MAX_YAML} characters")
    try:
        _check_events(yaml.parse(text, Loader=_LOADER))
        return _value(yaml.compose(text, Loader=_LOADER), unique_keys)
    except (yaml.YAMLError, UnicodeError) as error:
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


def _tokens(text: str, start: int) -> Iterator[re.Match[str]]:
    """The tokens from a place on, up to the first that is none."""
    depth = 0
    for _ in range(2 * MAX_ELEMENTS):
        token = _TOKEN.match(text, start)
        if token is None:
            return
        if token["mark"]:
            depth += (token["mark"] in "[{") - (token["mark"] in "]}")
            if depth > MAX_DEPTH:
                raise NotFollowedError("too deep a literal")
        yield token
        start = token.end()
    raise NotFollowedError("too long a literal")


def _in_python(token: re.Match[str]) -> str:
    """A token as Python writes it, a string as that which its escapes mean."""
    kind, text = token.lastgroup, token[token.lastgroup or 0]
    if kind == "number" and not (text.lstrip("+-").isdigit() and len(text) <= _LONGEST_INTEGER):
        return repr(float(text)).replace("inf", "1e999")
    if kind in ("double", "single"):
        text = _ESCAPE.sub(_character, text)
        # JSON's pairs of surrogates become the character that they stand for.
        return ascii(text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass"))
    return _NAMES.get(text, text)


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        return chr(int(code, 16))
    char = match[4]
    return char if char in _MEANT else _ESCAPED.get(char, match[0])


def _check_keys(keys: list[Any]) -> None:
    if len(set(keys)) < len(keys):
        raise NotFollowedError("a key occurs twice")


def _check_events(events: Iterator[yaml.Event]) -> None:
    depth = 0
    for count, event in enumerate(events):
        if count == 2 * MAX_ELEMENTS:
            raise NotFollowedError("too long a document")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise NotFollowedError("an alias or an anchor")
        if getattr(event, "tag", None):
            raise NotFollowedError("a tag")
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise NotFollowedError("too deep a document")


def _value(node: yaml.Node | None, unique_keys: bool) -> object:
    """A node's text, list or mapping; None where the document is empty."""
    if isinstance(node, yaml.SequenceNode):
        return [_value(each, unique_keys) for each in node.value]
    if not isinstance(node, yaml.MappingNode):
        return None if node is None else node.value
    keys = [_value(key, unique_keys) for key, _ in node.value]
    if not all(isinstance(key, str) for key in keys):
        raise NotFollowedError("a key that is not text")
    if unique_keys:
        _check_keys(keys)
    values = (_value(value, unique_keys) for _, value in node.value)
    return dict(zip(keys, values, strict=True))
