"""The nearest of the names there are, for the message about one that there is none of."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from bias_tasks.quoted import quoted

_SIMILAR = 0.65
"""From which share of equal characters on two names count as near."""
_SHORTEST_PART = 3
"""Characters that a part of a name has at least."""
_LONGEST = 200
"""Characters from which on a text is no mistyped name; comparing it would take long."""


def nearest(name: object, known: Iterable[str]) -> str | None:
    """The known name that is nearest to one that was given, upper or lower case; None if far.

    One that is far but a part of a single known one, as `gsm8k` of `format_gsm8k`, means that.
    """
    if len(text := str(name)) > _LONGEST:
        return None
    given, by_folded = text.casefold(), {each.casefold(): each for each in known}
    found = get_close_matches(given, by_folded, n=1, cutoff=_SIMILAR)
    if not found and len(given) >= _SHORTEST_PART:
        holding = [each for each in by_folded if given in each]
        found = holding if len(holding) == 1 else []
    return by_folded[found[0]] if found else None


def did_you_mean(names: Iterable[object], known: Iterable[str]) -> str:
    """` (did you mean 'folio'?)` with the nearest of each of the names, or nothing."""
    known = list(known)
    near = dict.fromkeys(nearest(name, known) for name in names)
    told = " or ".join(repr(name) for name in near if name is not None)
    return f" (did you mean {told}?)" if told else ""


def unknown_name(name: str, known: Iterable[str], what: str) -> str:
    """What to say of a name that is none of the known ones: the nearest, and all there are."""
    known = list(known)
    near = nearest(name, known)
    hint = "." if near is None else f": did you mean {near!r}?"
    return f"unknown parameter {quoted(name)}{hint} The {what} are {', '.join(known)}"
