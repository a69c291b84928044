"""Loads judge prompts, built-in ones or a user's own, and finds the texts in a filled-in one."""

import hashlib
import re
from collections.abc import Mapping

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, decode_utf8, read_whole
from bias_tasks.prompts.templates import template
from bias_tasks.user_names import did_you_mean

PAIR_SLOTS = ("prompt", "response_a", "response_b")
"""Slots of a template that compares two responses."""
SINGLE_SLOTS = ("prompt", "response")
"""Slots of a template for a single response."""
_OPTIONAL_SLOT = "mark"
_SLOT = re.compile(r"\{([a-z_]+)\}")
_BLOCK = re.compile(
    r"<(prompt|response|response_a|response_b)-([0-9a-f]{10})>\n(.*?)\n</\1-\2>", re.DOTALL
)
_MAX_BYTES = 2**20


def load_template(
    path: str | None, slots: tuple[str, ...]
) -> tuple[str, tuple[Mapping[str, str], ...]]:
    """Load a judge prompt.

    Args:
        path: The user's text file; None for the built-in template.
        slots: `PAIR_SLOTS` or `SINGLE_SLOTS`, all of which the template must have. It may also have
            `{mark}`: ten hex digits that no text contains.

    Returns:
        The template, and records for the run's provenance: one for a user's file, else none.

    Raises:
        DataError: The file cannot be read, lacks a slot, or has an unknown slot.
    """
    if path is None:
        name = "pairwise" if slots == PAIR_SLOTS else "single"
        return template(f"judge_bias/{name}.txt"), ()
    try:
        file = as_path(path)
        content = read_whole(file, _MAX_BYTES)
        text = decode_utf8(content)
    except (DataError, ValueError) as error:
        raise DataError(f"template {path}: {error}") from error
    if problem := _find_slot_problem(set(_SLOT.findall(text)), slots):
        required = ", ".join(f"{{{slot}}}" for slot in slots)
        raise DataError(
            f"template {file}: {problem}: the template must contain {required}, and may contain "
            f"{{{_OPTIONAL_SLOT}}}; put a space after any other opening brace"
        )
    sha256 = hashlib.sha256(content).hexdigest()
    return text.rstrip("\n"), ({"source": "template", "path": str(file), "sha256": sha256},)


def _find_slot_problem(present: set[str], slots: tuple[str, ...]) -> str | None:
    """Return what is wrong with the slots of a template; None if nothing is."""
    allowed = (*slots, _OPTIONAL_SLOT)
    if unknown := sorted(present - {*allowed}):
        return f"{{{unknown[0]}}} is an unknown slot{did_you_mean(unknown[:1], allowed)}"
    missing = [slot for slot in slots if slot not in present]
    return f"it lacks {{{missing[0]}}}" if missing else None


def parse_blocks(prompt: str) -> dict[str, str]:
    """Return the texts in a prompt of a built-in template by slot; empty for any other prompt."""
    blocks = {match[1]: match[3] for match in _BLOCK.finditer(prompt)}
    return blocks if tuple(blocks) in (PAIR_SLOTS, SINGLE_SLOTS) else {}
