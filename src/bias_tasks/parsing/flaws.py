"""What judges report of a response: the flaws in a dialogue, or the first wrong step."""

import re
from collections.abc import Mapping, Sequence

from bias_tasks.parsing.json_values import find_objects, normalize_name, number_in_field
from bias_tasks.parsing.parsed_answer import (
    Level,
    ParsedAnswer,
    ReportedFlaw,
    UnparsedReason,
    unparsed,
)

MAX_FLAWS = 500
"""Flaws of a list; a longer one is unparsed."""
_LIST_KEYS = ("flaws", "issues", "violations", "problems")
_NO_FLAWS = re.compile(
    r"(?:there are |i (?:find|found) )?no (?:clear |notable )*(?:flaws?|issues?|problems?)"
    r"(?: (?:were )?found)?\W*|flaws?: none\W*|none\W*|\[\s*\]",
    re.I,
)


def parse_flaws(text: str, dimensions: Sequence[str], scale: tuple[float, float]) -> ParsedAnswer:
    """Parse the flaws that a judge reports.

    They are the list `flaws` of an object, or the list by itself. A text that says in full that
    there are no flaws reports none.

    Args:
        text: An answer without reasoning.
        dimensions: Names of the criteria that a flaw can be about.
        scale: The lowest and the highest severity, both included.
    """
    lists = [flaws for value in find_objects(text) if (flaws := _flaw_list(value)) is not None]
    if not lists:
        if _NO_FLAWS.fullmatch(text.strip()):
            return ParsedAnswer("0 flaws", (), level=Level.WHOLE, span=(0, len(text)))
        return unparsed(UnparsedReason.NO_VALUE, "no list of flaws")
    if any(flaws != lists[0] for flaws in lists):
        return unparsed(UnparsedReason.CONTRADICTION, "two lists of different flaws")
    if len(lists[0]) > MAX_FLAWS:
        return unparsed(UnparsedReason.NOT_OFFERED, f"more than {MAX_FLAWS} flaws")
    names = {normalize_name(name): name for name in dimensions}
    reported = list[ReportedFlaw]()
    for index, entry in enumerate(lists[0]):
        flaw = _reported_flaw(entry, names, scale)
        if isinstance(flaw, str):
            return unparsed(UnparsedReason.NO_VALUE, f"flaw {index} {flaw}")
        reported.append(flaw)
    label = f"{len(reported)} flaws"
    return ParsedAnswer(label, tuple(reported), level=Level.FIELD, span=(0, len(text)))


def _flaw_list(value: object) -> list[object] | None:
    """Return the list of flaws of a JSON value, or None."""
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return None
    fields = {normalize_name(str(key)): field for key, field in value.items()}
    named = (fields.get(key) for key in _LIST_KEYS)
    return next((field for field in named if isinstance(field, list)), None)


def _reported_flaw(
    entry: object, names: Mapping[str, str], scale: tuple[float, float]
) -> ReportedFlaw | str:
    """Return one flaw of a list, or what is wrong with it."""
    if not isinstance(entry, Mapping):
        return "is not an object"
    fields = {normalize_name(str(key)): field for key, field in entry.items()}
    name = names.get(normalize_name(str(fields.get("dimension"))))
    severity, quote = number_in_field(fields.get("severity")), fields.get("quote")
    if name is None or not isinstance(quote, str):
        return "has no requested dimension, or no quote"
    if severity is None or severity != int(severity) or not scale[0] <= severity <= scale[1]:
        return f"has no whole severity from {scale[0]:g} to {scale[1]:g}"
    return ReportedFlaw(name, severity, quote)
