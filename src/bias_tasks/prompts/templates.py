"""Loads the papers' prompt templates and fills them in."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@cache
def template(path: str) -> str:
    """The template at `path` below `templates/`, without its last line break.

    Raises:
        FileNotFoundError: there is no such template.
    """
    text = files(__package__).joinpath("templates", path).read_text(encoding="utf-8")
    return text.removesuffix("\n")


def fill(text: str, **fields: str) -> str:
    """`text` with every `{name}` replaced, in one pass: braces inside a value stay as they are.

    Raises:
        KeyError: the template names a field that was not given.
    """
    return _PLACEHOLDER.sub(lambda match: fields[match.group(1)], text)
