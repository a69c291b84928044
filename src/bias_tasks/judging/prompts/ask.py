"""The prompt of one judgement, by the house's template or by the user's own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, read_whole
from bias_tasks.names import did_you_mean
from bias_tasks.prompts.templates import fill, template

PAIR = ("prompt", "response_a", "response_b")
SINGLE = ("prompt", "response")
_MARK = "mark"
_SLOT = re.compile(r"\{([a-z_]+)\}")
_BLOCK = re.compile(
    r"<(prompt|response|response_a|response_b)-([0-9a-f]{10})>\n(.*?)\n</\1-\2>", re.DOTALL
)
_MOST_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Template:
    """What a judge is asked, with slots in braces."""

    text: str
    records: tuple[Mapping[str, str], ...] = ()
    """What a run's provenance says of it: a record of the user's own, with its path and sha256."""

    def filled(self, texts: Mapping[str, str], mark: str) -> str:
        """The prompt; braces within the texts stay as they are."""
        return fill(self.text, **texts, **{_MARK: mark})


def template_of(name: str | None, slots: tuple[str, ...]) -> Template:
    """The user's own judge prompt, in a text file, or the house's.

    Args:
        name: the file's path; None for the house's.
        slots: `PAIR` or `SINGLE`, all of which a template must have; `{mark}`, ten hex digits that
            no text holds, may be there.

    Raises:
        DataError: the file can't be read, lacks a slot, or has an unknown one.
    """
    if name is None:
        return Template(template(f"judging/{'pairwise' if slots == PAIR else 'single'}.txt"))
    try:
        path = as_path(name)
        content = read_whole(path, _MOST_BYTES)
    except DataError as error:
        raise DataError(f"template: {error}") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"template {path}: it is not UTF-8 ({error})") from error
    found = set(_SLOT.findall(text))
    listed = ", ".join(f"{{{slot}}}" for slot in slots)
    unknown = sorted(found - {*slots, _MARK})
    if unknown:
        near = did_you_mean(unknown, (*slots, _MARK))
        raise DataError(
            f"template {path}: {{{unknown[0]}}} is no slot{near}: there are {listed} and {{mark}}; "
            "write a brace that opens none with a blank behind it"
        )
    missing = [slot for slot in slots if slot not in found]
    if missing:
        raise DataError(
            f"template {path}: it lacks {{{missing[0]}}}: this task fills {listed}, each of which "
            "must stand in it"
        )
    sha256 = hashlib.sha256(content).hexdigest()
    record = {"source": "template", "path": str(path), "sha256": sha256}
    return Template(text.rstrip("\n"), (record,))


def read_blocks(prompt: str) -> dict[str, str]:
    """The texts of a prompt of the house's by their slots; empty for any other prompt."""
    blocks = list(_BLOCK.finditer(prompt))
    names = [found[1] for found in blocks]
    if names not in ([*PAIR], [*SINGLE]) or len({found[2] for found in blocks}) > 1:
        return {}
    return {found[1]: found[3] for found in blocks}
