"""Names, ids and values from users: comparison with valid ones, messages, hashes."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from reprlib import Repr
from typing import Literal

CORE, PAPER, SYNTHETIC = "core", "paper", "synthetic"
"""Values of the parameter `data`, besides names of data sets and of a user's files."""
Names = str | Sequence[str] | None
"""Several names: a list, or one text with commas between them; None if the user gave none."""
_MIN_SIMILARITY = 0.65
"""Share of equal characters from which two names are similar."""
_MAX_LENGTH = 200
"""Characters. A longer text is not a mistyped name, and a longer value is shortened in messages."""


def parse_names(names: Names) -> list[str]:
    """Return the names without duplicates and outer blanks."""
    parts = names.split(",") if isinstance(names, str) else names or ()
    stripped = (str(name).strip() for name in parts)
    return list(dict.fromkeys(name for name in stripped if name))


def find_nearest(name: object, known: Iterable[str]) -> str | None:
    """Return the valid name that is most similar to a name, ignoring case; None if none is.

    A name that is a part of exactly one valid name also matches, as `gsm8k` does `format_gsm8k`.
    """
    text = str(name)
    if len(text) > _MAX_LENGTH:
        return None
    folded, by_folded = text.casefold(), {valid.casefold(): valid for valid in known}
    matches = get_close_matches(folded, by_folded, n=1, cutoff=_MIN_SIMILARITY)
    if not matches and len(folded) > 2:
        containing = [valid for valid in by_folded if folded in valid]
        matches = containing if len(containing) == 1 else []
    return by_folded[matches[0]] if matches else None


def did_you_mean(names: Iterable[object], known: Iterable[str]) -> str:
    """Return a hint such as ` (did you mean 'folio'?)`, empty if no valid name is similar."""
    known = list(known)
    nearest = dict.fromkeys(find_nearest(name, known) for name in names)
    suggestions = " or ".join(repr(name) for name in nearest if name is not None)
    return f" (did you mean {suggestions}?)" if suggestions else ""


def unknown_name(name: str, known: Iterable[str], what: str) -> str:
    """Return the message about an unknown parameter: the nearest valid name, and all of them."""
    known = list(known)
    nearest = find_nearest(name, known)
    hint = "." if nearest is None else f": did you mean {nearest!r}?"
    return f"unknown parameter {format_value(name)}{hint} The {what} are {', '.join(known)}"


_SHORT_REPR = Repr()
_SHORT_REPR.maxstring = _SHORT_REPR.maxother = _MAX_LENGTH
_SHORT_REPR.maxlist = _SHORT_REPR.maxtuple = _SHORT_REPR.maxdict = _SHORT_REPR.maxset = 10
_SHORT_REPR.maxlevel = 4


def format_value(value: object, max_length: int = 2 * _MAX_LENGTH) -> str:
    """Return the `repr` of a value, truncated to `max_length` characters and an ellipsis.

    Booleans are printed as users type them: `true` and `false`.
    """
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return truncate(_SHORT_REPR.repr(value), max_length)
    except ValueError:  # Python does not print numbers with thousands of digits.
        return "a number of thousands of digits"


def truncate(text: str, max_length: int = 2 * _MAX_LENGTH) -> str:
    """Return the text, or its first `max_length` characters and an ellipsis."""
    return text if len(text) <= max_length else f"{text[:max_length]}..."


def format_count(count: int, noun: str) -> str:
    """Return a number and its noun, which is plural unless the number is 1: `2,000 answers`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def encodable(text: str) -> str:
    """Return the text with surrogate pairs joined and lone surrogates replaced by U+FFFD."""
    if is_encodable(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_encodable(text: str) -> bool:
    """Return whether the text has no surrogates, so that UTF-8 can encode it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def content_hash(*fields: object) -> str:
    """Return ten hex digits over the JSON of the fields, for the id of an item or a cluster."""
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, default=list)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def digest(*parts: object) -> str:
    """Return 16 hex digits over the JSON of the parts.

    Raises:
        TypeError: A part has values that JSON cannot hold.
    """
    sha256 = hashlib.sha256()
    for part in parts:
        text = json.dumps(part, ensure_ascii=False, sort_keys=True)
        sha256.update(text.encode("utf-8", "surrogatepass") + b"\n")
    return sha256.hexdigest()[:16]


PaperProtocol = Literal["corrected", "published"]
"""`corrected` measures what the paper defines; `published` repeats the paper's own procedure."""
PROTOCOLS: tuple[PaperProtocol, ...] = ("corrected", "published")
DesignSource = Literal["paper", "ours"]
"""Whose a setting, format, reformulation or data set is: the paper's, or this package's."""


def check_paper_only(protocol: PaperProtocol, ours: Sequence[str]) -> None:
    """Check that a run that repeats the paper uses nothing that is this package's.

    Args:
        protocol: Protocol of the run.
        ours: Names of its settings, variants and data sets that are this package's.

    Raises:
        ValueError: There are some, under the published protocol.
    """
    if ours and protocol == "published":
        raise ValueError(
            f"a run that repeats the paper uses what is the paper's alone, and {', '.join(ours)} "
            "is this package's: set protocol=corrected"
        )
