"""The prompt of one judgement, by the house's template or by the user's own."""

import hashlib
import re
from collections.abc import Mapping

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, decoded, read_whole
from bias_tasks.names import did_you_mean
from bias_tasks.prompts.templates import template

PAIR = ("prompt", "response_a", "response_b")
SINGLE = ("prompt", "response")
_SLOT = re.compile(r"\{([a-z_]+)\}")
_BLOCK = re.compile(
    r"<(prompt|response|response_a|response_b)-([0-9a-f]{10})>\n(.*?)\n</\1-\2>", re.DOTALL
)
_MOST_BYTES = 2**20


def template_of(
    name: str | None, slots: tuple[str, ...]
) -> tuple[str, tuple[Mapping[str, str], ...]]:
    """The user's own judge prompt, in a text file, or the house's; and records for provenance. A
    DataError where the file can't be read, lacks a slot, or has an unknown one.

    `name` is the file's path, None for the house's; `slots` are `PAIR` or `SINGLE`, all of which a
    template must have. `{mark}`, ten hex digits that no text holds, may be there."""
    if name is None:
        return template(f"judging/{'pairwise' if slots == PAIR else 'single'}.txt"), ()
    try:
        path = as_path(name)
        content = read_whole(path, _MOST_BYTES)
        text = decoded(content)
    except (DataError, ValueError) as error:
        raise DataError(f"template {name}: {error}") from error
    found = set(_SLOT.findall(text))
    wrong = [*sorted(found - {*slots, "mark"}), *(slot for slot in slots if slot not in found)]
    if wrong:
        near = did_you_mean(wrong[:1], (*slots, "mark"))
        what = f"{{{wrong[0]}}} is no slot{near}" if wrong[0] in found else f"lacks {{{wrong[0]}}}"
        raise DataError(
            f"template {path}: {what}: each of {', '.join(f'{{{slot}}}' for slot in slots)} must "
            "stand in it, and {mark} may; write a brace that opens none with a blank behind it"
        )
    sha256 = hashlib.sha256(content).hexdigest()
    return text.rstrip("\n"), ({"source": "template", "path": str(path), "sha256": sha256},)


def read_blocks(prompt: str) -> dict[str, str]:
    """The texts of a prompt of the house's by their slots; empty for any other prompt."""
    blocks = {found[1]: found[3] for found in _BLOCK.finditer(prompt)}
    return blocks if tuple(blocks) in (PAIR, SINGLE) else {}
