"""Text of logs, models and prompts as a terminal or a page may show it: control characters in it
could move the cursor, turn the direction of what stands around them, or hide a part of it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks import names

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Controls but for tabs and ends of lines, and marks that turn the direction of writing."""


def printable(text: object) -> str:
    """The text with escapes for what is not printable: `\\x1b`, `\\u202e`, `\\n`."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii")
        for each in str(text)
    )


def brief(text: object, longest: int = 300) -> str:
    """The text on one line, without runs of blanks, cut where it is long."""
    return names.cut(printable(" ".join(str(text).split())), longest)


def value_text(value: Any) -> str:
    """A parameter's or setting's value: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return brief(value)
    return brief(json.dumps(value, ensure_ascii=False, default=str))


def values_listed(values: Mapping[str, Any]) -> str:
    """`name=value` of each, and the name alone of what is empty."""
    return ", ".join(
        f"{brief(each)}={value_text(value)}" if value != {} else brief(each)
        for each, value in values.items()
    )


def without_controls(text: str) -> str:
    """The text with escapes for what moves a cursor or turns the direction of writing."""
    lines = names.encodable(text).replace("\r\n", "\n")
    return _UNSEEN.sub(lambda found: printable(found[0]), lines)


def for_spreadsheet(value: Any) -> Any:
    """A cell of CSV: a text that a spreadsheet would take for a formula begins with `'`."""
    if not isinstance(value, str):
        return value
    text = without_controls(value)
    return f"'{text}" if text.lstrip().startswith(("=", "+", "-", "@")) else text


def listed(texts: Sequence[str], most: int = 10, between: str = ", ") -> str:
    """Texts beside each other, of many the first ones and how many more there are."""
    more = len(texts) - most
    return between.join(texts[:most]) + (f" and {more:,} more" if more > 0 else "")


def visible(text: str) -> str:
    """The text with its lines, and an escape for whatever else is not printable."""
    lines = names.encodable(text).splitlines()
    return "\n".join(printable(line.replace("\t", "    ")) for line in lines)


def cut(text: str, limit: int = 600) -> str:
    """The text, or its beginning and its end with a word on what is left out between them."""
    if len(text) <= limit:
        return text
    end = limit // 3  # where answers stand
    left_out = len(text) - limit
    return f"{text[: limit - end]}\n[… {left_out:,} characters left out …]\n{text[-end:]}"


def excerpt(text: str, limit: int) -> str:
    """The text for a page: visible, of some `limit` characters; one that was cut to as many before
    stays as it is."""
    whole = len(text) <= limit + 60  # the word on what is left out
    return cut(visible(text if whole else cut(text, limit)), 2 * limit)
