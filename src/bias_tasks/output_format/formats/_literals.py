"""Reads JSON and Python literals: lists and mappings of strings, numbers and the three constants.

One reader for both notations, since models mix them, and since neither library is bounded as
needed here: `ast.literal_eval` limits neither depth nor memory, warns of escapes and takes a
repeated key, and `json` knows no single quotes. Comments are passed over, as both
of Python's readers do. Nothing is evaluated; depth and number of tokens are limited, and each
character is looked at a fixed number of times. What is no such literal raises `NotFollowedError`
with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from bias_tasks.output_format.formats._structure import MAX_ELEMENTS
from bias_tasks.output_format.formats.types import NotFollowedError

MAX_DEPTH = 20
_T = TypeVar("_T")
_TOKEN = re.compile(
    r"(?:\s++|#[^\n]*+)*+(?:(?P<mark>[\[\]{},:])"
    r"|\"(?P<double>(?:[^\"\\\n]|\\[^\n])*+)\"|'(?P<single>(?:[^'\\\n]|\\[^\n])*+)'"
    r"|(?P<number>[+-]?(?:0|[1-9][0-9]*+)(?:\.[0-9]*+)?(?:[eE][+-]?[0-9]++)?)(?![\w.])"
    r"|(?P<name>True|False|None|true|false|null|\.\.\.)(?![\w.]))"
)
_NAMES = {"True": True, "true": True, "False": False, "false": False, "...": ...}
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4})|(.))"
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v"}
_MEANT = "\\'\"/"
_LONGEST_INTEGER = 18


def parse_literal(text: str, *, unique_keys: bool) -> object:
    """The value of a text that is one literal: lists, dicts, strings, numbers and constants.

    Args:
        text: the literal, and nothing else but blanks around it. A comma may end a list.
        unique_keys: refuse a mapping that says a key twice; otherwise its last value counts.
    """
    tokens = _tokens(text)
    value = _value(next(tokens), tokens, unique_keys, 0)
    if next(tokens) is not _END:
        raise NotFollowedError("something follows the literal")
    return value


def literal_end(text: str, start: int) -> int:
    """Where the list or mapping that begins at `start` ends: behind its closing bracket."""
    place, depth = start, 0
    for _ in range(2 * MAX_ELEMENTS):
        match = _TOKEN.match(text, place)
        if match is None:
            raise NotFollowedError("not a literal of JSON or Python, or not closed")
        place = match.end()
        if match["mark"]:
            depth += (match["mark"] in "[{") - (match["mark"] in "]}")
            if depth == 0:
                return place
    raise NotFollowedError("too long a literal")


class _Mark(str):
    """A bracket, comma or colon, to be told from a string of the same text."""

    __slots__ = ()


_END = _Mark("the end")


def _tokens(text: str) -> Iterator[object]:
    """Marks and scalar values, then `_END`; strings side by side are one, as in Python."""
    end = len(text.rstrip())
    place = 0
    strings: list[str] = []
    for _ in range(2 * MAX_ELEMENTS):
        match = _TOKEN.match(text, place, end)
        if match is None and place < end:
            raise NotFollowedError("not a literal of JSON or Python")
        token = _END if match is None else _scalar(match)
        if isinstance(token, str) and not isinstance(token, _Mark):
            strings.append(token)
        else:
            if strings:
                yield "".join(strings)
                strings.clear()
            yield token
        if match is None:
            return
        place = match.end()
    raise NotFollowedError("too long a literal")


def _scalar(match: re.Match[str]) -> object:
    kind, token = match.lastgroup, match[match.lastgroup or 0]
    if kind == "mark":
        return _Mark(token)
    if kind == "number":
        whole = token.lstrip("+-").isdigit() and len(token) <= _LONGEST_INTEGER
        return int(token) if whole else float(token)
    if kind == "name":
        return _NAMES.get(token)
    return _unescaped(token) if "\\" in token else token


def _unescaped(token: str) -> str:
    """A string's characters; JSON's pairs of surrogates become the one that they stand for."""
    text = _ESCAPE.sub(_character, token)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        return chr(int(code, 16))
    char = match[4]
    return char if char in _MEANT else _ESCAPED.get(char, match[0])


def _value(token: object, tokens: Iterator[object], unique_keys: bool, depth: int) -> object:
    if not isinstance(token, _Mark):
        return token
    if depth == MAX_DEPTH:
        raise NotFollowedError("too deep a literal")
    if token == "[":
        return _list(tokens, unique_keys, depth + 1)
    if token == "{":
        return _mapping(tokens, unique_keys, depth + 1)
    raise NotFollowedError(f"{token} stands where a value is needed")


def _list(tokens: Iterator[object], unique_keys: bool, depth: int) -> list[object]:
    values: list[object] = []
    while (token := next(tokens)) is not _END and not _is(token, "]"):
        values.append(_value(token, tokens, unique_keys, depth))
        if _closed(next(tokens), "]"):
            return values
    return _finished(values, token)


def _mapping(tokens: Iterator[object], unique_keys: bool, depth: int) -> dict[object, object]:
    values: dict[object, object] = {}
    while (key := next(tokens)) is not _END and not _is(key, "}"):
        if isinstance(key, _Mark) or not _is(next(tokens), ":"):
            raise NotFollowedError("a mapping without a key and a colon")
        if unique_keys and key in values:
            raise NotFollowedError("a key occurs twice")
        values[key] = _value(next(tokens), tokens, unique_keys, depth)
        if _closed(next(tokens), "}"):
            return values
    return _finished(values, key)


def _is(token: object, mark: str) -> bool:
    return isinstance(token, _Mark) and token == mark


def _closed(token: object, closing: str) -> bool:
    """Whether a list or mapping ends here rather than goes on behind a comma."""
    if _is(token, closing):
        return True
    if not _is(token, ","):
        raise NotFollowedError("a comma or a closing bracket is missing")
    return False


def _finished(values: _T, token: object) -> _T:
    if token is _END:
        raise NotFollowedError("a closing bracket is missing")
    return values
