"""An object that is JSON but for its spelling, put into JSON.

Models write `{'score': 7,}`: single or typographic quotes, keys without any, a comma before the
end, Python's `True` and `None`, comments, a line break or a quotation mark within a string.
Nothing is evaluated, and nothing is filled in: an object that doesn't end is none.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

LONGEST = 50_000
"""Characters of an object that are looked through for its end."""
DEEPEST = 20
"""Objects and lists in one another, which nothing that is asked for comes near."""

_QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“", "‘": "’"}
# A string ends at a quotation mark behind which something else begins, or the object ends.
_ENDS = {end: re.compile(rf"{end}(?=\s{{0,200}}+[:,}}\]])") for end in set(_QUOTES.values())}
_BETWEEN = re.compile(r"(?:\s++|//[^\n]*+|/\*[^*]*+\*/)*+")
_BARE = re.compile(r"[^\s,:{}\[\]\"“][^,:{}\[\]\"“\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?")
_CONSTANTS = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_JSON_CONSTANTS = frozenset({"true", "false", "null"})
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}


class Spelled(NamedTuple):
    """An object in JSON's own spelling."""

    json: str | None
    """None where no object ends within `LONGEST`."""
    end: int
    """Where in the text it ends, or is given up."""


def spelled(text: str, start: int) -> Spelled:
    """The object that begins at `start`, in JSON.

    Whether that is valid (commas and colons where they belong) is left to its decoder.
    """
    end = min(len(text), start + LONGEST)
    tokens: list[str] = []
    depth, place = 0, start
    while place < end:
        token, place = _token(text, place, end)
        if token is None:
            break
        if token in ("}", "]") and tokens[-1:] == [","]:
            tokens.pop()
        tokens.append(token)
        depth += (token in ("{", "[")) - (token in ("}", "]"))
        if not depth:
            return Spelled(" ".join(tokens), place)
        if depth > DEEPEST:
            break
        place = _skipped(text, place, end)
    return Spelled(None, place)


def _token(text: str, place: int, end: int) -> tuple[str | None, int]:
    """The token at `place` as JSON has it, and where it ends; None where a string doesn't."""
    first = text[place]
    if first in "{}[],:":
        return first, place + 1
    if first in _QUOTES:
        return _string(text, place, end)
    bare = _BARE.match(text, place, end)
    if bare is None:
        return None, place
    return _plain(bare[0].partition("//")[0].rstrip()), bare.end()


def _string(text: str, place: int, end: int) -> tuple[str | None, int]:
    for close in _ENDS[_QUOTES[text[place]]].finditer(text, place + 1, end):
        escapes = 0
        while text[close.start() - 1 - escapes] == "\\":
            escapes += 1
        if escapes % 2 == 0:
            inner = _ESCAPED.sub(_unescaped, text[place + 1 : close.start()])
            return json.dumps(inner), close.end()
    return None, end


def _unescaped(escape: re.Match[str]) -> str:
    return _CONTROLS.get(escape[1], escape[1])


def _plain(word: str) -> str:
    """A word without quotes: a number, a constant, or a string."""
    word = _CONSTANTS.get(word, word)
    if word in _JSON_CONSTANTS or _NUMBER.fullmatch(word):
        return word
    return json.dumps(word)


def _skipped(text: str, place: int, end: int) -> int:
    found = _BETWEEN.match(text, place, end)
    return place if found is None else found.end()
