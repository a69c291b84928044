"""Names from users: lists of names, the nearest valid name, messages about unknown ones."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from bias_tasks.messages import MAX_LENGTH, format_value

Names = str | Sequence[str] | None
"""Several names: a list, or one text with commas between them; None if the user gave none."""

_MIN_SIMILARITY = 0.65
"""Share of equal characters from which two names are similar."""


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
    if len(text) > MAX_LENGTH:
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
