"""Text of models, prompts and logs as a page may show it."""

from __future__ import annotations

from bias_tasks.names import encodable
from bias_tasks.results.shown import brief, shown

NAME = 60
"""Characters of a name, such as a model's."""
KEPT = 600
"""Characters of a model's text that are kept when a log is read."""
_END = 3
"""A third of what is left of a long text is its end, where answers stand."""
_LINES = 40
_NOTE = 60
"""Characters of the note on what was cut, at most."""


def name(text: object) -> str:
    """A name on one line, cut where it is long."""
    line = encodable(brief(text))
    return line if len(line) <= NAME else f"{line[: NAME - 1]}…"


def visible(text: str) -> str:
    """The text with its lines, and an escape for whatever else is not printable.

    Without these a control character could turn the direction of what stands around it, and half
    of a surrogate pair could not be written.
    """
    return "\n".join(shown(line.replace("\t", "    ")) for line in encodable(text).splitlines())


def keep(text: str) -> str:
    """What is kept of a model's text, which may be megabytes."""
    return cut(text, KEPT)


def cut(text: str, limit: int) -> str:
    """The text, or its beginning and its end with a word on what is left out between them."""
    if len(text) <= limit:
        return text
    end = limit // _END
    left_out = len(text) - limit
    return f"{text[: limit - end]}\n[… {left_out:,} characters left out …]\n{text[-end:]}"


def excerpt(text: str, limit: int) -> str:
    """The text for the page: visible, with about `limit` characters and `_LINES` lines at most.

    A text that was cut to as many before stays as it is, so that it says how much it was cut.
    """
    whole = len(text) <= limit + _NOTE
    lines = visible(text if whole else cut(text, limit)).splitlines()
    if len(lines) > _LINES:
        half = _LINES // 2
        more = f"[… {len(lines) - 2 * half:,} lines left out …]"
        lines = [*lines[:half], more, *lines[-half:]]
    return cut("\n".join(lines), 2 * limit)
