"""Loads the papers' prompt templates and fills them in."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@cache
def template(path: str) -> str:
    """A family's template, without its last line break.

    Args:
        path: the family's name, and the path in its folder `prompts/templates`:
            `binary_qa/question.txt`.

    Raises:
        FileNotFoundError: there is no such template.
    """
    family, _, name = path.partition("/")
    folder = files("bias_tasks").joinpath(family, "prompts", "templates")
    text = folder.joinpath(name).read_text(encoding="utf-8")
    return text.removesuffix("\n")


def fill(text: str, **fields: str) -> str:
    """`text` with every `{name}` replaced, in one pass: braces inside a value stay as they are.

    Raises:
        KeyError: the template names a field that was not given.
    """
    return _PLACEHOLDER.sub(lambda match: fields[match.group(1)], text)
