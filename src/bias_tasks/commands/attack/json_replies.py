r"""JSON as models write it around mathematics and dialogues: found in a reply, and made strict.

A model that writes `"\frac{1}{2}"` means LaTeX, and JSON reads a form feed there, `"\times"` a tab
and `"\(x\)"` nothing at all. Within strings every backslash that begins no escape, or that begins
a known command of LaTeX, is doubled; line breaks within strings are escaped. Nothing else changes,
so that a reply with `"\\frac"` stays as it is. Time is linear in the reply.
"""

from __future__ import annotations

import re

_BEGINS = re.compile(r'[\[{]\s{0,100}["\[{}\]]')
# A string that never ends is matched up to the end, so that none of its parts is tried again.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.S)
_TOKEN = re.compile(rf"{_STRING.pattern}|[\[{{\]}}]", re.S)
_BACKSLASH = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|[A-Za-z]{1,30}|.)", re.S)
_COMMANDS = frozenset(
    # Those that begin like an escape of JSON; backspaces and form feeds are never meant.
    [
        "nu",
        "neq",
        "ne",
        "nabla",
        "neg",
        "not",
        "notin",
        "nmid",
        "nolimits",
        "newline",
        "ngeq",
        "nleq",
        "nparallel",
        "ni",
        "natural",
        "nearrow",
        "rho",
        "right",
        "rangle",
        "rceil",
        "rfloor",
        "rightarrow",
        "rightharpoonup",
        "rm",
        "root",
        "rvert",
        "rVert",
        "rbrace",
        "rbrack",
        "rightleftharpoons",
        "times",
        "theta",
        "text",
        "textbf",
        "textit",
        "textrm",
        "texttt",
        "tan",
        "tanh",
        "tau",
        "to",
        "top",
        "triangle",
        "tfrac",
        "therefore",
        "tilde",
        "triangleleft",
        "triangleright",
        "to",
        "textstyle",
        "tbinom",
        "triangleq",
        "underline",
        "underbrace",
        "upsilon",
        "uparrow",
        "unlhd",
        "cup",
    ]
)
_CONTROLS = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def json_in(reply: str) -> str:
    """The first object or list of the reply, strict; the reply where it has none that ends.

    What stands around it is left out unless it holds an object or a list too: then nothing says
    which is meant, and the reply is given back.
    """
    begins = _BEGINS.search(reply)
    if begins is None:
        return reply
    depth, end = 0, -1
    for mark in _TOKEN.finditer(reply, begins.start()):
        if mark[0] in ("{", "["):
            depth += 1
        elif mark[0] in ("}", "]"):
            depth -= 1
        if depth == 0:
            end = mark.end()
            break
    if end < 0 or _BEGINS.search(reply, end):
        return reply
    return _STRING.sub(lambda mark: _strict(mark[0]), reply[begins.start() : end])


def _strict(string: str) -> str:
    escaped = _BACKSLASH.sub(lambda mark: _kept(mark[0]), string)
    return escaped if escaped.isprintable() else "".join(_CONTROLS.get(c, c) for c in escaped)


def _kept(escape: str) -> str:
    """The escape, its backslash doubled where it is LaTeX's."""
    letter, word = escape[1], escape[1:]
    if letter in '"\\/' or (letter == "u" and len(word) == _UNICODE and word[1:].isalnum()):
        return escape
    if letter in "nrt" and word not in _COMMANDS and not _command_ahead(word):
        return escape
    if letter in "bf" and len(word) == 1:
        return escape
    return f"\\{escape}"


_UNICODE = 5
"""Characters of `u` and its four digits."""


def _command_ahead(word: str) -> bool:
    """Whether a command runs into what follows it, as in `timesx`; only long ones are safe."""
    return any(word.startswith(command) for command in _LONG)


_LONG = tuple(sorted(command for command in _COMMANDS if len(command) > _UNICODE))
