"""Formats texts of logs, models and prompts for terminals, pages and spreadsheets.

Control characters in such texts could move the cursor, reverse the text around them, or hide parts
of it, so they are escaped.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.messages import truncate
from bias_tasks.unicode_text import encodable

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters except tabs and line breaks, and marks that change the writing direction."""
_FORMULA_STARTS = ("=", "+", "-", "@")
_HIDDEN = "***"
_SECRET = re.compile(r"(?i)secret|passw|authorization|credential|(?:keys?|token)$")
"""Names of values that are hidden: the logs of both frameworks have them in clear text."""
_SECRET_IN_URL = re.compile(
    r"(?i)(?<=://)[^/@\s]+(?=@)|(?<=[?&])(?:[\w-]*(?:key|token|secret|passw\w*)|sig)=[^&\s]+"
)
_TRUNCATION_NOTE_LENGTH = 60
"""Maximum number of characters that `truncate_middle` adds to a text."""


def escape_unprintable(text: object) -> str:
    r"""Return the text with escapes for unprintable characters: `\x1b`, `\u202e`, `\n`."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in str(text)
    )


def escape_controls(text: str) -> str:
    """Return the text with escapes for control characters and marks of the writing direction."""
    lines = encodable(text).replace("\r\n", "\n")
    return _CONTROLS.sub(lambda match: escape_unprintable(match[0]), lines)


def escape_lines(text: str) -> str:
    """Return the text with its line breaks, and escapes for all other unprintable characters."""
    lines = encodable(text).splitlines()
    return "\n".join(escape_unprintable(line.replace("\t", "    ")) for line in lines)


def escape_formula(value: object, max_length: int = 30_000) -> object:
    """Return a CSV cell; a text that a spreadsheet would evaluate as a formula begins with `'`.

    A text of more than `max_length` characters is cut by `truncate_middle`. By default the cell
    fits into a spreadsheet's, which holds 32,767.
    """
    if not isinstance(value, str):
        return value
    text = truncate_middle(escape_controls(value), max_length)
    return f"'{text}" if text.lstrip().startswith(_FORMULA_STARTS) else text


def shorten(text: object, max_length: int = 300) -> str:
    """Return the text on one line with single spaces, truncated to `max_length` characters."""
    return truncate(escape_unprintable(" ".join(str(text).split())), max_length)


def to_json(value: object, indent: int | None = None, *, ascii_only: bool = False) -> str:
    """Return a value as JSON; nan and infinities are null, and other objects are texts."""
    plain = json.loads(json.dumps(value, default=str), parse_constant=lambda _: None)
    return json.dumps(plain, ensure_ascii=ascii_only, allow_nan=False, indent=indent)


def format_value(value: object) -> str:
    """Format the value of a parameter or setting: a text unchanged, anything else as JSON."""
    if isinstance(value, str):
        return shorten(value)
    return shorten(to_json(value))


def format_values(values: Mapping[str, object]) -> str:
    """Format values as `name=value, ...`; an empty mapping as its name alone."""
    return ", ".join(
        shorten(name) if value == {} else f"{shorten(name)}={format_value(value)}"
        for name, value in values.items()
    )


def join_texts(texts: Sequence[str], max_texts: int = 10, separator: str = ", ") -> str:
    """Join the first `max_texts` texts and state how many more there are."""
    remaining = len(texts) - max_texts
    suffix = f" and {remaining:,} more" if remaining > 0 else ""
    return separator.join(texts[:max_texts]) + suffix


def describe_error(message: str, traceback: str = "") -> str:
    """Return what a server, or else the error itself, says, on one line.

    Args:
        message: The error's message in a log of Inspect.
        traceback: Its traceback, whose first error is the cause of the others.
    """
    if message.startswith("RetryError("):
        causes = re.findall(r"^[\w.]+: (.+)", traceback, re.MULTILINE)
        message = causes[0] if causes else message
    last = re.split(r"(?:\n|\\n){2}", message)[-1]  # after the request, which may be escaped
    return shorten(hide_secrets(last or message))


def hide_secrets(value: Any, name: object = "") -> Any:
    """Return a logged value without keys, tokens and passwords, also those within URLs.

    Args:
        value: The value; a mapping or list may have further ones.
        name: The name under which it is logged.
    """
    if isinstance(value, Mapping):
        return {key: hide_secrets(part, key) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [hide_secrets(part, name) for part in value]
    if value and _SECRET.search(str(name)):
        return _HIDDEN
    return _SECRET_IN_URL.sub(_HIDDEN, value) if isinstance(value, str) else value


def truncate_middle(text: str, limit: int = 600) -> str:
    """Return the text, or its first two and its last third with a note on the omitted characters.

    The end is kept because answers are usually there.
    """
    if len(text) <= limit:
        return text
    end = limit // 3
    omitted = len(text) - limit
    return f"{text[: limit - end]}\n[… {omitted:,} characters omitted …]\n{text[-end:]}"


def format_excerpt(text: str, limit: int) -> str:
    """Return about `limit` characters of a text for a page, with unprintable characters escaped.

    A text that `truncate_middle` has shortened to the same limit stays as it is.
    """
    if len(text) > limit + _TRUNCATION_NOTE_LENGTH:
        text = truncate_middle(text, limit)
    # Escapes are longer than the characters that they replace.
    return truncate_middle(escape_lines(text), 2 * limit)
